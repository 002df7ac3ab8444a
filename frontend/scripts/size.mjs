// The weight of the pages up to the first trial: scripts and styles, gzipped, each file once.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT = 60_000;
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("manifest.json", dist), "utf-8"));

function filesOf(key, found = new Set()) {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`The manifest has no entry ${key}; run "npm run build" first.`);
  found.add(chunk.file);
  for (const css of chunk.css ?? []) found.add(css);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

const files = new Set([...filesOf("src/landing.ts"), ...filesOf("src/runner.ts")]);
let total = 0;
for (const file of files) {
  const size = gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length;
  total += size;
  console.log(`${String(size).padStart(8)}  ${file}`);
}
console.log(`${String(total).padStart(8)}  bytes gzip up to the first trial (limit ${LIMIT})`);
if (total > LIMIT) process.exit(1);

// The weight of the pages up to the first trial, for each paradigm: scripts and styles, gzipped, each file once. A session
// loads all its plugins before its first trial, so they count, those that nearly every study has included.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT = 60_000;
const PAGES = ["src/entries/landing.ts", "src/entries/runner.ts"];
// A page loads one of them; the heavier one counts.
const LANGUAGES = ["src/languages/en.ts", "src/languages/de.ts"];
const IN_EVERY_STUDY = ["background-questions", "pages", "break"];
const TOGETHER = { "magnitude-estimation": ["line-length"] };

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("manifest.json", dist), "utf-8"));
const sizes = new Map();

function chunkOf(key) {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`The manifest has no entry ${key}; run "npm run build" first.`);
  return chunk;
}

function filesOf(key, found = new Set()) {
  const chunk = chunkOf(key);
  found.add(chunk.file);
  for (const css of chunk.css ?? []) found.add(css);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

function sizeOf(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length);
  return sizes.get(file);
}

function say(size, text) {
  console.log(`${String(size).padStart(8)}  ${text}`);
}

const pluginKey = (name) => `src/plugins/${name}/index.ts`;
const plugins = (chunkOf("src/entries/runner.ts").dynamicImports ?? []).flatMap(
  (key) => /^src\/plugins\/([\w-]+)\//.exec(key)?.[1] ?? [],
);
const companions = new Set(Object.values(TOGETHER).flat());
const weightOf = (key) => [...filesOf(key)].reduce((sum, file) => sum + sizeOf(file), 0);
const language = LANGUAGES.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
const common = new Set([...PAGES, language, ...IN_EVERY_STUDY.map(pluginKey)].flatMap((key) => [...filesOf(key)]));
for (const file of common) say(sizeOf(file), file);

let heaviest = 0;
for (const name of plugins.filter((plugin) => !IN_EVERY_STUDY.includes(plugin) && !companions.has(plugin))) {
  const own = [name, ...(TOGETHER[name] ?? [])].flatMap((plugin) => [...filesOf(pluginKey(plugin))]);
  const total = [...new Set([...common, ...own])].reduce((sum, file) => sum + sizeOf(file), 0);
  heaviest = Math.max(heaviest, total);
  say(total, `bytes gzip up to the first trial of ${name} (limit ${LIMIT})`);
}
if (heaviest === 0) throw new Error("The manifest names no plugin of a paradigm.");
if (heaviest > LIMIT) process.exit(1);

// The weight of the pages up to the first trial, for each paradigm: scripts and styles, gzipped, each file once. A session
// loads all its plugins before its first trial, so they count, those that nearly every study has included. What a script
// loads by a dynamic import counts, too, unless it is named here as something that only some sessions need.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

// The heaviest language is meant: letters beyond the Latin ones take two or three bytes each.
const LIMIT = 67_000;
// With questionnaires of all kinds; and for what is still on its way while the pages before the first text are read.
const LIMIT_OF_ALL = 79_000;
const PAGES = ["src/entries/landing.ts", "src/entries/runner.ts"];
const IN_EVERY_STUDY = ["background-questions", "pages", "break"];
const TOGETHER = { "magnitude-estimation": ["line-length"] };

const NO_PARTICIPANT = ["src/entries/preview.ts", /\/simulated\.ts$/];
// Pictures and sounds and what is said of them, texts in both directions, errors that are marked in texts, an experimenter who watches over the session, a
// plugin of a package.
const SOME_STUDIES = [
  "src/session/media-gate.ts",
  /^src\/media\//,
  "src/page/trial-media.ts",
  "src/plugins/comparison/sounds.ts",
  "src/page/bidi.ts",
  /^src\/languages\/seldom/,
  /^src\/ratings\/error-spans\.ts$/,
  /^src\/languages\/error-spans\//,
  "src/supervision/index.ts",
  // Keys, a deadline and feedback of questions about texts.
  "src/plugins/question-rules.ts",
  "src/plugins/text-question.ts",
  "src/session/send-link.ts",
  "src/plugins/lectern.ts",
];
const SOME_QUESTIONNAIRES = [/^src\/plugins\/background-questions\/(scale-fields|languages-field|attempts)\.ts$/];
const WHILE_PAGES_ARE_READ = ["src/plugins/mouse-contingent-reading/trial.ts"];

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("manifest.json", dist), "utf-8"));
const sizes = new Map();

// A page loads one of them; the heaviest counts.
const LANGUAGES = Object.keys(manifest).filter((key) => /^src\/languages\/[a-z]{2}\.ts$/.test(key));

function chunkOf(key) {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`The manifest has no entry ${key}; run "npm run build" first.`);
  return chunk;
}

const isNamed = (key, names) => names.some((name) => (typeof name === "string" ? name === key : name.test(key)));
const isPlugin = (key) => /^src\/plugins\/[\w-]+\/index\.ts$/.test(key);

/** The files behind a key and all that it imports; dynamic imports are left out where they are named. */
function filesOf(key, without, found = new Set(), seen = new Set()) {
  if (seen.has(key)) return found;
  seen.add(key);
  const chunk = chunkOf(key);
  found.add(chunk.file);
  for (const css of chunk.css ?? []) found.add(css);
  for (const imported of chunk.imports ?? []) filesOf(imported, without, found, seen);
  for (const imported of chunk.dynamicImports ?? []) {
    if (!isPlugin(imported) && !isNamed(imported, without)) filesOf(imported, without, found, seen);
  }
  return found;
}

function sizeOf(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length);
  return sizes.get(file);
}

const sizeOfAll = (files) => [...files].reduce((sum, file) => sum + sizeOf(file), 0);
const pluginKey = (name) => `src/plugins/${name}/index.ts`;
const plugins = (chunkOf("src/entries/runner.ts").dynamicImports ?? [])
  .filter(isPlugin)
  .map((key) => key.split("/")[2]);
const companions = new Set(Object.values(TOGETHER).flat());
const paradigms = plugins.filter((name) => !IN_EVERY_STUDY.includes(name) && !companions.has(name));
if (paradigms.length === 0) throw new Error("The manifest names no plugin of a paradigm.");
const UNUSED = [...NO_PARTICIPANT, ...SOME_STUDIES];
const FIRST = [...UNUSED, ...SOME_QUESTIONNAIRES, ...WHILE_PAGES_ARE_READ];
const [language] = LANGUAGES.toSorted((one, other) => sizeOfAll(filesOf(other, [])) - sizeOfAll(filesOf(one, [])));

function filesFor(names, without) {
  const keys = [...PAGES, language, ...[...IN_EVERY_STUDY, ...names].map(pluginKey)];
  return new Set(keys.flatMap((key) => [...filesOf(key, without)]));
}

let isTooHeavy = false;
function weigh(files, limit, text) {
  const size = sizeOfAll(files);
  isTooHeavy ||= size > limit;
  say(size, `${text} (limit ${limit})`);
}

function say(size, text) {
  console.log(`${String(size).padStart(8)}  ${text}`);
}

for (const file of filesFor([], FIRST)) say(sizeOf(file), file);
for (const name of paradigms) {
  const names = [name, ...(TOGETHER[name] ?? [])];
  const first = filesFor(names, FIRST);
  weigh(first, LIMIT, `bytes gzip up to the first trial of ${name}`);
  weigh(filesFor(names, [...UNUSED, ...WHILE_PAGES_ARE_READ]), LIMIT_OF_ALL, "  with questionnaires of all kinds");
  const whole = filesFor(names, [...UNUSED, ...SOME_QUESTIONNAIRES]);
  if (whole.size > first.size) weigh(whole, LIMIT_OF_ALL, "  up to its first text, with what loads meanwhile");
}
if (isTooHeavy) process.exit(1);

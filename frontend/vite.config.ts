import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { ENGLISH } from "./src/languages/en";
import { writtenDown } from "./src/languages/written";

const folder = new URL("src/languages/", import.meta.url);
const languages = readdirSync(folder)
  .filter((name) => /^[a-z]{2}\.ts$/.test(name))
  .map((name) => `src/languages/${name}`);

/** `languages/<tag>.json`: the texts as data, by which the server checks what a study says instead of them. */
const textsForTheServer: Plugin = {
  name: "texts-for-the-server",
  generateBundle() {
    const english = JSON.stringify(writtenDown(ENGLISH), null, 2);
    this.emitFile({ type: "asset", fileName: "languages/en.json", source: `${english}\n` });
    for (const name of readdirSync(folder).filter((one) => one.endsWith(".json"))) {
      const source = readFileSync(new URL(name, folder));
      this.emitFile({ type: "asset", fileName: `languages/${name}`, source });
    }
  },
};

const TYPEFACE = new URL("node_modules/@fontsource/source-sans-3/", import.meta.url);

/** `fonts/source-sans-3.css` and its files under names that stay, for all pages but those of trials. Words that are on a
    page never move: a typeface that comes late is used from the next page on. */
const typeface: Plugin = {
  name: "typeface",
  generateBundle() {
    const declared = ["400", "600", "400-italic"].map((name) =>
      readFileSync(new URL(`${name}.css`, TYPEFACE), "utf-8"),
    );
    const source = declared
      .join("\n")
      .replaceAll(/,\s*url\([^)]*\.woff\) format\('woff'\)/g, "")
      .replaceAll("font-display: swap", "font-display: optional")
      .replaceAll("./files/", "./");
    this.emitFile({ type: "asset", fileName: "fonts/source-sans-3.css", source });
    for (const [, name] of source.matchAll(/url\(\.\/([^)]+)\)/g)) {
      this.emitFile({
        type: "asset",
        fileName: `fonts/${name}`,
        source: readFileSync(new URL(`files/${name}`, TYPEFACE)),
      });
    }
  },
};

const SHARED =
  /src\/(languages\/(data|messages|number)|page\/(page-config|sheet|blocks)|session\/(tabs|client-facts)|typing\/typed-by)\.ts$/;

export default defineConfig({
  base: "/static/",
  resolve: {
    alias: { "random-words": fileURLToPath(new URL("src/session/random-words.ts", import.meta.url)) },
  },
  plugins: [textsForTheServer, typeface],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    manifest: "manifest.json",
    target: "es2022",
    // Scripts are never inlined into pages and assets never into scripts: the content security policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: [
        "src/entries/landing.ts",
        "src/entries/runner.ts",
        "src/entries/coding.ts",
        "src/entries/report.ts",
        "src/entries/withdrawn.ts",
        "src/entries/wording.ts",
        ...languages,
        "src/page/styles.css",
      ],
      // What every page or nearly every session of a participant needs is one file: small files of their own weigh more.
      output: { codeSplitting: { groups: [{ name: "shared", test: SHARED }] } },
    },
  },
});

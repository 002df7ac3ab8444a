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

const SHARED =
  /src\/(languages\/(data|messages|number)|page\/(page-config|sheet|blocks)|session\/(tabs|client-facts)|typing\/typed-by)\.ts$/;

export default defineConfig({
  base: "/static/",
  resolve: {
    alias: { "random-words": fileURLToPath(new URL("src/session/random-words.ts", import.meta.url)) },
  },
  plugins: [textsForTheServer],
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

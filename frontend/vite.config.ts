import { defineConfig } from "vite";

export default defineConfig({
  base: "/static/",
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
        "src/languages/en.ts",
        "src/languages/de.ts",
        "src/page/styles.css",
      ],
    },
  },
});

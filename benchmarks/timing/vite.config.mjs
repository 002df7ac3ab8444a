// Builds the measuring page from the platform's own sources and the peer's published package.
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
const modules = fileURLToPath(new URL("../../frontend/node_modules/", import.meta.url));

export default {
  root,
  base: "/",
  resolve: {
    alias: {
      jspsych: `${modules}jspsych/dist/index.js`,
      "@jspsych/plugin-html-keyboard-response": `${modules}@jspsych/plugin-html-keyboard-response/dist/index.js`,
    },
  },
  build: { target: "es2022", emptyOutDir: true, assetsInlineLimit: 0 },
};

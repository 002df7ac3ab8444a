// Builds the peer's page from its published packages.
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
const modules = fileURLToPath(new URL("../../frontend/node_modules/", import.meta.url));

export default {
  root,
  base: "/benchmark/peer/",
  resolve: {
    alias: [
      { find: /^jspsych$/u, replacement: `${modules}jspsych/dist/index.js` },
      {
        find: "@jspsych/plugin-html-keyboard-response",
        replacement: `${modules}@jspsych/plugin-html-keyboard-response/dist/index.js`,
      },
    ],
  },
  build: { target: "es2022", emptyOutDir: true },
};

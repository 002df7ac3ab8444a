// Builds the page that shows displays by several mechanisms in turn.
import { fileURLToPath } from "node:url";

export default {
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  worker: { format: "es" },
  build: { target: "es2022", emptyOutDir: true },
};

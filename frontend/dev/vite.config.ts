import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { fakeServer } from "./server";

const root = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig(({ isPreview }) => ({
  root,
  base: isPreview ? "/static/" : "/",
  publicDir: false,
  build: { outDir: "dist" },
  plugins: [fakeServer()],
}));

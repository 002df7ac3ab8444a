import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { fakeServer } from "./server";

const root = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({ root, base: "/", publicDir: false, plugins: [fakeServer()] });

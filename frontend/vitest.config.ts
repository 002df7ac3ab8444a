import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { environment: "jsdom", include: ["src/**/*.spec.ts"], restoreMocks: true, setupFiles: ["src/test-setup.ts"] },
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// No test may fail because the machine is busy: limits only end what hangs.
const NEVER_REACHED = 120_000;

export default defineConfig({
  test: {
    environment: "jsdom",
    include: ["src/**/*.spec.ts"],
    restoreMocks: true,
    setupFiles: ["src/test-setup.ts"],
    testTimeout: NEVER_REACHED,
    hookTimeout: NEVER_REACHED,
    maxWorkers: 2 * availableParallelism(), // as many tests wait
  },
});

import { expect, test, vi } from "vitest";

test("a frame comes although a test has replaced the timers meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const frame = new Promise<number>((resolve) => requestAnimationFrame(resolve));
  vi.useRealTimers();
  expect(await frame).toBeGreaterThan(0);
});

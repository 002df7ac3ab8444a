import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Sleep } from "./sleep";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets time go by on both clocks, or on the wall alone, while no timer comes. */
function standStill(milliseconds: number, options: { readonly clockStands?: boolean } = {}): void {
  const [time, wall] = [performance.now(), Date.now()];
  vi.spyOn(performance, "now").mockReturnValue(options.clockStands ? time : time + milliseconds);
  vi.spyOn(Date, "now").mockReturnValue(wall + milliseconds);
}

test("a page whose timers come in time has not slept", () => {
  const sleep = new Sleep();
  sleep.reset();
  vi.advanceTimersByTime(60_000);
  expect(sleep.milliseconds).toBeNull();
});

test.each([{ clockStands: false }, { clockStands: true }])("a gap between two timers is a sleep (%j)", (options) => {
  const sleep = new Sleep();
  sleep.reset();
  standStill(8_000, options);
  expect(sleep.milliseconds).toBe(8_000);
  sleep.reset();
  expect(sleep.milliseconds).toBeNull();
});

test("a hidden page whose timers come late has not slept, and one that was frozen has", () => {
  const sleep = new Sleep();
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  standStill(60_000);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(sleep.milliseconds).toBeNull();
  document.dispatchEvent(new Event("freeze"));
  standStill(5_000);
  document.dispatchEvent(new Event("resume"));
  expect(sleep.milliseconds).toBe(5_000);
});

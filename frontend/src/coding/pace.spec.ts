import { describe, expect, test } from "vitest";
import { IDLE_AFTER_MS, Pace, Stopwatch } from "./pace";

function watch() {
  const clock = { now: 1000 };
  return { clock, stopwatch: new Stopwatch(() => clock.now) };
}

describe("the time that a text is looked at", () => {
  test("is counted while the watch runs, and from zero for the next text", () => {
    const { clock, stopwatch } = watch();
    stopwatch.start();
    clock.now += 4000;
    expect(stopwatch.take()).toBe(4);
    clock.now += 1500;
    expect(stopwatch.take()).toBe(1.5);
  });

  test("leaves a pause out", () => {
    const { clock, stopwatch } = watch();
    stopwatch.start();
    clock.now += 2000;
    stopwatch.stop();
    clock.now += 60_000;
    stopwatch.start();
    clock.now += 1000;
    expect(stopwatch.take()).toBe(3);
  });

  test("ends two minutes after the last sign of somebody", () => {
    const { clock, stopwatch } = watch();
    stopwatch.start();
    clock.now += 5000;
    stopwatch.sign();
    clock.now += 10 * IDLE_AFTER_MS;
    expect(stopwatch.isIdle).toBe(true);
    stopwatch.sign();
    clock.now += 2000;
    expect(stopwatch.take()).toBe((5000 + IDLE_AFTER_MS + 2000) / 1000);
  });
});

describe("pace", () => {
  test("is the median of the latest texts, once there are three", () => {
    const pace = new Pace();
    pace.add(4);
    pace.add(400);
    expect(pace.median).toBeNull();
    pace.add(6);
    expect(pace.median).toBe(6);
    pace.add(8);
    expect(pace.median).toBe(7);
    for (let text = 0; text < 20; text += 1) pace.add(3);
    expect(pace.median).toBe(3);
  });
});

import { describe, expect, test } from "vitest";
import { areaAt, type Box } from "./boxes";
import type { Reason } from "./params";
import { batchesOf, type PathEvent } from "./path";
import { ReadingRecord } from "./record";

const BANDS: readonly Box[] = [1, 2, 3].map((aoi) => ({ aoi, x: 0, y: 100 * (aoi - 1), width: 700, height: 100 }));
const LEAVES: readonly Reason[] = ["pointerleave", "blur", "visibilitychange", "resize", "print", "lifted"];
const WALKS = 200;

/** Numbers that are the same at every run. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Replays a path as the server does, from nothing but what was sent. */
function replayed(events: readonly PathEvent[], layouts: readonly (readonly Box[])[]): [number, number, number][] {
  const visits: [number, number, number][] = [];
  let boxes = layouts[0] ?? [];
  let open: { aoi: number; enter: number } | null = null;
  const go = (aoi: number, at: number) => {
    if (aoi === (open?.aoi ?? 0)) return;
    if (open !== null) visits.push([open.aoi, open.enter / 10, at / 10]);
    open = aoi === 0 ? null : { aoi, enter: at };
  };
  for (const event of events) {
    if (event.type === "leave") go(0, event.at);
    else if (event.type === "layout") boxes = layouts[event.index] ?? [];
    else if (event.type === "path") {
      let { at, x, y } = event;
      go(areaAt(boxes, x, y), at);
      for (let index = 0; index < event.steps.length; index += 3) {
        at += event.steps[index] ?? 0;
        x += event.steps[index + 1] ?? 0;
        y += event.steps[index + 2] ?? 0;
        go(areaAt(boxes, x, y), at);
      }
    }
  }
  return visits;
}

/** A pointer that wanders over the text and beyond, is interrupted, and finds the text laid out anew at times. */
function randomWalk(seed: number) {
  const chance = chances(seed);
  const record = new ReadingRecord({ withPath: true });
  const layouts: Box[][] = [[...BANDS]];
  const onset = 1_000 * chance();
  let time = onset;
  let x = 350;
  let y = -40;
  record.lay(BANDS, { time, index: 0 });
  for (let step = 0; step < 400; step += 1) {
    // Some inputs are late, as those of another device may be.
    time += chance() < 0.05 ? -3 * chance() : 40 * chance() ** 3;
    const what = chance();
    if (what < 0.02) {
      record.leave(time, LEAVES[Math.floor(chance() * LEAVES.length)] ?? "blur");
    } else if (what < 0.025) {
      record.leave(time, "resize");
      const height = 40 + Math.floor(60 * chance());
      layouts.push(BANDS.map((box) => ({ ...box, y: height * (box.aoi - 1), height })));
      record.lay(layouts.at(-1) ?? [], { time, index: layouts.length - 1 });
    } else {
      x += Math.round(60 * (chance() - 0.5));
      y = Math.max(-80, Math.min(380, y + Math.round(160 * (chance() - 0.5))));
      record.sample(time, { x, y, reason: "moved" });
      if (chance() < 0.7) record.shown();
    }
  }
  record.leave(time, "done");
  return { record, layouts, onset };
}

describe("the record of reading a text", () => {
  test("times count from the onset and are kept to a tenth of a millisecond", () => {
    const record = new ReadingRecord({ withPath: true });
    record.lay(BANDS, { time: 1000, index: 0 });
    record.sample(1500.123, { x: 10, y: 10, reason: "moved" });
    record.shown();
    record.sample(1508.2, { x: 13, y: 8, reason: "moved" });
    record.leave(1720.06, "pointerleave");
    expect(record.visits(1000)).toEqual([[1, 500.1, 720.1, "pointerleave"]]);
    expect(record.events(1000)).toEqual([
      { type: "path", at: 5001, x: 10, y: 10, steps: [81, 3, -2] },
      { type: "leave", at: 7201, reason: "pointerleave" },
    ]);
  });

  test("an input from just before the onset counts as at it", () => {
    const record = new ReadingRecord({ withPath: false });
    record.lay(BANDS, { time: 1000, index: 0 });
    record.sample(998, { x: 10, y: 10, reason: "moved" });
    record.leave(1400, "done");
    expect(record.visits(1000)).toEqual([[1, 0, 400, "done"]]);
  });

  test("keys open areas, and leave no path", () => {
    const record = new ReadingRecord({ withPath: true });
    record.lay(BANDS, { time: 0, index: 0 });
    record.choose(1, 10);
    record.shown();
    record.choose(2, 250);
    record.shown();
    record.leave(400, "escape");
    expect(record.visits(0)).toEqual([
      [1, 10, 250, "key"],
      [2, 250, 400, "escape"],
    ]);
  });

  test("the page moving under a resting pointer is told from a pointer that moves", () => {
    const record = new ReadingRecord({ withPath: false });
    record.lay(BANDS, { time: 0, index: 0 });
    record.sample(10, { x: 10, y: 90, reason: "moved" });
    record.shown();
    record.sample(20, { x: 10, y: 110, reason: "scrolled" });
    expect(record.visits(0)).toEqual([[1, 10, 20, "scrolled"]]);
  });

  test("whatever a pointer does, visits follow one another without overlap", () => {
    for (let seed = 0; seed < WALKS; seed += 1) {
      const { record, onset } = randomWalk(seed);
      let latest = 0;
      for (const [aoi, enter, leave] of record.visits(onset)) {
        expect([1, 2, 3]).toContain(aoi);
        expect(enter).toBeGreaterThanOrEqual(latest);
        expect(leave).toBeGreaterThanOrEqual(enter);
        latest = leave;
      }
      expect(record.open).toBe(0);
    }
  });

  test("whatever a pointer does, its path tells the very same visits", () => {
    let compared = 0;
    for (let seed = 0; seed < WALKS; seed += 1) {
      const { record, layouts, onset } = randomWalk(seed);
      const visits = record.visits(onset).map(([aoi, enter, leave]) => [aoi, enter, leave]);
      expect(replayed(batchesOf(record.events(onset)).flat(), layouts)).toEqual(visits);
      compared += visits.length;
    }
    expect(compared).toBeGreaterThan(WALKS * 20);
  });

  test("a long path travels in batches of at most 30 kB, none of which is empty", () => {
    const record = new ReadingRecord({ withPath: true });
    record.lay(BANDS, { time: 0, index: 0 });
    const chance = chances(7);
    for (let sample = 0; sample < 40_000; sample += 1) {
      record.sample(8.1 * sample, { x: Math.floor(700 * chance()), y: Math.floor(300 * chance()), reason: "moved" });
    }
    record.leave(400_000, "done");
    const batches = batchesOf(record.events(0));
    expect(batches.length).toBeGreaterThan(5);
    for (const batch of batches) {
      expect(JSON.stringify(batch).length).toBeLessThanOrEqual(31_000);
      expect(batch.length).toBeGreaterThan(0);
    }
    const whole = replayed(batches.flat(), [BANDS]);
    expect(whole.slice(0, 2_000)).toEqual(
      record
        .visits(0)
        .slice(0, 2_000)
        .map((visit) => visit.slice(0, 3)),
    );
  });

  test("a path that never ends is cut, and says so", () => {
    const record = new ReadingRecord({ withPath: true });
    record.lay(BANDS, { time: 0, index: 0 });
    for (let sample = 0; sample < 200_500; sample += 1) record.sample(sample, { x: sample % 2, y: 1, reason: "moved" });
    record.leave(300_000, "done");
    const events = record.events(0);
    expect(events.at(-1)).toEqual({ type: "path-full", at: 2_000_000 });
    expect(events.filter((event) => event.type === "leave")).toEqual([]);
    expect(record.visits(0)).toEqual([[1, 0, 300_000, "done"]]);
  });
});

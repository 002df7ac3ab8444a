import { describe, expect, test } from "vitest";
import { VisitLog } from "./visits";

function moved(log: VisitLog, aoi: number, time: number): void {
  log.at(aoi, { time, reason: "moved" });
  log.shown();
}

describe("the visits to the areas of a text", () => {
  test("a visit lasts from the entry to the leave, and going to another area ends one and begins the next", () => {
    const log = new VisitLog();
    moved(log, 1, 100);
    moved(log, 2, 350);
    moved(log, 0, 500);
    expect(log.visits).toEqual([
      { aoi: 1, enter: 100, leave: 350, reason: "moved" },
      { aoi: 2, enter: 350, leave: 500, reason: "moved" },
    ]);
    expect(log.open).toBe(0);
  });

  test("moving within an area changes nothing", () => {
    const log = new VisitLog();
    moved(log, 1, 100);
    moved(log, 1, 200);
    expect(log.visits).toEqual([]);
    expect(log.open).toBe(1);
  });

  test("an area that was left before the page could show it was only passed", () => {
    const log = new VisitLog();
    moved(log, 1, 100);
    log.at(2, { time: 110, reason: "moved" });
    log.at(3, { time: 112, reason: "moved" });
    log.shown();
    log.leave({ time: 300, reason: "pointerleave" });
    expect(log.visits.map((visit) => [visit.aoi, visit.reason])).toEqual([
      [1, "moved"],
      [2, "passed"],
      [3, "pointerleave"],
    ]);
  });

  test("leaving while nothing is open records nothing", () => {
    const log = new VisitLog();
    log.leave({ time: 5, reason: "blur" });
    expect(log.visits).toEqual([]);
  });

  test("a log that would never end is cut, and what is open is still known", () => {
    const log = new VisitLog();
    for (let time = 0; time < 5_000; time += 1) moved(log, 1 + (time % 2), time);
    expect(log.visits).toHaveLength(2_400);
    expect(log.open).toBe(2);
  });
});

import { describe, expect, test } from "vitest";
import { displayRecord, edgeOf } from "./edges";

const FRAME = 1000 / 60;

function drawn(changes: Partial<Parameters<typeof edgeOf>[0]> = {}) {
  return {
    frame: 1000,
    finished: 1001,
    following: [1000 + FRAME, 1000 + 2 * FRAME],
    painted: 1009 as number | null,
    identifier: "onset-1" as string | null,
    before: Number.POSITIVE_INFINITY,
    interval: FRAME,
    hasReports: true,
    usualLatency: 9,
    resolution: 0,
    ...changes,
  };
}

const unreported = { painted: null, hasReports: false, identifier: null, usualLatency: null };

describe("how sure an onset is", () => {
  test("a reported one is good for two milliseconds, and less where browsers round", () => {
    expect(edgeOf(drawn())).toMatchObject({ time: 1009, clock: "element-timing", error: 2, isDoubtful: false });
    expect(edgeOf(drawn({ resolution: 4 })).error).toBe(6);
  });

  test("where frames were held back just then it is doubtful, and the bound grows by as much", () => {
    const edge = edgeOf(drawn({ following: [1000 + FRAME, 1000 + 4 * FRAME] }));
    expect(edge.isDoubtful).toBe(true);
    expect(edge.error).toBeCloseTo(2 + 2 * FRAME, 6);
  });

  test("without reports it lies in the frame after the next tick, and the bound covers that frame", () => {
    const { time, error, isDoubtful } = edgeOf(drawn(unreported));
    expect(isDoubtful).toBe(false);
    expect(time - error).toBeLessThanOrEqual(1000 + FRAME);
    expect(time + error).toBeGreaterThanOrEqual(1000 + 2 * FRAME - 1e-6);
  });

  test("without reports a page that was drawn for more than a frame is shown after a later tick", () => {
    const quick = edgeOf(drawn(unreported)).time;
    const following = [1000 + 3 * FRAME, 1000 + 4 * FRAME];
    expect(edgeOf(drawn({ ...unreported, finished: 1040, following })).time).toBeCloseTo(quick + 2 * FRAME, 6);
  });

  test("without reports a page that became busy after drawing was shown in time, which is doubtful", () => {
    const edge = edgeOf(drawn({ ...unreported, following: [1050, 1066] }));
    expect(edge.time).toBeCloseTo(1000 + 1.2 * FRAME, 6);
    expect(edge.isDoubtful).toBe(true);
    expect(edge.time + edge.error).toBeGreaterThan(1050);
  });

  test("no onset follows the response", () => {
    expect(edgeOf(drawn({ ...unreported, before: 1012 })).time).toBe(1012);
  });

  test("a report that was due and did not come makes it doubtful", () => {
    expect(edgeOf(drawn({ painted: null }))).toMatchObject({ time: 1009, clock: "animation-frame", isDoubtful: true });
    expect(edgeOf(drawn({ painted: null, identifier: null })).isDoubtful).toBe(false);
  });
});

describe("what a display was", () => {
  function record(options: {
    readonly shown: number;
    readonly gone: number;
    readonly intended?: number;
    readonly frame?: number;
    readonly isDoubtful?: boolean;
    readonly dropped?: number;
  }) {
    const edge = (time: number) => ({
      time,
      frame: 1000,
      clock: "element-timing" as const,
      error: 2,
      isDoubtful: options.isDoubtful ?? false,
      lateFrames: 0,
    });
    return displayRecord({
      intended: options.intended ?? 500,
      shown: edge(options.shown),
      gone: edge(options.gone),
      dropped: options.dropped ?? 0,
      interval: options.frame ?? FRAME,
    });
  }

  test("a word that stays because its successor came late is longer, and flagged", () => {
    expect(record({ shown: 1009, gone: 1526 })).toMatchObject({ measured_ms: 517, doubtful: false, flagged: true });
  });

  test("one that came late itself and went in time is shorter, and flagged", () => {
    expect(record({ shown: 1026, gone: 1509 })).toMatchObject({ measured_ms: 483, flagged: true });
  });

  test("nothing that is off by more than half a frame is let pass", () => {
    for (let off = FRAME / 2 + 0.01; off < 3 * FRAME; off += 0.5) {
      expect(record({ shown: 1009, gone: 1509 + off }).flagged).toBe(true);
      expect(record({ shown: 1009, gone: 1509 - off }).flagged).toBe(true);
    }
  });

  test("what lasted as long as intended is not flagged", () => {
    expect(record({ shown: 1009, gone: 1509 }).flagged).toBe(false);
    expect(record({ shown: 1009, gone: 1513 }).flagged).toBe(false);
  });

  test.each([1000 * (37 / 75), 1000 * (38 / 75)])("at 75 Hz 500 ms cannot be met: %d ms are not flagged", (lasted) => {
    expect(record({ shown: 1000, gone: 1000 + lasted, frame: 1000 / 75 }).flagged).toBe(false);
  });

  test("what the browser cannot be sure of is flagged although its times are right", () => {
    expect(record({ shown: 1009, gone: 1509, isDoubtful: true })).toMatchObject({ doubtful: true, flagged: true });
  });
});

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

/** Numbers from 0 to 1 that are the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function edge(time: number, changes: Partial<Parameters<typeof displayRecord>[0]["shown"]> = {}) {
  const clock = "element-timing" as const;
  return { time, frame: 1000, clock, error: 2, isDoubtful: false, lateFrames: 0, ...changes };
}

describe("what a display was", () => {
  function record(options: {
    readonly shown: number;
    readonly gone: number;
    readonly intended?: number;
    readonly frame?: number;
    readonly isDoubtful?: boolean;
    readonly dropped?: number;
  }) {
    const isDoubtful = options.isDoubtful ?? false;
    return displayRecord({
      intended: options.intended ?? 500,
      shown: edge(options.shown, { isDoubtful }),
      gone: edge(options.gone, { isDoubtful }),
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

  test("a prime that was reported late, and what follows it not at all, lasted no negative time", () => {
    const sent = displayRecord({
      intended: 33,
      shown: edge(1060, { frame: 1000, lateFrames: 3 }),
      gone: edge(1033.4 + FRAME, { frame: 1033.4, clock: "animation-frame", lateFrames: null, isDoubtful: true }),
      dropped: 0,
      interval: 16.7,
    });
    expect(sent).toMatchObject({ shown_ms: 1060, gone_ms: 1060, measured_ms: 0, doubtful: true, flagged: true });
  });

  test("a display of one frame, and a press before what follows it was on the screen, is doubtful", () => {
    const interval = FRAME;
    const shown = edgeOf(drawn({ ...unreported, following: [1000 + FRAME, 1000 + 2 * FRAME] }));
    const frame = 1000 + FRAME;
    const following = [1000 + 2 * FRAME, 1000 + 3 * FRAME];
    const gone = edgeOf(drawn({ ...unreported, frame, finished: frame + 1, following, before: frame + 2 }));
    expect(gone.time).toBeLessThan(shown.time);
    const sent = displayRecord({
      intended: 17,
      shown: { ...shown, frame: 1000, lateFrames: null },
      gone: { ...gone, frame, lateFrames: null },
      dropped: 0,
      interval,
    });
    expect(sent).toMatchObject({ gone_ms: sent.shown_ms, measured_ms: 0, doubtful: true, flagged: true });
  });

  test("whatever the times are, the server takes what is sent of a display", () => {
    const random = randomNumbers(20261123);
    const between = (low: number, high: number) => low + random() * (high - low);
    let negative = 0;
    for (let round = 0; round < 4_000; round += 1) {
      const interval = between(3, 40);
      const frames = [between(0, 2000)];
      while (frames.length < 6) frames.push((frames.at(-1) as number) + interval * between(0.9, 2.5));
      const hasReports = random() < 0.7;
      const edges = [0, Math.floor(between(1, 4))].map((at, place) => {
        const frame = frames[at] as number;
        const painted = hasReports && random() < 0.6 ? frame + between(-1, 6) * interval : null;
        const found = edgeOf({
          frame,
          finished: frame + between(0, 2) * interval,
          following: frames.slice(at + 1, at + 3),
          painted,
          identifier: random() < 0.5 ? "onset-1" : null,
          before: place === 1 && random() < 0.5 ? frame + between(-1, 2) * interval : Number.POSITIVE_INFINITY,
          interval,
          hasReports,
          usualLatency: random() < 0.5 ? between(0, 40) : null,
          resolution: 0,
        });
        return { ...found, frame, lateFrames: painted === null ? null : Math.floor(between(0, 6)) };
      });
      const [shown, gone] = edges as [(typeof edges)[number], (typeof edges)[number]];
      const sent = displayRecord({ intended: between(5, 500), shown, gone, dropped: 0, interval });
      expect(Math.min(sent.measured_ms, sent.onset_ms, sent.offset_ms - sent.onset_ms)).toBeGreaterThanOrEqual(0);
      expect(sent.gone_ms).toBeGreaterThanOrEqual(sent.shown_ms);
      // A display that lasted nothing was none: its times cannot be right.
      if (sent.measured_ms === 0) expect(sent.doubtful && sent.flagged).toBe(true);
      negative += Number(sent.measured_ms === 0);
    }
    expect(negative).toBeGreaterThan(100);
  });

  test("what the browser cannot be sure of is flagged although its times are right", () => {
    expect(record({ shown: 1009, gone: 1509, isDoubtful: true })).toMatchObject({ doubtful: true, flagged: true });
  });
});

import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Area } from "./params";
import { payloadOf } from "./payload";
import { ReadingRecord } from "./record";
import { estimatedLayout } from "./simulated";

/** Bytes for a minute of reading. */
const LIMIT = 1_000;
const LIMIT_BY_WORDS = 3_500;
const TEXT =
  "Two masked men entered the branch of the savings bank in the main street shortly before noon. They threatened the " +
  "cashier with a pistol and demanded that she open the safe, although it was known to be empty on Mondays. A customer " +
  "who had hidden behind a pillar called the police, who caught both men at the next bus stop.";

function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** What is sent of reading the text once: words at about 250 ms, a fifth of the areas looked at again, some in passing. */
function readOnce(texts: readonly string[], seed: number): { json: string; minutes: number; visits: number } {
  const chance = chances(seed);
  const areas: Area[] = texts.map((text) => ({ text, words: text.split(" ").length, before: " " }));
  const arrangement = texts.length > 3 ? "flow" : "bands";
  const layout = estimatedLayout({ areas, arrangement, mask: "bar" });
  const record = new ReadingRecord({ withPath: false });
  record.lay(layout.boxes, { time: 0, index: 0 });
  let time = 700 + 300 * chance();
  const visit = (aoi: number, ms: number) => {
    const box = layout.boxes.find((one) => one.aoi === aoi);
    if (box === undefined) return;
    record.sample(time, { x: box.x, y: box.y, reason: "moved" });
    record.shown();
    time += ms;
  };
  for (const [index, area] of areas.entries()) {
    visit(index + 1, area.words * 250 * (0.4 + 1.2 * chance()));
    if (index === 0 || chance() > 0.2) continue;
    visit(index, area.words * 90 * (0.3 + chance()));
    visit(index + 1, area.words * 60 * (0.3 + chance()));
  }
  record.leave(time, "moved");
  const laid = { time: 0, layout, origin: [252, 286], viewport: [1280, 800], zoom: 1, dpr: 1 } as const;
  const outcome = {
    record,
    layouts: [laid],
    pauses: [],
    pointerType: "mouse",
    copyAttempts: 0,
    finished: time + 812.3,
  };
  const payload = payloadOf(outcome, {
    mode: "pointer",
    onset: 0,
    fontLoaded: true,
    frameInterval: 16.7,
    device: null,
    ratings: {},
    question: null,
  });
  return { json: JSON.stringify(payload), minutes: outcome.finished / 60_000, visits: record.visits(0).length };
}

/** Another text of the same length: gzip must not profit from the layout of a text that is read again. */
function shuffled(text: string, seed: number): string {
  const chance = chances(seed);
  return text
    .split(" ")
    .map((word) => ({ word, at: chance() }))
    .sort((one, other) => one.at - other.at)
    .map(({ word }) => word)
    .join(" ");
}

/** Over a session of texts, as they are sent and stored: gzipped together. */
function perMinute(areasOf: (text: string) => readonly string[]): { bytes: number; visitsPerMinute: number } {
  const readings = Array.from({ length: 16 }, (_, seed) => readOnce(areasOf(shuffled(TEXT, seed + 1)), seed + 1));
  const minutes = readings.reduce((sum, reading) => sum + reading.minutes, 0);
  const visits = readings.reduce((sum, reading) => sum + reading.visits, 0);
  const bytes = gzipSync(readings.map((reading) => reading.json).join("\n"), { level: 9 }).length;
  return { bytes: bytes / minutes, visitsPerMinute: visits / minutes };
}

function thirds(text: string): string[] {
  const words = text.split(" ");
  return [0, 1, 2].map((third) => words.slice(third * 19, third === 2 ? undefined : (third + 1) * 19).join(" "));
}

describe("the log of reading, without the path", () => {
  test("is at most 1 kB for a minute of reading by sentences", () => {
    expect(perMinute(thirds).bytes).toBeLessThanOrEqual(LIMIT);
  });

  test("is at most 1 kB for a whole text by sentences that is sent alone", () => {
    expect(gzipSync(readOnce(thirds(TEXT), 3).json, { level: 9 }).length).toBeLessThanOrEqual(LIMIT / 2);
  });

  test("stays near 3 kB for a minute by words, with more than 200 visits and a box for every word", () => {
    const { bytes, visitsPerMinute } = perMinute((text) => text.split(" "));
    expect(visitsPerMinute).toBeGreaterThan(200);
    expect(bytes).toBeLessThanOrEqual(LIMIT_BY_WORDS);
  });
});

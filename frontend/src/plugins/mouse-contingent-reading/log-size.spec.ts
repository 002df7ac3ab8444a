import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Layout, layOut, type MeasuredWord } from "./boxes";
import type { Area, Reason } from "./params";
import { payloadOf } from "./payload";
import { ReadingRecord } from "./record";
import { estimatedLayout } from "./simulated";

/** Bytes for a minute of reading. */
const LIMIT = 1_000;
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

interface Manner {
  /** Letters are of different widths, as in print. */
  readonly printed: boolean;
  /** The pointer crosses words on its way to the next line, leaves the text at times and goes back further. */
  readonly wandering: boolean;
}

interface Sent {
  readonly json: string;
  readonly minutes: number;
  readonly visits: number;
}

const LEAVES: readonly Reason[] = ["moved", "moved", "pointerleave", "blur"];
const PLAIN: Manner = { printed: false, wandering: false };
/** Thousandths of the size of the font, from a to z: those of a common sans serif. */
const WIDTHS = [
  504, 553, 456, 555, 496, 292, 504, 544, 246, 247, 495, 255, 829, 547, 542, 555, 555, 347, 419, 338, 544, 467, 719,
  446, 467, 425,
];

/** What is sent of reading the text once: words at about 250 ms, a fifth of the areas looked at again, some in passing. */
function readOnce(texts: readonly string[], seed: number, manner: Manner = PLAIN): Sent {
  const chance = chances(seed);
  const areas: Area[] = texts.map((text) => ({ text, words: text.split(" ").length, before: " " }));
  const arrangement = texts.length > 3 ? "flow" : "bands";
  const layout = manner.printed ? printedLayout(texts) : estimatedLayout({ areas, arrangement, mask: "bar" });
  const record = new ReadingRecord({ withPath: false });
  record.lay(layout.boxes, { time: 0, index: 0 });
  let time = 700 + 300 * chance();
  const boxOf = (aoi: number) => layout.boxes.find((one) => one.aoi === aoi);
  const visit = (aoi: number, ms: number, shown = true) => {
    const box = boxOf(aoi);
    if (box === undefined) return;
    record.sample(time, { x: box.x, y: box.y, reason: "moved" });
    if (shown) record.shown();
    time += ms;
  };
  const wander = (aoi: number) => {
    const here = boxOf(aoi)?.y;
    if (here !== boxOf(aoi - 1)?.y) {
      const line = layout.boxes.filter((box) => box.y === here && box.aoi > aoi).map((box) => box.aoi);
      for (const crossed of line.reverse()) if (chance() < 0.5) visit(crossed, 1 + 15 * chance(), false);
    }
    if (chance() < 0.03) {
      record.leave(time, LEAVES[Math.floor(LEAVES.length * chance())] ?? "blur");
      time += 200 + 3_000 * chance() ** 2;
    }
    const back = chance() < 0.06 ? 2 + Math.floor(3 * chance()) : 0;
    for (let to = aoi - 1; to > Math.max(0, aoi - back); to -= 1) visit(to, 80 * (0.3 + 2 * chance()));
  };
  for (const [index, area] of areas.entries()) {
    if (manner.wandering && index > 0) wander(index + 1);
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
    outOfView: [],
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

function printedLayout(texts: readonly string[]): Layout {
  const words: MeasuredWord[] = [];
  let left = 0;
  let line = 0;
  for (const [index, text] of texts.entries()) {
    const letters = [...text.toLowerCase()].map((letter) => WIDTHS[letter.charCodeAt(0) - 97] ?? 249);
    const width = (22 * letters.reduce((sum, letter) => sum + letter, 0)) / 1_000;
    if (left > 0 && left + width > 704) {
      left = 0;
      line += 1;
    }
    words.push({ aoi: index + 1, start: 0, end: text.length, line, left, right: left + width });
    left += width + 4.4;
  }
  const margin = { side: 28, top: 16 };
  return layOut(words, { texts, arrangement: "flow", mask: "bar", width: 760, lineHeight: 46, fontSize: 22, margin });
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
function perMinute(areasOf: (text: string) => readonly string[], manner: Manner = PLAIN) {
  const readings = Array.from({ length: 16 }, (_, seed) =>
    readOnce(areasOf(shuffled(TEXT, seed + 1)), seed + 1, manner),
  );
  const minutes = readings.reduce((sum, reading) => sum + reading.minutes, 0);
  const visits = readings.reduce((sum, reading) => sum + reading.visits, 0);
  const bytes = gzipSync(readings.map((reading) => reading.json).join("\n"), { level: 9 }).length;
  return { bytes: bytes / minutes, visitsPerMinute: visits / minutes };
}

function words(text: string): string[] {
  return text.split(" ");
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

  test.each([
    ["letters that are equally wide", { printed: false, wandering: false }],
    ["letters as in print", { printed: true, wandering: false }],
  ])("is at most 1 kB for a minute by words, with 280 visits and a box for every word: %s", (_what, manner) => {
    const { bytes, visitsPerMinute } = perMinute(words, manner);
    expect(visitsPerMinute).toBeGreaterThan(275);
    expect(bytes).toBeLessThanOrEqual(LIMIT);
  });

  test("holds 280 visits in 1 kB where the pointer wanders, crosses words and leaves the text", () => {
    const { bytes, visitsPerMinute } = perMinute(words, { printed: true, wandering: true });
    expect(visitsPerMinute).toBeGreaterThan(300);
    expect((280 * bytes) / visitsPerMinute).toBeLessThanOrEqual(LIMIT);
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { FakeWindow } from "../../timing/fake-window";
import { isInView } from "../../timing/view";
import { find, framesPass, press, showTrial } from "../trial-harness";
import SelfPacedReading from "./index";

const LINE = 46;
const WORDS_A_LINE = 2;
const TOP = 190;
const BELOW = 130;

let fake: FakeWindow;

afterEach(() => fake.restore());

/** Reads a text of so many words in a window, and says of each region where it stood and whether it was in the window. */
async function read(options: { words: number; height: number; window: string }) {
  const lines = Math.ceil(options.words / WORDS_A_LINE);
  const pageHeight = Math.max(options.height, TOP + lines * LINE + BELOW);
  const placeOf = new Map<Element, number>();
  fake = new FakeWindow({ width: 1280, height: options.height, pageHeight }, (element) => {
    const words = [...(element.parentElement?.querySelectorAll(":scope > .word") ?? [])];
    const place = words.indexOf(element);
    if (place < 0) return { left: 0, top: 0, right: 1280, bottom: pageHeight };
    placeOf.set(element, place);
    const top = TOP + LINE * Math.floor(place / WORDS_A_LINE);
    const left = 300 + 80 * (place % WORDS_A_LINE);
    return { left, top, right: left + 70, bottom: top + 30 };
  });
  const regions = Array.from({ length: options.words }, (_unused, index) => ({
    text: `word${index + 1}`,
    words: 1,
    before: index === 0 ? "" : " ",
  }));
  const params = { kind: "target", regions, window: options.window, question: null, index: 1, total: 1 };
  const keep = window.scrollTo;
  const { display, finished } = await showTrial(SelfPacedReading, params);
  // The harness takes scrolling away.
  window.scrollTo = keep;
  const offsets: number[] = [];
  const seen: boolean[] = [];
  const moves: number[] = [];
  for (let index = 0; index <= options.words; index += 1) {
    const before = fake.scrolled.length;
    press(document.body, " ");
    await framesPass(3);
    if (index === options.words) break;
    moves.push(fake.scrolled.length - before);
    offsets.push(fake.top);
    const shown = [...find(display, ".window").querySelectorAll(".word:not(.covered)")].at(-1);
    seen.push(shown?.textContent === `word${index + 1}` && isInView([shown]));
    // Nothing moves while it is read.
    const at = fake.scrolled.length;
    await framesPass(1);
    expect(fake.scrolled.length).toBe(at);
  }
  return { data: await finished, offsets, seen, moves };
}

function changesOf(offsets: readonly number[]): number[] {
  return offsets.flatMap((offset, index) => (index > 0 && offset !== offsets[index - 1] ? [index + 1] : []));
}

describe("a text that is longer than the window", () => {
  test.each([
    ["moving", 800],
    ["moving", 620],
    ["moving", 260],
    ["cumulative", 800],
    ["cumulative", 620],
    ["cumulative", 260],
  ])(
    "every region of a %s window is in a window of %d pixels at its onset",
    async (kind, height) => {
      const { data, offsets, seen } = await read({ words: 40, height, window: kind });
      expect(seen.every(Boolean)).toBe(true);
      expect(data.out_of_view).toBe(0);
      expect(data.payload).toMatchObject({ out_of_view: [] });
      // By whole lines, and only for the first word of a line.
      const steps = offsets.map((offset) => (offset - (offsets[0] as number)) / LINE);
      expect(steps.every((step) => Math.abs(step - Math.round(step)) < 1e-6)).toBe(true);
      const changes = changesOf(offsets);
      expect(changes.length).toBeGreaterThan(0);
      expect(changes.every((region) => region % WORDS_A_LINE === 1)).toBe(true);
      expect(data.payload.brought_into_view).toEqual(changes);
    },
    60_000,
  );

  test("a moving window goes on where it began, as on a new page; a cumulative one keeps what was read in sight", async () => {
    const moving = changesOf((await read({ words: 40, height: 800, window: "moving" })).offsets);
    fake.restore();
    const cumulative = await read({ words: 40, height: 800, window: "cumulative" });
    expect(moving.length).toBeLessThan(changesOf(cumulative.offsets).length);
    const steps = changesOf(cumulative.offsets).map((region) => {
      return (cumulative.offsets[region - 1] as number) - (cumulative.offsets[region - 2] as number);
    });
    expect(steps.every((step) => Math.abs(step - LINE) < 1e-6)).toBe(true);
  }, 60_000);

  test("a text that fits is not moved", async () => {
    const { data, offsets } = await read({ words: 8, height: 800, window: "moving" });
    expect(new Set(offsets)).toEqual(new Set([0]));
    expect(data.payload).toMatchObject({ out_of_view: [], brought_into_view: [] });
  }, 30_000);
});

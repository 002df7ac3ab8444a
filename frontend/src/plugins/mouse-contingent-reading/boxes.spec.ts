import { describe, expect, test } from "vitest";
import { areaAt, type Layout, type LayoutOptions, layOut, type MeasuredWord } from "./boxes";

const LETTER = 10.3;

/** Breaks lines as a browser would if all letters were equally wide. */
function measured(texts: readonly string[], options: { width: number; bands: boolean }): MeasuredWord[] {
  const words: MeasuredWord[] = [];
  let left = 0;
  let line = 0;
  for (const [index, text] of texts.entries()) {
    if (options.bands) {
      left = 0;
      line = 0;
    }
    for (const match of text.matchAll(/\S+/gu)) {
      const width = match[0].length * LETTER;
      if (left > 0 && left + width > options.width) {
        left = 0;
        line += 1;
      }
      const start = match.index;
      words.push({ aoi: index + 1, start, end: start + match[0].length, line, left, right: left + width });
      left += width + LETTER;
    }
  }
  return words;
}

function laidOut(texts: readonly string[], changes: Partial<LayoutOptions> = {}): Layout {
  const options: LayoutOptions = {
    texts,
    arrangement: "flow",
    mask: "bar",
    width: 400,
    lineHeight: 40,
    fontSize: 20,
    margin: { side: 20, top: 10 },
    ...changes,
  };
  const bands = options.arrangement === "bands";
  return layOut(measured(texts, { width: options.width - 40, bands }), options);
}

/** How often each pixel of the text is in a box. */
function coverage(layout: Layout): Set<number> {
  const counts = new Set<number>();
  for (let y = 0; y < layout.height; y += 1) {
    for (let x = 0; x < layout.width; x += 1) {
      const inside = layout.boxes.filter(
        (box) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height,
      );
      counts.add(inside.length);
    }
  }
  return counts;
}

const WORDS = "Two masked men entered the branch of the savings bank shortly before noon".split(" ");
const CLAUSES = ["Two masked men entered the branch", "of the savings bank", "shortly before noon"];
const SENTENCES = ["A robbery took place", "Two masked men entered the branch of the savings bank shortly before noon"];

describe("where the areas of a text lie", () => {
  test.each([
    ["words", WORDS, "flow"],
    ["clauses", CLAUSES, "flow"],
    ["sentences", SENTENCES, "bands"],
  ] as const)("%s tile the text: every place is in one box and no place in two", (_unit, texts, arrangement) => {
    expect(coverage(laidOut(texts, { arrangement }))).toEqual(new Set([1]));
  });

  test("boxes are whole pixels", () => {
    for (const box of laidOut(WORDS).boxes) {
      for (const length of [box.x, box.y, box.width, box.height]) expect(Number.isInteger(length)).toBe(true);
    }
  });

  test("a sentence has the full width of the text, with its line breaks inside one band", () => {
    const layout = laidOut(SENTENCES, { arrangement: "bands" });
    expect(layout.boxes.map((box) => [box.aoi, box.x, box.width])).toEqual([
      [1, 0, 400],
      [2, 0, 400],
    ]);
    expect(layout.parts.filter((part) => part.aoi === 2).length).toBeGreaterThan(1);
    for (const part of layout.parts) expect(areaAt(layout.boxes, part.left, part.top)).toBe(part.aoi);
  });

  test("under bars all bands are alike, whatever they hide", () => {
    const layout = laidOut(SENTENCES, { arrangement: "bands", mask: "bar" });
    expect(new Set(layout.boxes.map((box) => box.height)).size).toBe(1);
    expect(new Set(layout.bars.map((bar) => `${bar.width} ${bar.height}`)).size).toBe(1);
  });

  test("under dashes a band is as high as its own lines", () => {
    const layout = laidOut(SENTENCES, { arrangement: "bands", mask: "dashes" });
    const [short, long] = layout.boxes;
    expect(short?.height).toBe(40 + 2 * 10);
    expect(long?.height).toBeGreaterThan(short?.height ?? 0);
  });

  test("in a flow a bar covers each line from edge to edge, so that it tells no length", () => {
    const layout = laidOut(WORDS);
    expect(layout.bars).toHaveLength(layout.lines);
    for (const bar of layout.bars) expect([bar.x, bar.width]).toEqual([0, layout.width]);
  });

  test("neighbours share the space between them, and the last on a line reaches to the edge", () => {
    const layout = laidOut(["ab", "cd"], { width: 240 });
    expect(layout.boxes).toEqual([
      { aoi: 1, x: 0, y: 0, width: Math.round(2.5 * LETTER), height: 40 },
      { aoi: 2, x: Math.round(2.5 * LETTER), y: 0, width: 200 - Math.round(2.5 * LETTER), height: 40 },
    ]);
  });

  test("a clause that runs over the end of a line has a box on each line", () => {
    const layout = laidOut(CLAUSES);
    const first = layout.boxes.filter((box) => box.aoi === 1);
    expect(first.map((box) => box.y)).toEqual([0, 40].slice(0, first.length));
    const whole = layout.parts.filter((part) => part.aoi === 1).map((part) => part.text);
    expect(whole.join(" ")).toBe(CLAUSES[0]);
  });

  test("words that run from right to left tile as well", () => {
    const right = measured(["one two", "three four"], { width: 360, bands: false });
    const mirrored = right.map((word) => ({ ...word, left: 360 - word.right, right: 360 - word.left }));
    const layout = layOut(mirrored, {
      texts: ["one two", "three four"],
      arrangement: "flow",
      mask: "dashes",
      width: 400,
      lineHeight: 40,
      fontSize: 20,
      margin: { side: 20, top: 10 },
    });
    expect(coverage(layout)).toEqual(new Set([1]));
    expect(areaAt(layout.boxes, 359, 5)).toBe(1);
    expect(areaAt(layout.boxes, 0, 5)).toBe(2);
  });

  test("beside the text there is no area", () => {
    const { boxes, width, height } = laidOut(WORDS);
    const outside = [
      [-1, 5],
      [width, 5],
      [5, -1],
      [5, height],
    ] as const;
    for (const [x, y] of outside) expect(areaAt(boxes, x, y)).toBe(0);
  });
});

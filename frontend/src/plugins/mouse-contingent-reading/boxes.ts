/**
 * Where the areas of a text lie, computed from where its words were found. Pure. All lengths are whole CSS pixels from the
 * top left corner of the text, so that a recorded position falls into the same box wherever it is looked up again.
 */

import { type Direction, directionOf } from "../../page/direction";
import type { Arrangement, MaskName } from "./params";

export interface Box {
  readonly aoi: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A word, or the part of one that a line had room for, or that runs in one direction. */
export interface MeasuredWord {
  readonly aoi: number;
  /** Offsets in the text of its area. */
  readonly start: number;
  readonly end: number;
  /** From 0; counted within the area in bands, within the text in a flow. */
  readonly line: number;
  /** From the left edge of the lines, not rounded. */
  readonly left: number;
  readonly right: number;
  /** Where the text around it runs in both directions. */
  readonly dir?: Direction;
}

/** The part of an area on one line, and its position; a single word of it where lines run in both directions. */
export interface LinePart {
  readonly aoi: number;
  readonly text: string;
  readonly dir: Direction | undefined;
  readonly left: number;
  readonly top: number;
}

export interface WordPlace {
  readonly left: number;
  readonly width: number;
  readonly top: number;
}

export interface Layout {
  readonly dir: Direction;
  /** Of the text, all areas taken together. */
  readonly width: number;
  readonly height: number;
  readonly lineHeight: number;
  readonly fontSize: number;
  readonly lines: number;
  readonly boxes: readonly Box[];
  readonly parts: readonly LinePart[];
  readonly words: readonly WordPlace[];
  /** The bars that cover the text, all of the same size. */
  readonly bars: readonly Omit<Box, "aoi">[];
  /** White space around the text that belongs to no area. */
  readonly margin: Margin;
}

export interface LayoutOptions {
  readonly texts: readonly string[];
  readonly arrangement: Arrangement;
  readonly mask: MaskName;
  /** Margins included. */
  readonly width: number;
  readonly lineHeight: number;
  readonly fontSize: number;
  /** Beside the lines, and above and below them: inside each band, or around a flow. */
  readonly margin: Margin;
}

export interface Margin {
  readonly side: number;
  readonly top: number;
}

const BAR_SHARE = 0.42;

/** The number of the area at a place, 0 where there is none. */
export function areaAt(boxes: readonly Box[], x: number, y: number): number {
  for (const box of boxes) {
    if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height) return box.aoi;
  }
  return 0;
}

export function layOut(words: readonly MeasuredWord[], options: LayoutOptions): Layout {
  return options.arrangement === "bands" ? bands(words, options) : flow(words, options);
}

/** One full-width band per area. Under a bar all bands are equally high, or their height would tell the length of a text. */
function bands(words: readonly MeasuredWord[], options: LayoutOptions): Layout {
  const { texts, width, lineHeight, fontSize, mask, margin } = options;
  const counts = texts.map((_, index) => linesIn(words.filter((word) => word.aoi === index + 1)));
  const most = Math.max(1, ...counts);
  const boxes: Box[] = [];
  const parts: LinePart[] = [];
  const places: WordPlace[] = [];
  const bars: Omit<Box, "aoi">[] = [];
  let y = 0;
  for (const [index, own] of counts.entries()) {
    const aoi = index + 1;
    const height = (mask === "bar" ? most : own) * lineHeight + 2 * margin.top;
    const top = y + Math.floor((height - own * lineHeight) / 2);
    boxes.push({ aoi, x: 0, y, width, height });
    for (const line of lineGroups(words.filter((word) => word.aoi === aoi))) {
      const at = top + line.number * lineHeight;
      parts.push(...partsOf(line.words, texts, { left: margin.side, top: at }));
      places.push(...line.words.map((word) => placeOf(word, { left: margin.side, top: at })));
    }
    bars.push(barIn({ x: margin.side, y, width: width - 2 * margin.side, height }, lineHeight));
    y += height;
  }
  const lines = counts.reduce((sum, count) => sum + count, 0);
  const none = { side: 0, top: 0 };
  return {
    dir: directionOf(texts.join(" ")),
    width,
    height: y,
    lineHeight,
    fontSize,
    lines,
    boxes,
    parts,
    words: places,
    bars,
    margin: none,
  };
}

/** Areas run on in lines. Each part of a line reaches to the middle of the adjacent spaces, the outer ones to the edges. */
function flow(words: readonly MeasuredWord[], options: LayoutOptions): Layout {
  const { texts, lineHeight, fontSize, margin } = options;
  const width = options.width - 2 * margin.side;
  const boxes: Box[] = [];
  const parts: LinePart[] = [];
  const places: WordPlace[] = [];
  const bars: Omit<Box, "aoi">[] = [];
  const lines = lineGroups(words);
  for (const line of lines) {
    const y = line.number * lineHeight;
    const pieces = piecesOf(line.words);
    for (const [index, piece] of pieces.entries()) {
      const before = pieces[index - 1];
      const after = pieces[index + 1];
      const from = before === undefined ? 0 : middle(rightOf(before), leftOf(piece));
      const to = after === undefined ? width : middle(rightOf(piece), leftOf(after));
      boxes.push({ aoi: piece[0].aoi, x: from, y, width: to - from, height: lineHeight });
      parts.push(...partsOf(piece, texts, { left: 0, top: y }));
    }
    places.push(...line.words.map((word) => placeOf(word, { left: 0, top: y })));
    bars.push(barIn({ x: 0, y, width, height: lineHeight }, lineHeight));
  }
  const height = lines.length * lineHeight;
  return {
    dir: directionOf(texts.join(" ")),
    width,
    height,
    lineHeight,
    fontSize,
    lines: lines.length,
    boxes,
    parts,
    words: places,
    bars,
    margin,
  };
}

type Words = readonly [MeasuredWord, ...MeasuredWord[]];

function linesIn(words: readonly MeasuredWord[]): number {
  return Math.max(1, ...words.map((word) => word.line + 1));
}

function lineGroups(words: readonly MeasuredWord[]): { number: number; words: Words }[] {
  const groups = new Map<number, [MeasuredWord, ...MeasuredWord[]]>();
  for (const word of words) {
    const group = groups.get(word.line);
    if (group === undefined) groups.set(word.line, [word]);
    else group.push(word);
  }
  return [...groups]
    .map(([number, group]) => ({ number, words: group }))
    .sort((one, other) => one.number - other.number);
}

/**
 * The words of a line by area, from left to right; in a script that runs the other way that is from the last to the first.
 * Where a line runs in both directions, words of another area may stand between those of one.
 */
function piecesOf(words: Words): Words[] {
  const pieces: [MeasuredWord, ...MeasuredWord[]][] = [];
  for (const word of [...words].sort((one, other) => one.left - other.left)) {
    const last = pieces.at(-1);
    if (last !== undefined && last[0].aoi === word.aoi) last.push(word);
    else pieces.push([word]);
  }
  return pieces;
}

function leftOf(words: Words): number {
  return Math.min(...words.map((word) => word.left));
}

function rightOf(words: Words): number {
  return Math.max(...words.map((word) => word.right));
}

function middle(right: number, left: number): number {
  return Math.round((right + left) / 2);
}

function partsOf(
  words: Words,
  texts: readonly string[],
  at: { readonly left: number; readonly top: number },
): LinePart[] {
  const { aoi } = words[0];
  const groups: Words[] = words.some(({ dir }) => dir) ? words.map((word) => [word]) : [words];
  return groups.map((group) => {
    const start = Math.min(...group.map((word) => word.start));
    const end = Math.max(...group.map((word) => word.end));
    const text = (texts[aoi - 1] ?? "").slice(start, end);
    return { aoi, text, left: at.left + leftOf(group), top: at.top, dir: group[0].dir };
  });
}

function placeOf(word: MeasuredWord, at: { readonly left: number; readonly top: number }): WordPlace {
  return { left: at.left + word.left, width: word.right - word.left, top: at.top };
}

function barIn(space: Omit<Box, "aoi">, lineHeight: number): Omit<Box, "aoi"> {
  const height = Math.round(BAR_SHARE * lineHeight);
  return { ...space, y: space.y + Math.round((space.height - height) / 2), height };
}

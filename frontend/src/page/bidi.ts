/**
 * In which order the characters of a text stand on the screen, where it is written in both directions: asked of the browser,
 * which draws the plain text once where nobody sees it. Texts that are shown in boxes, word by word, are put in that order;
 * boxes by themselves all follow the direction of the text, and two English words of a Hebrew sentence would change places.
 */

import { graphemesOf } from "../languages/graphemes";
import { element } from "./blocks";
import { type Direction, directionAt } from "./direction";

/** Beyond that a text has been put together by control characters, and its order is left as it is. */
const DEEPEST = 8;

/** The level of every UTF-16 unit of one line of text. */
export function measuredLevels(text: string, dir: Direction): number[] {
  const units = unitsOf(text, dir);
  const inOrder = [...units.keys()].sort((one, other) => (units[one]?.middle ?? 0) - (units[other]?.middle ?? 0));
  const places: number[] = [];
  for (const [place, unit] of inOrder.entries()) places[unit] = place;
  const levels = levelsFrom(places, dir);
  return units.flatMap(({ length }, unit) => Array<number>(length).fill(levels[unit] ?? 0));
}

/** Levels, from the place of every character in the line, counted from the left from 0. Pure. */
export function levelsFrom(places: readonly number[], dir: Direction): number[] {
  const levels: number[] = [];
  fill(dir === "rtl" ? 1 : 0, { places, levels, from: 0, to: places.length });
  return levels;
}

interface Line {
  readonly places: readonly number[];
  readonly levels: number[];
  readonly from: number;
  readonly to: number;
}

function fill(level: number, { places, levels, from, to }: Line): void {
  const step = directionAt(level) === "rtl" ? -1 : 1;
  const own = places.slice(from, to).map((place) => step * place);
  const first = own.reduce((least, place) => Math.min(least, place), Number.POSITIVE_INFINITY);
  for (let at = from; at < to; ) {
    const due = first + at - from;
    // The shortest part that fills the places that are due; one character where it stands in the direction of the level.
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let end = at;
    do {
      const place = own[end - from] ?? due;
      least = Math.min(least, place);
      most = Math.max(most, place);
      end += 1;
    } while (end < to && !(least === due && most === due + end - at - 1));
    if (end === at + 1 || level >= DEEPEST) levels.push(...Array<number>(end - at).fill(level));
    else fill(level + 1, { places, levels, from: at, to: end });
    at = end;
  }
}

interface Unit {
  length: number;
  readonly middle: number;
}

/** The characters as people see them and where the browser puts each; what takes no room goes with the one before. */
function unitsOf(text: string, dir: Direction): Unit[] {
  const probe = element("span", { dir, "aria-hidden": "true" }, text);
  const { style } = probe;
  style.position = "fixed";
  style.visibility = "hidden";
  style.whiteSpace = "pre";
  document.body.append(probe);
  const units: Unit[] = [];
  const range = document.createRange();
  let at = 0;
  for (const { length } of graphemesOf(text)) {
    range.setStart(probe.firstChild as Node, at);
    range.setEnd(probe.firstChild as Node, at + length);
    // Where the direction changes, WebKit has a second box without width, at the other end of what runs the other way.
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
    const { left, width } = boxes[0] ?? { left: 0, width: 0 };
    const last = units.at(-1);
    if (width === 0 && last !== undefined) last.length += length;
    else units.push({ length, middle: left + width / 2 });
    at += length;
  }
  probe.remove();
  return units;
}

/**
 * Levels of what is written in both directions, as Unicode has them (UAX #9): even ones run from left to right, odd ones from
 * right to left, and a higher one stands within the lower one around it. What finds them is loaded where texts need it.
 */

import { type Direction, FROM_RIGHT } from "./direction";

/** What runs from left to right, unless it is of a script that does not. */
const FROM_LEFT = /[\p{L}\p{Nd}]/u;

export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly level: number;
}

let measure: ((text: string, dir: Direction) => readonly number[]) | null = null;

/** Loads what finds levels, if one of these texts, in parts, has any. A plugin asks for it in its `prepare`. */
export async function prepareLevels(texts: readonly unknown[]): Promise<void> {
  const whole = (parts: unknown) => (parts as readonly { readonly text: string }[]).map(({ text }) => text).join("");
  if (texts.some((parts) => runsBothWays(whole(parts)))) measure = (await import("./bidi")).measuredLevels;
}

/** The level of every UTF-16 unit of one line of a text; null where all of it runs in one direction. */
export function levelsOf(text: string, dir: Direction): readonly number[] | null {
  return measure !== null && runsBothWays(text) ? measure(text, dir) : null;
}

/** A part of a text, cut where the level changes. */
export function stretchesOf(levels: readonly number[], start: number, end: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = start; at < end; ) {
    const from = at;
    const level = levels[at] ?? 0;
    while (at < end && (levels[at] ?? 0) === level) at += 1;
    stretches.push({ start: from, end: at, level });
  }
  return stretches;
}

function runsBothWays(text: string): boolean {
  return (
    FROM_RIGHT.test(text) && [...text].some((character) => FROM_LEFT.test(character) && !FROM_RIGHT.test(character))
  );
}

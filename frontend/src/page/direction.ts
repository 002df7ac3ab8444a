/**
 * The direction of a text, from its own letters: it begins from the right where its first letter is of such a script, as
 * browsers read `dir="auto"`, or where most of its letters are, as in a Hebrew sentence that begins with a Latin name. The
 * server has the same rule; both are tested against tests/contract/directions.json.
 */

export type Direction = "rtl" | "ltr";

/** The ranges that Unicode keeps for scripts from right to left (UAX #9). Of what is in them, letters alone tell the direction. */
export const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Letters, and the marks by which an author says the direction of what follows. */
const STRONG = /[\p{L}\u200e\u200f\u061c]/gu;
const MARK_FROM_LEFT = "\u200e";
const MARK_FROM_RIGHT = "\u200f";

export function directionOf(text: string): Direction {
  const letters = text.match(STRONG) ?? [];
  const isFromRight = (letter = "") => letter === MARK_FROM_RIGHT || FROM_RIGHT.test(letter);
  if (letters[0] === MARK_FROM_LEFT) return "ltr";
  const fromRight = letters.filter((letter) => isFromRight(letter));
  return isFromRight(letters[0]) || 2 * fromRight.length > letters.length ? "rtl" : "ltr";
}

/** Whether a text has letters that give it a direction; what has none, as a number, takes that of its surroundings. */
export function hasDirection(text: string): boolean {
  return text.search(STRONG) >= 0;
}

/** The direction of a level of Unicode: even ones run from left to right. */
export function directionAt(level: number): Direction {
  return level % 2 === 1 ? "rtl" : "ltr";
}

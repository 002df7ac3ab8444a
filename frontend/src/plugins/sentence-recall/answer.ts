/** Reading the answer to a problem: the rule of the server, which refuses a payload that reads it otherwise. Pure. */

import { plainDigits } from "../../languages/digits";

/** Longer than any result, and short enough to stay in the field. */
export const LONGEST_ANSWER = 12;

// Keyboards and autocorrection write a minus in several ways.
const TYPED = /^[ \u00a0]*([-−–+]?) ?([0-9]{1,9})[ \u00a0]*$/;

/** The whole number that was typed, null where it is none. */
export function answerFrom(typed: string): number | null {
  const match = TYPED.exec(plainDigits(typed));
  if (match === null) return null;
  const number = Number(match[2]);
  const isNegative = match[1] !== "" && match[1] !== "+";
  return isNegative && number !== 0 ? -number : number;
}

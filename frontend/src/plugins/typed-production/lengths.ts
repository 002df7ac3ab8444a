/** How long an answer may be: the rule of the server, which refuses what breaks it. Pure. */

import { graphemesIn } from "../../languages/graphemes";
import type { Limits } from "./params";

export const MOST_CHARACTERS = 2_000;

export type LengthFault = "empty" | "several-words" | "too-short" | "too-long";

/** The words of a text, separated by blanks. */
function wordsIn(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}

/** Characters from the first to the last that is no blank. */
function charactersIn(text: string): number {
  return graphemesIn(text.trim());
}

/** What is wrong with an answer; null where nothing is. */
export function lengthFault(typed: string, limits: Limits): LengthFault | null {
  const words = wordsIn(typed);
  if (words.length === 0) return limits.may_be_empty ? null : "empty";
  if (limits.one_word && words.length > 1) return "several-words";
  const length = limits.length_unit === "words" ? words.length : charactersIn(typed);
  if (length < limits.minimum_length) return "too-short";
  if (limits.maximum_length > 0 && length > limits.maximum_length) return "too-long";
  return null;
}

/** The English texts, which are code, as the data that every other language is: for what reads texts without running them. */

import type { Text } from "./data";

const PLACES = ["{1}", "{2}", "{3}"] as const;

type Filled = (...values: readonly unknown[]) => string;

/** Values become `{1}`, `{2}`; a text that is another one for a count of 1 gets the forms `one` and `other`. */
export function writtenDown(text: unknown): Text {
  if (typeof text === "string") return text;
  if (typeof text === "function") return formsOf(text as Filled);
  return Object.fromEntries(Object.entries(text as object).map(([key, inner]) => [key, writtenDown(inner)]));
}

function formsOf(text: Filled): Text {
  const other = text(...PLACES);
  const one = text(1, ...PLACES.slice(1));
  return one === other.replaceAll("{1}", "1") ? other : { one, other };
}

/**
 * Reading a number that a participant typed. The server reads numbers by the same rules; both are tested against
 * tests/contract/numbers.json.
 *
 * One separator, point or comma, is the decimal separator in any position, because "1,125" is one and an eighth in
 * German and nobody can tell it from a thousand. More than one separator is therefore refused instead of guessed. Digits of
 * other scripts are digits.
 */

import { plainDigits } from "./digits";

const LONGEST_NUMBER = 30;

export type NumberRefusal =
  | "empty"
  | "too-long"
  | "negative"
  | "zero"
  | "exponent"
  | "several-separators"
  | "not-a-number";

export type NumberReading =
  | { readonly number: number; readonly reason: null }
  | { readonly number: null; readonly reason: NumberRefusal };

// No-break spaces, thin spaces, apostrophes and the Arabic separator are what people and keyboards put between thousands.
const GROUPED = /^\+?[0-9]+(?:[ \u00a0\u2009\u202f'’٬.,]+[0-9]+)+[.,]?$/u;
const PLAIN = /^\+? ?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)$/u;
const NEGATIVE = /^[-\u2212\u2013] ?[.,]?[0-9]/u;
const EXPONENT = /^\+?[0-9.,]+[eE][-+]?[0-9]+$/u;

export function readNumber(text: string, options: { readonly allowZero: boolean }): NumberReading {
  const typed = plainDigits(text.trim());
  if (typed === "") return refusal("empty");
  if (typed.length > LONGEST_NUMBER) return refusal("too-long");
  if (NEGATIVE.test(typed)) return refusal("negative");
  if (EXPONENT.test(typed)) return refusal("exponent");
  if (!PLAIN.test(typed)) return refusal(GROUPED.test(typed) ? "several-separators" : "not-a-number");
  const number = Number(typed.replace(/^\+ ?/u, "").replace(",", "."));
  if (!Number.isFinite(number)) return refusal("not-a-number");
  if (number === 0 && !options.allowZero) return refusal("zero");
  return { number, reason: null };
}

function refusal(reason: NumberRefusal): NumberReading {
  return { number: null, reason };
}

/** A number as people of a language write it, with every digit and without separators between thousands. */
export function writeNumber(number: number, language: string): string {
  const options = { useGrouping: false, maximumFractionDigits: 20 };
  try {
    return number.toLocaleString(language, options);
  } catch {
    // The tag is none that the browser takes.
    return number.toLocaleString("en", options);
  }
}

/**
 * Counting words: the rule of the server, which `tests/contract/words.json` holds both to. Pure.
 *
 * A word is a letter or number with all letters, numbers and combining marks that follow. One joiner between these and
 * another letter or number keeps them together (hyphens, apostrophes), between two digits a digit joiner does (3,000 or
 * 14:30). Invisible format characters are ignored, except the zero-width space, which is a space. Scripts that put no
 * spaces between words need marked regions, `因为|下雨，|他|没来`: each region with a letter or number is then one word.
 */

/** Apostrophes, hyphens, and the marks inside e.g., R&D, file_name, a@b.org, col·lecció, 100%ig, צה״ל. */
export const JOINERS = "'’‘＇-‐‑־._@&·%׳״";
/** Separators of thousands and decimals, of hours and minutes, of fractions; spaces that do not break. */
export const DIGIT_JOINERS = ",:/٫٬\u00a0\u2009\u202f";
/** The marks between regions; the second is the first as Chinese and Japanese keyboards write it. */
export const REGION_MARKS = "|｜";
/** Blocks of Unicode, first and last code point. */
export const SCRIPTS_WITHOUT_SPACES: readonly (readonly [number, number])[] = [
  [0x0e00, 0x0eff],
  [0x0f00, 0x0fff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x1950, 0x19df],
  [0x1a20, 0x1aaf],
  [0x1b00, 0x1b7f],
  [0x3005, 0x3007],
  [0x3040, 0x312f],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa980, 0xa9ff],
  [0xaa60, 0xaadf],
  [0xf900, 0xfaff],
  [0xff66, 0xff9f],
  [0x20000, 0x3ffff],
];

const PLAIN = String.raw`[\p{L}\p{N}](?:(?!\u200b)[\p{L}\p{N}\p{M}\p{Cf}])*`;
const WORD = new RegExp(
  `${PLAIN}(?:(?:[${escaped(JOINERS)}]|(?<=\\p{Nd})[${escaped(DIGIT_JOINERS)}](?=\\p{Nd}))${PLAIN})*`,
  "gu",
);
const FORMAT_AT_END = /\p{Cf}+$/u;
const BETWEEN_REGIONS = new RegExp(`[${escaped(REGION_MARKS)}]`, "u");

/** The text holds a word in a script without spaces, so its regions have to be marked. */
export class NeedsRegions extends Error {
  constructor(readonly word: string) {
    super(`"${word}" is written in a script without spaces between words, so its words have to be marked.`);
  }
}

/** The words of a text in order, without the punctuation around them. Throws NeedsRegions. */
export function splitWords(text: string, options: { readonly regions?: string | null } = {}): string[] {
  if (options.regions) return options.regions.split(BETWEEN_REGIONS).map(inner).filter(Boolean);
  const words = [...text.matchAll(WORD)].map(([found]) => found.replace(FORMAT_AT_END, ""));
  for (const word of words) if ([...word].some(isWithoutSpaces)) throw new NeedsRegions(word);
  return words;
}

/** A region from its first to its last word character, or an empty text where it holds no word. */
function inner(region: string): string {
  const found = [...region.matchAll(WORD)];
  const first = found[0];
  const last = found.at(-1);
  if (first === undefined || last === undefined) return "";
  return region.slice(first.index, last.index + last[0].replace(FORMAT_AT_END, "").length);
}

function isWithoutSpaces(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  return SCRIPTS_WITHOUT_SPACES.some(([first, last]) => first <= point && point <= last);
}

function escaped(characters: string): string {
  return characters.replace(/[-\\\]^/|.]/g, "\\$&");
}

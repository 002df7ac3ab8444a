/** Counting the characters that people see, by the rule of the server (`tests/contract/graphemes.json`). */

const segmenter = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

/** How many extended grapheme clusters a text has; code points, which are more, where the browser knows no clusters. */
export function graphemesIn(text: string): number {
  return [...(segmenter?.segment(text) ?? text)].length;
}

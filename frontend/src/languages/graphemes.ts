/** Counting the characters that people see, by the rule of the server (`tests/contract/graphemes.json`). */

const segmenter = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

/** The extended grapheme clusters of a text; code points, which are more, where the browser knows no clusters. */
export function graphemesOf(text: string): string[] {
  return segmenter === null ? [...text] : [...segmenter.segment(text)].map(({ segment }) => segment);
}

export function graphemesIn(text: string): number {
  return graphemesOf(text).length;
}

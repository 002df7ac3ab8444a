/** The texts of error spans. They are loaded only where errors are marked, as are those of every other language. */

export const english = {
  how: "Draw from the first word of an error to its last, or choose the first word and then the last. Then say how bad it is.",
  howByTouch: "Press the first word of an error, then its last. Then say how bad it is.",
  keys: "Arrow keys go from word to word, with Shift they choose several. 1 marks a minor error, 2 a major one, Delete removes.",
  words: "Words of the text",
  markAs: "The chosen words are",
  minor: "minor error",
  major: "major error",
  category: "Category",
  noCategory: "not named",
  remove: "Remove",
  marked: "Marked errors",
  nothing: "No error is marked.",
  removed: (words: string) => `No longer marked: ${words}`,
  score: "How good is the text as a whole?",
  overlap: "Some of these words belong to another error. Remove that one first, or choose other words.",
  none: "You have marked no error. If the text has none, go on once more.",
};

export type ErrorSpanMessages = typeof english;

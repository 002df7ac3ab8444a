/** The texts of the rating page. */

export const english = {
  textNamed: (letter: string) => `Text ${letter}`,
  theText: "Text",
  ratedNow: "to be rated now",
};

/** The texts of the rating page. */

const english = {
  textNamed: (letter: string) => `Text ${letter}`,
  theText: "Text",
  ratedNow: "to be rated now",
};

export type RatingPageMessages = typeof english;

const german: RatingPageMessages = {
  textNamed: (letter) => `Text ${letter}`,
  theText: "Text",
  ratedNow: "jetzt zu bewerten",
};

const LANGUAGES: Readonly<Record<string, RatingPageMessages>> = { en: english, de: german };

export function ratingPageMessagesIn(language: string): RatingPageMessages {
  return LANGUAGES[language.toLowerCase().split("-")[0] ?? "en"] ?? english;
}

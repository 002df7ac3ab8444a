/** The texts of rating questions. */

const english = {
  optional: "optional",
  notAnswered: "no answer yet",
  chooseAPoint: "Please choose a point on the scale.",
  touchTheSlider: "Please click on the line, or press an arrow key on it.",
  anyNumber: "Any number above 0, in proportion to your other numbers.",
  digitsAnswer: (most: number) => `Keys 1 to ${most} answer the marked question. Enter goes on.`,
};

export type RatingMessages = typeof english;

const german: RatingMessages = {
  optional: "freiwillig",
  notAnswered: "noch keine Antwort",
  chooseAPoint: "Bitte wählen Sie einen Punkt auf der Skala.",
  touchTheSlider: "Bitte klicken Sie auf die Linie, oder drücken Sie dort eine Pfeiltaste.",
  anyNumber: "Eine beliebige Zahl über 0, im Verhältnis zu Ihren anderen Zahlen.",
  digitsAnswer: (most) =>
    `Die Tasten 1 bis ${most} beantworten die markierte Frage. Mit der Eingabetaste geht es weiter.`,
};

const LANGUAGES: Readonly<Record<string, RatingMessages>> = { en: english, de: german };

export function ratingMessagesIn(language: string): RatingMessages {
  return LANGUAGES[language.toLowerCase().split("-")[0] ?? "en"] ?? english;
}

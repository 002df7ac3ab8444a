/** The texts of a comparison of sounds; what is not here is said as of texts. */

export const english = {
  textNamed: (number: number) => `Sound ${number}`,
  questions: {
    pair: "Which sound is better?",
    "best-worst": "Which sound is the best, and which the worst?",
    ranking: "Put the sounds in order, beginning with the best.",
  },
  better: "This one",
  best: "Best",
  worst: "Worst",
  incomplete: {
    pair: "Please choose one of the sounds.",
    "best-worst": "Please choose the best sound and the worst.",
    ranking: "Please put all sounds in order.",
  },
  keys: {
    pair: "Keys 1 and 2 choose. Enter goes on.",
    "best-worst": "The first digit chooses the best sound, the second the worst. Enter goes on.",
    ranking: "Digits choose sounds from the best to the worst; Backspace takes the last one back. Enter goes on.",
  },
  play: "Play",
  notHeard: "Please play every sound first.",
};

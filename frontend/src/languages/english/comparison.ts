/** The texts of the comparison page. */

export const english = {
  textNamed: (number: number) => `Text ${number}`,
  questions: {
    pair: "Which text is better?",
    "best-worst": "Which text is the best, and which the worst?",
    ranking: "Put the texts in order, beginning with the best.",
  },
  better: "This one",
  best: "Best",
  worst: "Worst",
  asNumber: (rank: number) => `Choose as number ${rank}`,
  rank: (rank: number) => `Number ${rank}`,
  noDifference: "No difference",
  incomplete: {
    pair: "Please choose one of the texts.",
    "best-worst": "Please choose the best text and the worst.",
    ranking: "Please put all texts in order.",
  },
  keys: {
    pair: "Keys 1 and 2 choose. Enter goes on.",
    "best-worst": "The first digit chooses the best text, the second the worst. Enter goes on.",
    ranking: "Digits choose texts from the best to the worst; Backspace takes the last one back. Enter goes on.",
  },
  keyOfNoDifference: "Key 0: no difference.",
};

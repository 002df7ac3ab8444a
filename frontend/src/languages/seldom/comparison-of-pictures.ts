/** The texts of a comparison of pictures without texts; what is not here is said as of texts. */

export const english = {
  textNamed: (number: number) => `Picture ${number}`,
  questions: {
    pair: "Which picture is better?",
    "best-worst": "Which picture is the best, and which the worst?",
    ranking: "Put the pictures in order, beginning with the best.",
  },
  better: "This one",
  best: "Best",
  worst: "Worst",
  incomplete: {
    pair: "Please choose one of the pictures.",
    "best-worst": "Please choose the best picture and the worst.",
    ranking: "Please put all pictures in order.",
  },
  keys: {
    pair: "Keys 1 and 2 choose. Enter goes on.",
    "best-worst": "The first digit chooses the best picture, the second the worst. Enter goes on.",
    ranking: "Digits choose pictures from the best to the worst; Backspace takes the last one back. Enter goes on.",
  },
};

/** The texts of the Maze task. */

export const english = {
  chooseByKeys: (left: string, right: string) => `Which word goes on? Key ${left}: left, key ${right}: right.`,
  chooseByTouch: (left: string, right: string) =>
    `Which word goes on? Key ${left}: left, key ${right}: right, or touch the word.`,
  touchTheWord: "Which word goes on? Touch it.",
  wordsToChoose: "The two words",
  endedByError: "That word does not go on with the sentence, so it ends here.",
  tryAgain: "That word does not go on with the sentence. Please choose again.",
  nextText: "Next sentence",
  onlyKeys: (left: string, right: string) => `Please choose with the keys ${left} and ${right} of a keyboard.`,
  answerWithKeys: (most: number) => `Answer with the keys 1 to ${most}, or click.`,
};

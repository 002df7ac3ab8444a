/** The texts of the typed production trial. */

export const english = {
  goOn: "Continue",
  prompts: {
    completion: "Please type what is missing.",
    continuation: "Please type how the text goes on.",
    association: "Please type the first thing that comes to mind.",
    naming: "What is this? Please type its name.",
    translation: "Please translate the text.",
    paraphrase: "Please say the same in other words.",
  },
  oneWord: "One word is enough.",
  finish: "Press Enter when you have finished.",
  nextField: "Enter leads to the next field.",
  gap: "Missing words",
  gapOf: (number: number, total: number) => `Gap ${number} of ${total}`,
  answerOf: (number: number, total: number) => `Answer ${number} of ${total}`,
  empty: "Please type an answer.",
  emptyAllowed:
    "You have not typed anything here. If anything comes to mind, please type it. If nothing does, press Enter once more.",
  nothing: "Nothing comes to mind",
  severalWords: "Please type one word only, without blanks.",
  tooShort: {
    words: (least: number) => `Please type at least ${least} words.`,
    characters: (least: number) => `Please type at least ${least} characters.`,
  },
  tooLong: {
    words: (most: number) =>
      most === 1 ? "Please type no more than one word." : `Please type no more than ${most} words.`,
    characters: (most: number) =>
      most === 1 ? "Please type no more than one character." : `Please type no more than ${most} characters.`,
  },
  pasteRefused: "Nothing can be pasted here. Please type your answer.",
  copyRefused: "Nothing can be copied here. Please go on by typing.",
};

/** The texts of questionnaires beyond those that every page has. */

export const english = {
  optional: "optional",
  statementNeeded: "Please tick this box to go on.",
  chooseOne: "Please choose at least one answer.",
  numberFrom: (low: string, high: string) => `Please write a number from ${low} to ${high}.`,
  numberAtLeast: (low: string) => `Please write a number of at least ${low}.`,
  numberAtMost: (high: string) => `Please write a number of at most ${high}.`,
  yearNeeded: (first: number, last: number) => `Please write a year with four digits, from ${first} to ${last}.`,
};

/** The texts of rating questions. */

export const english = {
  optional: "optional",
  notAnswered: "no answer yet",
  chooseAPoint: "Please choose a point on the scale.",
  touchTheSlider: "Please click on the line, or press an arrow key on it.",
  anyNumber: "Any number above 0, in proportion to your other numbers.",
  digitsAnswer: (most: number) => `Keys 1 to ${most} answer the marked question. Enter goes on.`,
};

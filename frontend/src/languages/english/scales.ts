/** The texts of questions on scales. */

export const english = {
  chooseAPoint: "Please choose a point.",
  chooseEveryPoint: (missing: number) =>
    missing === 1 ? "One line has no answer yet." : `${missing} lines have no answer yet.`,
  touchTheSlider: "Please click on the line, or press an arrow key on it.",
  notAnswered: "no answer yet",
};

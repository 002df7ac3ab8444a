/** The texts of a timed choice. */

export const english = {
  answers: "Answers",
  right: "Right",
  wrong: "Wrong",
  tooLate: "Too late",
  keys: { space: "space bar", left: "←", right: "→", up: "↑", down: "↓" } as Readonly<Record<string, string>>,
};

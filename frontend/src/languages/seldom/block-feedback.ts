/** What a break says of the trials since the last one. */

export const english = {
  counting: "One moment",
  practiceHeading: "End of the practice",
  endHeading: "How it went",
  right: (percent: string) => `Right answers: ${percent} %`,
  time: (seconds: string) => `Mean time of an answer: ${seconds} s`,
  again: "Please practise once more.",
  over: "The practice is over. Now it begins.",
};

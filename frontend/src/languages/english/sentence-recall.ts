/** The texts of the sentence recall trial. */

export const english = {
  fullScreenHeading: "The whole screen",
  fullScreenText: "This part is shown on the whole screen, so that nothing else is in view.",
  fullScreenAgain: "You have left the whole screen. Please go back to it; the study then goes on.",
  fullScreenRefused: "The browser did not switch to the whole screen. Please try once more.",
  fullScreenImpossible: "The browser does not switch to the whole screen. You can go on without it.",
  fullScreenButton: "Use the whole screen",
  goOn: "Continue",

  problemPrompt: "Please work out the result and type it.",
  answerEmpty: "Please type the result.",
  answerNotWhole: "Please type a whole number in digits, with a minus sign in front if the result is below 0.",
  right: "That is right.",
  wrong: "That is not right.",
  timeOver: "The time for this problem was over.",
  pressEnter: "Press Enter to go on.",

  recallPrompt: "Please type the sentence as you remember it.",
  recallHow: "Press Enter when you have finished.",
  recallEmpty:
    "You have not typed anything. If you recall anything at all, please type it. If you recall nothing, press Enter once more.",
  recallNothing: "I recall nothing",
  pasteRefused: "Nothing can be pasted here. Please type what you remember.",
  copyRefused: "Nothing can be copied here. Please go on by typing.",
};

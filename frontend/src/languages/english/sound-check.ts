/** The texts of the sound check. */

export const english = {
  checkHeading: "Can you hear?",
  checkText: "You hear a few tones. Count them. Please use headphones if you have any, and set a comfortable volume.",
  checkPlay: "Play the tones",
  checkQuestion: "How many tones did you hear?",
  checkNone: "I hear nothing",
  checkWrong: "That was not the number. Turn the volume up, or put on headphones, and listen to other tones.",
  checkNotPlayed: "The browser played nothing. Please press the button once more.",
};

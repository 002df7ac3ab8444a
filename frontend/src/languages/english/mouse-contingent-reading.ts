/** The texts of the reading trial. */

export type DeviceName = "mouse" | "touchpad" | "trackball" | "pen" | "touchscreen" | "keyboard" | "other";
export type HandName = "right" | "left" | "both" | "undisclosed";

export const english = {
  start: "Start",
  go: "Continue",
  done: "Done",
  textLabel: "The text, covered",
  fullScreenHeading: "The whole screen",
  fullScreenText: "This part is shown on the whole screen, so that nothing else is in view.",
  fullScreenButton: "Use the whole screen",

  deviceHeading: "How you point",
  deviceText: "This helps to understand the times of reading. It is asked only once.",
  deviceQuestion: "What do you use to move the pointer?",
  devices: {
    mouse: "A mouse",
    touchpad: "A touch pad",
    trackball: "A trackball or pointing stick",
    pen: "A pen",
    touchscreen: "A finger on the screen",
    keyboard: "Only the keyboard",
    other: "Something else",
  } satisfies Record<DeviceName, string>,
  handQuestion: "Which hand do you use for that?",
  hands: {
    right: "The right hand",
    left: "The left hand",
    both: "Both, or changing hands",
    undisclosed: "Prefer not to say",
  } satisfies Record<HandName, string>,
  pleaseChoose: "Please choose one.",

  startWith: {
    pointer: "Press Start, then move the pointer over the text. Only what is under it can be read.",
    drag: "Press Start, then move a finger over the text. Only what is under it can be read.",
    keyboard: "Without a mouse: Tab to Start, Enter, then read with the arrow keys.",
  },
  notThisWay: {
    pointer: "This study cannot be read with a mouse or touch pad.",
    drag: "This study cannot be read by touch. Please press Start with a mouse or touch pad.",
    keyboard: "This study cannot be read with the keyboard. Please press Start with a mouse or touch pad.",
  },
  readWith: {
    pointer: "Press Done below the text when you have read it.",
    drag: "Press Done below the text when you have read it.",
    keyboard: "Arrow keys show the next or the previous part, Escape covers it. Tab leads to Done.",
  },
  away: "The text is covered because you were on another page. Click on this page to go on.",
  paused: "The window has changed, so the text was covered and laid out again. Press Continue to go on.",
  leftFullScreen: "You have left the whole screen, so the text was covered. Press Continue to go on.",

  refusedHeading: "This study needs a mouse or a touch pad",
  refusedText:
    "The text is read by moving a pointer over it, and this device has none. Your answers so far are saved. Please open the same link on a computer with a mouse or a touch pad, or connect one here: this page then goes on by itself.",

  questionHeading: "A question about the text",
};

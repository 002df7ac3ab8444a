/** The texts of the reading trial. */

import type { Mode } from "./params";

export type DeviceName = "mouse" | "touchpad" | "trackball" | "pen" | "touchscreen" | "keyboard" | "other";
export type HandName = "right" | "left" | "both" | "undisclosed";

const english = {
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
  } satisfies Record<Mode, string>,
  notThisWay: {
    pointer: "This study cannot be read with a mouse or touch pad.",
    drag: "This study cannot be read by touch. Please press Start with a mouse or touch pad.",
    keyboard: "This study cannot be read with the keyboard. Please press Start with a mouse or touch pad.",
  } satisfies Record<Mode, string>,
  readWith: {
    pointer: "Press Done below the text when you have read it.",
    drag: "Press Done below the text when you have read it.",
    keyboard: "Arrow keys show the next or the previous part, Escape covers it. Tab leads to Done.",
  } satisfies Record<Mode, string>,
  away: "The text is covered because you were on another page. Click on this page to go on.",
  paused: "The window has changed, so the text was covered and laid out again. Press Continue to go on.",
  leftFullScreen: "You have left the whole screen, so the text was covered. Press Continue to go on.",

  refusedHeading: "This study needs a mouse or a touch pad",
  refusedText:
    "The text is read by moving a pointer over it, and this device has none. Your answers so far are saved. Please open the same link on a computer with a mouse or a touch pad, or connect one here: this page then goes on by itself.",

  questionHeading: "A question about the text",
};

export type ReadingMessages = typeof english;

const german: ReadingMessages = {
  start: "Start",
  go: "Weiter",
  done: "Fertig",
  textLabel: "Der Text, verdeckt",
  fullScreenHeading: "Der ganze Bildschirm",
  fullScreenText: "Dieser Teil nutzt den ganzen Bildschirm, damit nichts anderes zu sehen ist.",
  fullScreenButton: "Ganzen Bildschirm nutzen",

  deviceHeading: "Womit Sie zeigen",
  deviceText: "Das hilft, die Lesezeiten zu verstehen. Es wird nur einmal gefragt.",
  deviceQuestion: "Womit bewegen Sie den Mauszeiger?",
  devices: {
    mouse: "Mit einer Maus",
    touchpad: "Mit einem Touchpad",
    trackball: "Mit einem Trackball oder Trackpoint",
    pen: "Mit einem Stift",
    touchscreen: "Mit dem Finger auf dem Bildschirm",
    keyboard: "Nur mit der Tastatur",
    other: "Mit etwas anderem",
  },
  handQuestion: "Welche Hand benutzen Sie dafür?",
  hands: {
    right: "Die rechte Hand",
    left: "Die linke Hand",
    both: "Beide oder abwechselnd",
    undisclosed: "Keine Angabe",
  },
  pleaseChoose: "Bitte wählen Sie eine Antwort.",

  startWith: {
    pointer:
      "Drücken Sie auf Start und bewegen Sie dann den Mauszeiger über den Text. Nur was darunter liegt, ist zu lesen.",
    drag: "Tippen Sie auf Start und fahren Sie dann mit dem Finger über den Text. Nur was darunter liegt, ist zu lesen.",
    keyboard: "Ohne Maus: mit Tab zu Start, Eingabetaste, dann mit den Pfeiltasten lesen.",
  },
  notThisWay: {
    pointer: "Diese Studie kann nicht mit Maus oder Touchpad gelesen werden.",
    drag: "Diese Studie kann nicht mit dem Finger gelesen werden. Bitte drücken Sie mit Maus oder Touchpad auf Start.",
    keyboard:
      "Diese Studie kann nicht mit der Tastatur gelesen werden. Bitte drücken Sie mit Maus oder Touchpad auf Start.",
  },
  readWith: {
    pointer: "Drücken Sie unter dem Text auf Fertig, wenn Sie ihn gelesen haben.",
    drag: "Tippen Sie unter dem Text auf Fertig, wenn Sie ihn gelesen haben.",
    keyboard: "Pfeiltasten zeigen die nächste oder die vorige Stelle, Escape verdeckt sie. Tab führt zu Fertig.",
  },
  away: "Der Text ist verdeckt, weil Sie auf einer anderen Seite waren. Klicken Sie auf diese Seite, um weiterzulesen.",
  paused:
    "Das Fenster hat sich geändert. Deshalb wurde der Text verdeckt und neu gesetzt. Drücken Sie auf Weiter, um weiterzulesen.",
  leftFullScreen:
    "Sie haben den Vollbildmodus verlassen. Deshalb wurde der Text verdeckt. Drücken Sie auf Weiter, um weiterzulesen.",

  refusedHeading: "Diese Studie braucht eine Maus oder ein Touchpad",
  refusedText:
    "Der Text wird gelesen, indem ein Zeiger über ihn bewegt wird, und dieses Gerät hat keinen. Ihre bisherigen Antworten sind gespeichert. Bitte öffnen Sie denselben Link an einem Computer mit Maus oder Touchpad, oder schließen Sie hier eine Maus an: Die Seite geht dann von selbst weiter.",

  questionHeading: "Eine Frage zum Text",
};

const LANGUAGES: Record<string, ReadingMessages> = { en: english, de: german };

/** Texts in the language of a tag such as "de" or "de-AT"; English where there is no translation. */
export function readingMessagesIn(language: string): ReadingMessages {
  return LANGUAGES[language.toLowerCase().split("-")[0] ?? "en"] ?? english;
}

/** The texts of the sentence recall trial. */

const english = {
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

export type RecallMessages = typeof english;

const german: RecallMessages = {
  fullScreenHeading: "Der ganze Bildschirm",
  fullScreenText: "Dieser Teil nutzt den ganzen Bildschirm, damit nichts anderes zu sehen ist.",
  fullScreenAgain: "Sie haben den Vollbildmodus verlassen. Bitte kehren Sie zurück; dann geht die Studie weiter.",
  fullScreenRefused: "Der Browser hat nicht auf Vollbild umgeschaltet. Bitte versuchen Sie es noch einmal.",
  fullScreenImpossible: "Der Browser schaltet nicht auf Vollbild um. Sie können ohne Vollbild weitermachen.",
  fullScreenButton: "Ganzen Bildschirm nutzen",
  goOn: "Weiter",

  problemPrompt: "Bitte rechnen Sie und tippen Sie das Ergebnis.",
  answerEmpty: "Bitte tippen Sie das Ergebnis.",
  answerNotWhole:
    "Bitte tippen Sie eine ganze Zahl in Ziffern, mit einem Minus davor, wenn das Ergebnis unter 0 liegt.",
  right: "Das ist richtig.",
  wrong: "Das ist nicht richtig.",
  timeOver: "Die Zeit für diese Aufgabe war um.",
  pressEnter: "Mit der Eingabetaste geht es weiter.",

  recallPrompt: "Bitte tippen Sie den Satz so, wie Sie ihn in Erinnerung haben.",
  recallHow: "Drücken Sie die Eingabetaste, wenn Sie fertig sind.",
  recallEmpty:
    "Sie haben nichts getippt. Wenn Sie sich an irgendetwas erinnern, tippen Sie es bitte. Wenn Sie sich an nichts erinnern, drücken Sie noch einmal die Eingabetaste.",
  recallNothing: "Ich erinnere mich an nichts",
  pasteRefused: "Hier kann nichts eingefügt werden. Bitte tippen Sie, woran Sie sich erinnern.",
  copyRefused: "Hier kann nichts kopiert werden. Bitte machen Sie mit Tippen weiter.",
};

const LANGUAGES: Record<string, RecallMessages> = { en: english, de: german };

/** Texts in the language of a tag such as "de" or "de-AT"; English where there is no translation. */
export function recallMessagesIn(language: string): RecallMessages {
  return LANGUAGES[language.toLowerCase().split("-")[0] ?? "en"] ?? english;
}

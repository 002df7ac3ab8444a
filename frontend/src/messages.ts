/**
 * Every text of the interface, in every language. The English texts define the keys: a key that another language lacks
 * fails the type check.
 */

import type { NumberRefusal } from "./number";

const english = {
  next: "Continue",
  back: "Back",
  submit: "Continue",
  again: "Try again",
  reload: "Load the page again",
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  trialOf: (index: number, total: number) => `${index} of ${total}`,
  progress: "Progress",
  loading: "One moment",

  numberRefused: {
    empty: "Please type a number.",
    "too-long": "That number is too long. Please use at most 30 characters.",
    negative: "That is a negative number. Please use any number above 0.",
    zero: "Zero cannot be used here. Please use any number above 0; it may be as small as you like.",
    exponent: "Please write the number out in full, without an exponent.",
    "several-separators":
      "Please write large numbers without separators, for example 1000, and use one point or comma for decimals.",
    "not-a-number": "That is not a number. Please use digits, with a point or a comma for decimals.",
  } satisfies Record<NumberRefusal, string>,
  negativeZeroAllowed: "That is a negative number. Please use 0 or any number above it.",
  keptWhatYouTyped: "What you typed is still there.",

  modulusHeading: "The reference sentence",
  modulusPrompt: "Give this sentence a number for how acceptable it is. Choose any number above 0.",
  modulusLabel: "Reference sentence",
  yourNumber: "Your number",
  targetPrompt: "How acceptable is this sentence, compared with the reference sentence?",
  practice: "Practice",
  lineHeading: "Practice with lines",
  linePrompt: "How long is the lower line, compared with the upper line?",
  lineReference: "Reference line",
  lineTarget: "Line to judge",
  lineNumberIs: (number: string) => `The upper line has the number ${number}.`,

  questionsHeading: "About you",
  preferNotToSay: "Prefer not to say",
  pleaseChoose: "Please choose",
  answerOrDecline: "Please answer, or choose “Prefer not to say”.",
  answerNeeded: "This answer is needed to take part.",
  numberNeeded: "Please write a number in digits.",

  breakHeading: "Time for a break",
  breakDone: (done: number, total: number) => `You have answered ${done} of ${total}. Your answers are saved.`,
  breakHow: "Take as long as you need. Press Enter or the button to go on.",
  readInstructionsAgain: "Read the instructions again",
  hideInstructions: "Hide the instructions",

  offline: "offline – saved on this computer",
  retrying: "connecting – saved on this computer",

  openingHeading: "Connecting",
  openingText: "The server cannot be reached at the moment. This page keeps trying; nothing has been lost.",
  uploadingHeading: "Sending your answers",
  uploadingText: (count: number) =>
    count === 1
      ? "1 item is still to be sent. Please keep this page open."
      : `${count} items are still to be sent. Please keep this page open.`,
  uploadingOffline: "Your answers are saved on this computer and will be sent when you are online again.",
  finishing: "Your answers have arrived. One moment.",

  thanksHeading: "Thank you for taking part",
  thanksText: "All your answers have arrived and are stored.",
  completionCode: "Your completion code",
  returnLink: "Go back and finish",
  copy: "Copy",
  copied: "Copied",
  withdrawalCode: "Your withdrawal code",
  withdrawalText: "Keep this code. With it you can have your answers erased later, without giving a reason.",
  withdrawalLink: "Page for withdrawing",
  contact: "Questions about this study",
  mayClose: "You may now close this page.",

  otherTabHeading: "This study is open in another tab",
  otherTabText:
    "To keep your answers in order, the study runs in one tab at a time. Please go on in the other tab, or close it: this page then continues by itself.",
  otherDeviceHeading: "This study is open on another device",
  otherDeviceText:
    "The study was used on another device or in another browser a moment ago. If that was you, you can go on here; the other page then stops.",
  goOnHere: "Go on here",
  leaseLostHeading: "The study goes on elsewhere",
  leaseLostText:
    "This study was opened on another device or in another browser, so it stops here. Every answer you gave here is saved. You can close this page.",
  noSessionHeading: "There is nothing to continue here",
  noSessionText: "This browser holds no running session for this study. You can start from the study's first page.",
  toLanding: "To the first page",
  endedHeading: "This session has ended",
  endedText:
    "This study has to be done in one go and cannot be continued after an interruption. The answers you gave were kept. Please contact the person responsible if you have questions.",
  notRunningHeading: "This study cannot be continued now",
  storageHeading: "Your answers cannot be saved on this computer",
  storageText:
    "This browser does not let the page store anything, perhaps because it is in private mode or the disk is full. Nothing has been lost. Please open the study in a normal window, or make room, and load the page again.",
  storageWaiting: "This answer could not be saved on this computer. It is being sent before the study goes on.",
  stuckHeading: "Some answers could not be accepted",
  stuckText: (count: number) =>
    `${count === 1 ? "1 answer" : `${count} answers`} could not be accepted by the server. They are kept on this computer. Please leave the page as it is and contact the person responsible.`,
  failureHeading: "Something went wrong on this page",
  failureText:
    "Your answers up to here are saved. Please load the page again; the study goes on where you stopped. If it happens again, contact the person responsible.",
  unsentWarning: "Some answers have not been sent yet.",

  checkBrowser: "Browser",
  checkBrowserPassed: "Your browser can run this study.",
  checkBrowserFailed: "This browser is too old for this study. Please use a current Firefox, Chrome, Edge or Safari.",
  checkStorage: "Storage",
  checkStoragePassed: "Your answers can be kept on this computer until they are sent.",
  checkStorageFailed:
    "Your browser does not let this page store answers. Please leave private mode, or allow this site to store data, and check again.",
  checkWindow: "Window",
  checkWindowPassed: (width: number, height: number) => `The window is large enough (${width} × ${height}).`,
  checkWindowFailed: (width: number, height: number, least: number) =>
    `The window is ${width} × ${height}. Please make it at least ${least} wide, or use a larger screen, and check again.`,
  checkKeyboard: "Keyboard",
  checkKeyboardWaiting: "Please press the space bar.",
  checkKeyboardPassed: "Your keyboard works.",
  checkPointer: "Mouse",
  checkPointerWaiting: "Please move the mouse or touch pad over this page.",
  checkPointerPassed: "Your mouse works.",
  checkPointerFailed: "This study needs a mouse or touch pad. Please use a computer that has one.",
  checkPointerOrKeysWaiting:
    "Please move the mouse or touch pad over this page. If you cannot use one, press an arrow key.",
  checkPointerOrKeysMissing:
    "This study needs a mouse or touch pad. Please use a computer that has one. If you read with the keyboard, press an arrow key.",
  checkArrowKeysPassed: "Your arrow keys work.",
  checkScreen: "Screen",
  checkScreenWaiting: "Measuring for a moment.",
  checkScreenPassed: (rate: number) => `The screen is drawn ${rate} times a second.`,
  checkScreenFailed:
    "The screen is drawn too slowly. Please close other programs and tabs, keep this page in front, and check again.",
  checkAgain: "Check again",
  checkWaiting: "to do",
  checkPassed: "passed",
  checkFailed: "not passed",

  sessionCodeMissing: "Please type the session code that the experimenter gives you.",
  sessionCodeWrong: "This session code is not valid. Please ask the experimenter for another one.",
  consentIncomplete: "Please tick every statement that is needed to take part, or choose not to take part.",
  starting: "Starting",
  startFailed:
    "The server could not be reached. Nothing was stored. Please check your connection and press the button again.",
  startTooMany: "Too many people are starting at this moment. Please wait a little and press the button again.",
  unsentHeading: "Answers on this computer are still to be sent",
  unsentText:
    "The person who took part on this computer before you has answers that have not been sent yet. Please open that session for a moment, wait until they are sent, and then come back to this page.",
  sendFirst: "Open that session",
  cannotStart: "You cannot start this study",
  startRefused: {
    "already-taken-part":
      "You have already taken part in this study. Each person can take part once. Thank you for your interest.",
    closed: "This study has ended. Thank you for your interest.",
    paused: "This study is paused at the moment. Please come back later; the link stays the same.",
    full: "This study already has all the participants it needs. Thank you for your interest.",
    "not-open": "This study has not started yet. Please come back later; the link stays the same.",
    "consent-changed":
      "The consent text changed while this page was open. Please load the page again and read the new text.",
  } as Record<string, string>,
  startRefusedOther: "The server did not accept the start. Nothing was stored. Please contact the person responsible.",

  preview: "Preview",
  previewNothingStored: "Nothing is stored.",
  previewList: "List",
  previewSkip: "Skip this page",
  previewSkipPhase: "Skip to the next part",
  previewRestart: "Start again",
  previewRecorded: "What was recorded",
  previewNothingYet: "After the first page you see here what it recorded.",
  previewValid: "would be stored",
  previewInvalid: "would be refused",
  previewEnd: "End of the preview",
  previewEndText: "A participant now sees the debriefing, the completion code and the withdrawal code.",
  previewUnavailable: "The preview could not be loaded. Please sign in again and reload the page.",
  previewSimulated: "simulated",
};

export type Messages = typeof english;

const german: Messages = {
  next: "Weiter",
  back: "Zurück",
  submit: "Weiter",
  again: "Noch einmal versuchen",
  reload: "Seite neu laden",
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  trialOf: (index, total) => `${index} von ${total}`,
  progress: "Fortschritt",
  loading: "Einen Moment",

  numberRefused: {
    empty: "Bitte geben Sie eine Zahl ein.",
    "too-long": "Diese Zahl ist zu lang. Bitte verwenden Sie höchstens 30 Zeichen.",
    negative: "Das ist eine negative Zahl. Bitte verwenden Sie eine beliebige Zahl über 0.",
    zero: "Die Null ist hier nicht möglich. Bitte verwenden Sie eine beliebige Zahl über 0; sie darf so klein sein, wie Sie möchten.",
    exponent: "Bitte schreiben Sie die Zahl ganz aus, ohne Exponenten.",
    "several-separators":
      "Bitte schreiben Sie große Zahlen ohne Trennzeichen, zum Beispiel 1000, und verwenden Sie für Nachkommastellen einen Punkt oder ein Komma.",
    "not-a-number": "Das ist keine Zahl. Bitte verwenden Sie Ziffern, mit Punkt oder Komma für Nachkommastellen.",
  },
  negativeZeroAllowed: "Das ist eine negative Zahl. Bitte verwenden Sie 0 oder eine beliebige Zahl darüber.",
  keptWhatYouTyped: "Ihre Eingabe steht noch da.",

  modulusHeading: "Der Bezugssatz",
  modulusPrompt: "Geben Sie diesem Satz eine Zahl dafür, wie akzeptabel er ist. Wählen Sie eine beliebige Zahl über 0.",
  modulusLabel: "Bezugssatz",
  yourNumber: "Ihre Zahl",
  targetPrompt: "Wie akzeptabel ist dieser Satz im Vergleich zum Bezugssatz?",
  practice: "Übung",
  lineHeading: "Übung mit Linien",
  linePrompt: "Wie lang ist die untere Linie im Vergleich zur oberen Linie?",
  lineReference: "Bezugslinie",
  lineTarget: "Zu beurteilende Linie",
  lineNumberIs: (number) => `Die obere Linie hat die Zahl ${number}.`,

  questionsHeading: "Über Sie",
  preferNotToSay: "Möchte ich nicht angeben",
  pleaseChoose: "Bitte wählen Sie",
  answerOrDecline: "Bitte antworten Sie, oder wählen Sie „Möchte ich nicht angeben“.",
  answerNeeded: "Diese Antwort wird für die Teilnahme gebraucht.",
  numberNeeded: "Bitte geben Sie eine Zahl in Ziffern ein.",

  breakHeading: "Zeit für eine Pause",
  breakDone: (done, total) => `Sie haben ${done} von ${total} beantwortet. Ihre Antworten sind gespeichert.`,
  breakHow:
    "Nehmen Sie sich so viel Zeit, wie Sie brauchen. Mit der Eingabetaste oder der Schaltfläche geht es weiter.",
  readInstructionsAgain: "Anleitung noch einmal lesen",
  hideInstructions: "Anleitung ausblenden",

  offline: "offline – hier gespeichert",
  retrying: "verbindet sich – hier gespeichert",

  openingHeading: "Verbindung wird aufgebaut",
  openingText:
    "Der Server ist im Moment nicht erreichbar. Diese Seite versucht es weiter; es ist nichts verloren gegangen.",
  uploadingHeading: "Ihre Antworten werden gesendet",
  uploadingText: (count) =>
    count === 1
      ? "1 Eintrag ist noch zu senden. Bitte lassen Sie diese Seite geöffnet."
      : `${count} Einträge sind noch zu senden. Bitte lassen Sie diese Seite geöffnet.`,
  uploadingOffline:
    "Ihre Antworten sind auf diesem Computer gespeichert und werden gesendet, sobald Sie wieder online sind.",
  finishing: "Ihre Antworten sind angekommen. Einen Moment.",

  thanksHeading: "Vielen Dank für Ihre Teilnahme",
  thanksText: "Alle Ihre Antworten sind angekommen und gespeichert.",
  completionCode: "Ihr Abschlusscode",
  returnLink: "Zurückkehren und abschließen",
  copy: "Kopieren",
  copied: "Kopiert",
  withdrawalCode: "Ihr Widerrufscode",
  withdrawalText:
    "Bewahren Sie diesen Code auf. Mit ihm können Sie Ihre Antworten später löschen lassen, ohne einen Grund zu nennen.",
  withdrawalLink: "Seite für den Widerruf",
  contact: "Fragen zu dieser Studie",
  mayClose: "Sie können diese Seite jetzt schließen.",

  otherTabHeading: "Diese Studie ist in einem anderen Tab geöffnet",
  otherTabText:
    "Damit Ihre Antworten in der richtigen Reihenfolge bleiben, läuft die Studie immer nur in einem Tab. Bitte machen Sie im anderen Tab weiter, oder schließen Sie ihn: Dann geht es hier von selbst weiter.",
  otherDeviceHeading: "Diese Studie ist auf einem anderen Gerät geöffnet",
  otherDeviceText:
    "Die Studie wurde eben auf einem anderen Gerät oder in einem anderen Browser benutzt. Wenn Sie das waren, können Sie hier weitermachen; die andere Seite hält dann an.",
  goOnHere: "Hier weitermachen",
  leaseLostHeading: "Die Studie läuft woanders weiter",
  leaseLostText:
    "Diese Studie wurde auf einem anderen Gerät oder in einem anderen Browser geöffnet und hält deshalb hier an. Jede Antwort, die Sie hier gegeben haben, ist gespeichert. Sie können diese Seite schließen.",
  noSessionHeading: "Hier gibt es nichts fortzusetzen",
  noSessionText:
    "In diesem Browser läuft keine Sitzung dieser Studie. Sie können auf der ersten Seite der Studie beginnen.",
  toLanding: "Zur ersten Seite",
  endedHeading: "Diese Sitzung ist beendet",
  endedText:
    "Diese Studie muss in einem Zug bearbeitet werden und kann nach einer Unterbrechung nicht fortgesetzt werden. Die Antworten, die Sie gegeben haben, wurden aufbewahrt. Bei Fragen wenden Sie sich bitte an die verantwortliche Person.",
  notRunningHeading: "Diese Studie kann jetzt nicht fortgesetzt werden",
  storageHeading: "Ihre Antworten können auf diesem Computer nicht gespeichert werden",
  storageText:
    "Dieser Browser lässt die Seite nichts speichern, vielleicht weil er im privaten Modus läuft oder die Festplatte voll ist. Es ist nichts verloren gegangen. Bitte öffnen Sie die Studie in einem normalen Fenster, oder schaffen Sie Platz, und laden Sie die Seite neu.",
  storageWaiting:
    "Diese Antwort konnte nicht auf diesem Computer gespeichert werden. Sie wird gesendet, bevor es weitergeht.",
  stuckHeading: "Einige Antworten konnten nicht angenommen werden",
  stuckText: (count) =>
    `${count === 1 ? "1 Antwort konnte" : `${count} Antworten konnten`} vom Server nicht angenommen werden. Sie bleiben auf diesem Computer gespeichert. Bitte lassen Sie die Seite, wie sie ist, und wenden Sie sich an die verantwortliche Person.`,
  failureHeading: "Auf dieser Seite ist etwas schiefgegangen",
  failureText:
    "Ihre bisherigen Antworten sind gespeichert. Bitte laden Sie die Seite neu; die Studie geht dort weiter, wo Sie aufgehört haben. Wenn es wieder geschieht, wenden Sie sich bitte an die verantwortliche Person.",
  unsentWarning: "Einige Antworten sind noch nicht gesendet.",

  checkBrowser: "Browser",
  checkBrowserPassed: "Ihr Browser kann diese Studie ausführen.",
  checkBrowserFailed:
    "Dieser Browser ist zu alt für diese Studie. Bitte verwenden Sie einen aktuellen Firefox, Chrome, Edge oder Safari.",
  checkStorage: "Speicher",
  checkStoragePassed: "Ihre Antworten können auf diesem Computer aufbewahrt werden, bis sie gesendet sind.",
  checkStorageFailed:
    "Ihr Browser lässt diese Seite keine Antworten speichern. Bitte verlassen Sie den privaten Modus, oder erlauben Sie dieser Seite, Daten zu speichern, und prüfen Sie noch einmal.",
  checkWindow: "Fenster",
  checkWindowPassed: (width, height) => `Das Fenster ist groß genug (${width} × ${height}).`,
  checkWindowFailed: (width, height, least) =>
    `Das Fenster misst ${width} × ${height}. Bitte machen Sie es mindestens ${least} breit, oder verwenden Sie einen größeren Bildschirm, und prüfen Sie noch einmal.`,
  checkKeyboard: "Tastatur",
  checkKeyboardWaiting: "Bitte drücken Sie die Leertaste.",
  checkKeyboardPassed: "Ihre Tastatur funktioniert.",
  checkPointer: "Maus",
  checkPointerWaiting: "Bitte bewegen Sie die Maus oder das Touchpad über dieser Seite.",
  checkPointerPassed: "Ihre Maus funktioniert.",
  checkPointerFailed:
    "Diese Studie braucht eine Maus oder ein Touchpad. Bitte verwenden Sie einen Computer, der so etwas hat.",
  checkPointerOrKeysWaiting:
    "Bitte bewegen Sie die Maus oder das Touchpad über dieser Seite. Wenn Sie beides nicht benutzen können, drücken Sie eine Pfeiltaste.",
  checkPointerOrKeysMissing:
    "Diese Studie braucht eine Maus oder ein Touchpad. Bitte nutzen Sie einen Computer damit. Wenn Sie mit der Tastatur lesen, drücken Sie eine Pfeiltaste.",
  checkArrowKeysPassed: "Ihre Pfeiltasten funktionieren.",
  checkScreen: "Bildschirm",
  checkScreenWaiting: "Wird einen Moment lang gemessen.",
  checkScreenPassed: (rate) => `Der Bildschirm wird ${rate}-mal in der Sekunde gezeichnet.`,
  checkScreenFailed:
    "Der Bildschirm wird zu langsam gezeichnet. Bitte schließen Sie andere Programme und Tabs, lassen Sie diese Seite im Vordergrund, und prüfen Sie noch einmal.",
  checkAgain: "Noch einmal prüfen",
  checkWaiting: "offen",
  checkPassed: "bestanden",
  checkFailed: "nicht bestanden",

  sessionCodeMissing: "Bitte geben Sie den Sitzungscode ein, den Sie von der Versuchsleitung bekommen.",
  sessionCodeWrong: "Dieser Sitzungscode gilt nicht. Bitte fragen Sie die Versuchsleitung nach einem anderen.",
  consentIncomplete:
    "Bitte kreuzen Sie jede Aussage an, die für die Teilnahme nötig ist, oder entscheiden Sie sich gegen die Teilnahme.",
  starting: "Es geht los",
  startFailed:
    "Der Server war nicht erreichbar. Es wurde nichts gespeichert. Bitte prüfen Sie Ihre Verbindung und drücken Sie noch einmal auf die Schaltfläche.",
  startTooMany:
    "In diesem Moment beginnen zu viele Menschen gleichzeitig. Bitte warten Sie ein wenig und drücken Sie noch einmal auf die Schaltfläche.",
  unsentHeading: "Auf diesem Computer sind noch Antworten zu senden",
  unsentText:
    "Die Person, die vor Ihnen an diesem Computer teilgenommen hat, hat Antworten, die noch nicht gesendet sind. Bitte öffnen Sie deren Sitzung für einen Moment, warten Sie, bis alles gesendet ist, und kommen Sie dann auf diese Seite zurück.",
  sendFirst: "Diese Sitzung öffnen",
  cannotStart: "Sie können diese Studie nicht beginnen",
  startRefused: {
    "already-taken-part":
      "Sie haben an dieser Studie bereits teilgenommen. Jede Person kann einmal teilnehmen. Vielen Dank für Ihr Interesse.",
    closed: "Diese Studie ist beendet. Vielen Dank für Ihr Interesse.",
    paused: "Diese Studie macht gerade Pause. Bitte kommen Sie später wieder; der Link bleibt gleich.",
    full: "Diese Studie hat bereits alle Teilnehmerinnen und Teilnehmer, die sie braucht. Vielen Dank für Ihr Interesse.",
    "not-open": "Diese Studie hat noch nicht begonnen. Bitte kommen Sie später wieder; der Link bleibt gleich.",
    "consent-changed":
      "Der Einwilligungstext hat sich geändert, während diese Seite offen war. Bitte laden Sie die Seite neu und lesen Sie den neuen Text.",
  },
  startRefusedOther:
    "Der Server hat den Start nicht angenommen. Es wurde nichts gespeichert. Bitte wenden Sie sich an die verantwortliche Person.",

  preview: "Vorschau",
  previewNothingStored: "Es wird nichts gespeichert.",
  previewList: "Liste",
  previewSkip: "Diese Seite überspringen",
  previewSkipPhase: "Zum nächsten Teil",
  previewRestart: "Von vorn",
  previewRecorded: "Was aufgezeichnet wurde",
  previewNothingYet: "Nach der ersten Seite sehen Sie hier, was sie aufgezeichnet hat.",
  previewValid: "würde gespeichert",
  previewInvalid: "würde abgelehnt",
  previewEnd: "Ende der Vorschau",
  previewEndText: "Hier folgen für Teilnehmende die Aufklärung, der Abschlusscode und der Widerrufscode.",
  previewUnavailable:
    "Die Vorschau konnte nicht geladen werden. Bitte melden Sie sich neu an und laden Sie die Seite neu.",
  previewSimulated: "simuliert",
};

const LANGUAGES: Record<string, Messages> = { en: english, de: german };

/** Texts in the language of a tag such as "de" or "de-AT"; English where there is no translation. */
export function messagesIn(language: string): Messages {
  return LANGUAGES[language.toLowerCase().split("-")[0] ?? "en"] ?? english;
}

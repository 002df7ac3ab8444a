/** Every text of the interface in German. */

import type { Messages } from "./messages";

export const german: Messages = {
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

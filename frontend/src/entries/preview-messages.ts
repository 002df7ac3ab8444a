/** The texts of the preview's panel: for researchers, so in their languages. */

const english = {
  heading: "Preview",
  nothingStored: "Nothing is stored.",
  list: "List",
  part: "Begin with",
  group: "Group",
  language: "Language",
  skip: "Skip this page",
  skipPhase: "Skip to the next part",
  restart: "Start again",
  now: "On this page",
  recorded: "What was recorded",
  nothingYet: "After the first page you see here what it recorded.",
  valid: "would be stored",
  invalid: "would be refused",
  end: "End of the preview",
  endText: "A participant now sees the debriefing, the completion code and the withdrawal code.",
  unavailable: "The preview could not be loaded. Please sign in again and reload the page.",
  simulated: "simulated",
  nothingOfPage: "Nothing is stored of this page except when it was shown.",
  details: "Details",
};

const german: typeof english = {
  heading: "Vorschau",
  nothingStored: "Es wird nichts gespeichert.",
  list: "Liste",
  part: "Beginnen mit",
  group: "Gruppe",
  language: "Sprache",
  skip: "Diese Seite überspringen",
  skipPhase: "Zum nächsten Teil",
  restart: "Von vorn",
  now: "Auf dieser Seite",
  recorded: "Was aufgezeichnet wurde",
  nothingYet: "Nach der ersten Seite sehen Sie hier, was sie aufgezeichnet hat.",
  valid: "würde gespeichert",
  invalid: "würde abgelehnt",
  end: "Ende der Vorschau",
  endText: "Hier folgen für Teilnehmende die Aufklärung, der Abschlusscode und der Widerrufscode.",
  unavailable: "Die Vorschau konnte nicht geladen werden. Bitte melden Sie sich neu an und laden Sie die Seite neu.",
  simulated: "simuliert",
  nothingOfPage: "Von dieser Seite wird nur gespeichert, wann sie gezeigt wurde.",
  details: "Einzelheiten",
};

export type PreviewMessages = typeof english;

export function previewMessagesIn(language: string): PreviewMessages {
  return language.toLowerCase().startsWith("de") ? german : english;
}

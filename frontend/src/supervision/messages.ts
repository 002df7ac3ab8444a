/** What participants of a supervised session read. */

export interface SupervisionMessages {
  readonly fullScreenHeading: string;
  readonly fullScreenText: string;
  readonly fullScreenButton: string;
  readonly fullScreenRefused: string;
  readonly pausedHeading: string;
  readonly pausedText: string;
  readonly releaseLabel: string;
  readonly releaseButton: string;
  readonly releaseRefused: string;
  readonly releaseOffline: string;
}

const en: SupervisionMessages = {
  fullScreenHeading: "Full screen",
  fullScreenText: "The study runs in full screen. Please leave it only when the experimenter says so.",
  fullScreenButton: "Go to full screen",
  fullScreenRefused: "The browser did not go to full screen. Please call the experimenter.",
  pausedHeading: "The study is paused",
  pausedText: "Please call the experimenter. Your answers are saved.",
  releaseLabel: "For the experimenter: release code",
  releaseButton: "Go on",
  releaseRefused: "This is not the release code of this session. The session stays paused.",
  releaseOffline: "The server cannot be reached. The session stays paused; please try again.",
};

const de: SupervisionMessages = {
  fullScreenHeading: "Vollbild",
  fullScreenText: "Die Studie läuft im Vollbild. Bitte verlassen Sie es nur, wenn die Versuchsleitung es sagt.",
  fullScreenButton: "Zum Vollbild",
  fullScreenRefused: "Der Browser ist nicht ins Vollbild gegangen. Bitte rufen Sie die Versuchsleitung.",
  pausedHeading: "Die Studie ist unterbrochen",
  pausedText: "Bitte rufen Sie die Versuchsleitung. Ihre Antworten sind gespeichert.",
  releaseLabel: "Für die Versuchsleitung: Freigabecode",
  releaseButton: "Weiter",
  releaseRefused: "Das ist nicht der Freigabecode dieser Sitzung. Die Sitzung bleibt unterbrochen.",
  releaseOffline:
    "Der Server ist nicht erreichbar. Die Sitzung bleibt unterbrochen; bitte versuchen Sie es noch einmal.",
};

export function supervisionMessagesIn(language: string): SupervisionMessages {
  return language === "de" ? de : en;
}

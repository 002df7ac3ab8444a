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

export const english: SupervisionMessages = {
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

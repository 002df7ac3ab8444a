/** The texts where pictures and sounds are still missing. */

export const english = {
  loadingHeading: "One moment",
  loadingText: "The next pictures or sounds are still being loaded. The study goes on by itself.",
  loadingSlow: "The connection is slow or was cut. This page keeps trying; nothing has been lost.",
  loaded: (done: number, total: number) => `${done} of ${total} loaded`,
  soundHeading: "The study goes on with sound",
  soundText: "Press the button when you are ready to listen.",
  soundButton: "Go on with sound",
};

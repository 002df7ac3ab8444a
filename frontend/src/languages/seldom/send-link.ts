/** The texts beside the link of a study that a telephone cannot do. */

export const english = {
  send: "Send yourself the link, to open it on a computer:",
  share: "Share the link",
  mail: "Send by e-mail",
};

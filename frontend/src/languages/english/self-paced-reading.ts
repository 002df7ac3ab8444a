/** The texts of self-paced reading. */

export const english = {
  pressSpace: "Space bar: next piece",
  pressSpaceOnce: "Space bar: begin. The pieces then come by themselves.",
  onlySpace: "This text is read with the space bar of a keyboard; tapping or clicking uncovers nothing.",
  answerWithKeys: (most: number) => `Answer with the keys 1 to ${most}, or click.`,
};

/** The texts of the headphones check. */

export const english = {
  heading: "Are you wearing headphones?",
  text: "Please put on headphones now. You hear three tones, six times. Say each time which of the three is the quietest.",
  play: "Play the three tones",
  question: "Which tone was the quietest?",
  soundNamed: (number: number) => `Tone ${number}`,
  again:
    "Several answers were not right. Through loudspeakers the tones cannot be told apart. Please put on headphones, check that both sides play, and try once more.",
  withoutSound: "Go on without sound",
};

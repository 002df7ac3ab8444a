/**
 * Replaces the package random-words in the pages of participants: jsPsych brings it for `randomization.randomWords`,
 * which no plugin here calls, and its list of words would weigh more than all plugins of a session.
 */
export default function randomWords(): never {
  throw new Error(
    "There is no list of random words on this page. A plugin that needs words takes them from its parameters.",
  );
}

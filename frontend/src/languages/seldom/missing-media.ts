/** What is said where a picture or a sound does not come. */

export const english = {
  text: "Something that this study shows does not arrive. Your answers up to here are stored. Load the page again, or come back later with the same link. If that does not help, write to the people who run the study.",
};

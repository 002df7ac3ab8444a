/** What is said where a picture, a sound or a video does not come or cannot be played. */

export const english = {
  videoHeading: "This browser cannot play a video of this study",
  videoText:
    "Your answers up to here are stored. Open the same link in another browser, or in a newer version of this one, and the study goes on here. If that does not help, write to the people who run the study.",
  text: "Something that this study shows does not arrive. Your answers up to here are stored. Load the page again, or come back later with the same link. If that does not help, write to the people who run the study.",
};

/**
 * Texts that few sessions need, in files of their own, so that no page is heavier for them: `languages/seldom/<tag>.json`,
 * with sections like those of `languages/<tag>.json`. A plugin that needs them asks for them in its `prepare`.
 */

import { type Data, sectionsFrom } from "./data";
import { speak, spoken } from "./messages";
import { english as blockFeedback } from "./seldom/block-feedback";
import { english as comparisonOfPictures } from "./seldom/comparison-of-pictures";
import { english as comparisonOfSounds } from "./seldom/comparison-of-sounds";
import { english as headphonesCheck } from "./seldom/headphones-check";
import { english as missingMedia } from "./seldom/missing-media";
import { english as sendLink } from "./seldom/send-link";

export const SELDOM_ENGLISH = {
  "block-feedback": blockFeedback,
  "comparison-of-pictures": comparisonOfPictures,
  "comparison-of-sounds": comparisonOfSounds,
  "headphones-check": headphonesCheck,
  "missing-media": missingMedia,
  "send-link": sendLink,
};

const FILES = import.meta.glob<Data>("./seldom/*.json", { import: "default" });

/** Loads them in the languages that the page has. */
export async function speakSeldom(): Promise<void> {
  for (const language of spoken.keys()) {
    const file = FILES[`./seldom/${language}.json`];
    const more = file === undefined ? SELDOM_ENGLISH : sectionsFrom(await file(), language);
    speak(language, { ...spoken.get(language), ...more });
  }
}

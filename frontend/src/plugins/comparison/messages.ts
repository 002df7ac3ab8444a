/** The texts of the comparison page. */

import type { english } from "../../languages/english/comparison";
import { textsOf } from "../../languages/messages";
import type { english as ofPictures } from "../../languages/seldom/comparison-of-pictures";
import type { english as ofSounds } from "../../languages/seldom/comparison-of-sounds";
import { isOfPictures, isOfSounds, type Option } from "./options";

export type ComparisonMessages = typeof english;

const comparisonMessagesIn = textsOf<ComparisonMessages>("comparison");
const pictureMessagesIn = textsOf<typeof ofPictures>("comparison-of-pictures");

/** The texts for sounds, which have to be loaded before. */
export const soundMessagesIn = textsOf<typeof ofSounds>("comparison-of-sounds");

/** The texts for these options: of texts, or of pictures or sounds alone; those have to be loaded before. */
export function messagesFor(options: readonly Option[], language: string): ComparisonMessages {
  const texts = comparisonMessagesIn(language);
  if (isOfSounds(options)) return { ...texts, ...soundMessagesIn(language) };
  return isOfPictures(options) ? { ...texts, ...pictureMessagesIn(language) } : texts;
}

/** The texts of the comparison page. */

import { textsOf } from "../../languages/messages";
import { isOfPictures, type Option } from "./cards";
import type { english } from "./english";
import type { english as ofPictures } from "./picture-english";

export type ComparisonMessages = typeof english;

const comparisonMessagesIn = textsOf<ComparisonMessages>("comparison");
const pictureMessagesIn = textsOf<typeof ofPictures>("comparison-of-pictures");

/** The texts for these options: of texts, or of pictures where there are no texts; those have to be loaded before. */
export function messagesFor(options: readonly Option[], language: string): ComparisonMessages {
  const texts = comparisonMessagesIn(language);
  return isOfPictures(options) ? { ...texts, ...pictureMessagesIn(language) } : texts;
}

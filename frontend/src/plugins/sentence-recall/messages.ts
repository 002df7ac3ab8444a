/** The texts of the sentence recall trial. */

import type { english } from "../../languages/english/sentence-recall";
import { textsOf } from "../../languages/messages";

export type RecallMessages = typeof english;

export const recallMessagesIn = textsOf<RecallMessages>("sentence-recall");

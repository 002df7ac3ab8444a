/** The texts of the sentence recall trial. */

import { textsOf } from "../../languages/messages";
import type { english } from "./english";

export type RecallMessages = typeof english;

export const recallMessagesIn = textsOf<RecallMessages>("sentence-recall");

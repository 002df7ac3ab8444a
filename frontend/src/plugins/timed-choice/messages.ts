/** The texts of a timed choice. */

import { textsOf } from "../../languages/messages";
import type { english } from "./english";

export type ChoiceMessages = typeof english;

export const choiceMessagesIn = textsOf<ChoiceMessages>("timed-choice");

/** The texts of a timed choice. */

import type { english } from "../../languages/english/timed-choice";
import { textsOf } from "../../languages/messages";

export type ChoiceMessages = typeof english;

export const choiceMessagesIn = textsOf<ChoiceMessages>("timed-choice");

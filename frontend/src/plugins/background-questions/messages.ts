/** The texts of questionnaires beyond those that every page has. */

import type { english } from "../../languages/english/questions";
import { textsOf } from "../../languages/messages";

export type QuestionMessages = typeof english;

export const questionMessagesIn = textsOf<QuestionMessages>("questions");

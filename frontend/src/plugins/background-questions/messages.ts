/** The texts of questionnaires beyond those that every page has. */

import { textsOf } from "../../languages/messages";
import type { english } from "./english";

export type QuestionMessages = typeof english;

export const questionMessagesIn = textsOf<QuestionMessages>("questions");

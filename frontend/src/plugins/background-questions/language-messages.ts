/** The texts of the question for languages. */

import type { english } from "../../languages/english/known-languages";
import { textsOf } from "../../languages/messages";

export type LanguageMessages = typeof english;

export const languageMessagesIn = textsOf<LanguageMessages>("known-languages");

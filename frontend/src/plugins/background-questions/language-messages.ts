/** The texts of the question for languages. */

import { textsOf } from "../../languages/messages";
import type { english } from "./language-english";

export type LanguageMessages = typeof english;

export const languageMessagesIn = textsOf<LanguageMessages>("known-languages");

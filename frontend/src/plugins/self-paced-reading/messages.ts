/** The texts of self-paced reading. */

import type { english } from "../../languages/english/self-paced-reading";
import { textsOf } from "../../languages/messages";

export type SelfPacedMessages = typeof english;

export const selfPacedMessagesIn = textsOf<SelfPacedMessages>("self-paced-reading");

/** The texts of self-paced reading. */

import { textsOf } from "../../languages/messages";
import type { english } from "./english";

export type SelfPacedMessages = typeof english;

export const selfPacedMessagesIn = textsOf<SelfPacedMessages>("self-paced-reading");

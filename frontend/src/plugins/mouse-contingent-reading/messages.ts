/** The texts of the reading trial. */

import { textsOf } from "../../languages/messages";
import type { english } from "./english";

export type { DeviceName, HandName } from "./english";
export type ReadingMessages = typeof english;

export const readingMessagesIn = textsOf<ReadingMessages>("mouse-contingent-reading");

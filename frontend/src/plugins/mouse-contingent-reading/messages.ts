/** The texts of the reading trial. */

import type { english } from "../../languages/english/mouse-contingent-reading";
import { textsOf } from "../../languages/messages";

export type { DeviceName, HandName } from "../../languages/english/mouse-contingent-reading";
export type ReadingMessages = typeof english;

export const readingMessagesIn = textsOf<ReadingMessages>("mouse-contingent-reading");

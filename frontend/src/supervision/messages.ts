/** What participants of a supervised session read. */

import type { english } from "../languages/english/supervision";
import { textsOf } from "../languages/messages";

export type SupervisionMessages = typeof english;

export const supervisionMessagesIn = textsOf<SupervisionMessages>("supervision");

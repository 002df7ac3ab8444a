/** What participants of a supervised session read. */

import { textsOf } from "../languages/messages";
import type { english } from "./english";

export type SupervisionMessages = typeof english;

export const supervisionMessagesIn = textsOf<SupervisionMessages>("supervision");

/** The texts where pictures and sounds are still missing. */

import { textsOf } from "../languages/messages";
import type { english } from "./english";

export type MediaMessages = typeof english;

export const mediaMessagesIn = textsOf<MediaMessages>("media");

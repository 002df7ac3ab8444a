/** The texts where pictures and sounds are still missing. */

import type { english } from "../languages/english/media";
import { textsOf } from "../languages/messages";

export type MediaMessages = typeof english;

export const mediaMessagesIn = textsOf<MediaMessages>("media");

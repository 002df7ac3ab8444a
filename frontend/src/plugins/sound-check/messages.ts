/** The texts of the sound check. */

import type { english } from "../../languages/english/sound-check";
import { textsOf } from "../../languages/messages";

export type SoundCheckMessages = typeof english;

export const soundCheckMessagesIn = textsOf<SoundCheckMessages>("sound-check");

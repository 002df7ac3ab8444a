/** The texts of the sound check. */

import { textsOf } from "../../languages/messages";
import type { english } from "./english";

export type SoundCheckMessages = typeof english;

export const soundCheckMessagesIn = textsOf<SoundCheckMessages>("sound-check");

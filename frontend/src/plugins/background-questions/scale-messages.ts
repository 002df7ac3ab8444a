/** The texts of questions on scales. */

import { textsOf } from "../../languages/messages";
import type { english } from "./scale-english";

export type ScaleMessages = typeof english;

export const scaleMessagesIn = textsOf<ScaleMessages>("scales");

/** The texts of questions on scales. */

import type { english } from "../../languages/english/scales";
import { textsOf } from "../../languages/messages";

export type ScaleMessages = typeof english;

export const scaleMessagesIn = textsOf<ScaleMessages>("scales");

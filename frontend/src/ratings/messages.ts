/** The texts of rating questions. */

import { textsOf } from "../languages/messages";
import type { english } from "./english";

export type RatingMessages = typeof english;

export const ratingMessagesIn = textsOf<RatingMessages>("ratings");

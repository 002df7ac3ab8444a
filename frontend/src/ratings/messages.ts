/** The texts of rating questions. */

import type { english } from "../languages/english/ratings";
import { textsOf } from "../languages/messages";

export type RatingMessages = typeof english;

export const ratingMessagesIn = textsOf<RatingMessages>("ratings");

/** The texts of the rating page. */

import type { english } from "../../languages/english/rating";
import { textsOf } from "../../languages/messages";

export type RatingPageMessages = typeof english;

export const ratingPageMessagesIn = textsOf<RatingPageMessages>("rating");

/** The texts of the rating page. */

import { textsOf } from "../../languages/messages";
import type { english } from "./english";

export type RatingPageMessages = typeof english;

export const ratingPageMessagesIn = textsOf<RatingPageMessages>("rating");

/** The texts of the headphones check, which a page loads with it. */

import { textsOf } from "../../languages/messages";
import type { english } from "../../languages/seldom/headphones-check";

export type HeadphonesMessages = typeof english;

export const headphonesMessagesIn = textsOf<HeadphonesMessages>("headphones-check");

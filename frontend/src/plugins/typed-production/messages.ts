/** The texts of the typed production trial. */

import { textsOf } from "../../languages/messages";
import type { english } from "./english";

export type ProductionMessages = typeof english;

export const productionMessagesIn = textsOf<ProductionMessages>("typed-production");

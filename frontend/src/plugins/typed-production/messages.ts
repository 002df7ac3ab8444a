/** The texts of the typed production trial. */

import type { english } from "../../languages/english/typed-production";
import { textsOf } from "../../languages/messages";

export type ProductionMessages = typeof english;

export const productionMessagesIn = textsOf<ProductionMessages>("typed-production");

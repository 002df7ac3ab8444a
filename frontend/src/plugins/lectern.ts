/** What the platform hands to a plugin that comes with a package: see docs/adding-a-paradigm.md. */

import { ParameterType } from "jspsych";
import { messagesIn } from "../languages/messages";
import { element } from "../page/blocks";
import { clock } from "../timing/clock";
import { onsetData, TimedPlugin, TRIAL_DATA } from "./plugin";

export const lectern = { ParameterType, TimedPlugin, TRIAL_DATA, onsetData, clock, element, messagesIn } as const;

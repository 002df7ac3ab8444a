/** A page in this language loads this script before its own. */

import { german } from "./german";
import { speak } from "./messages";

speak("de", german);

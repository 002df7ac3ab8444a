/** A page in this language loads this script before its own. */

import { speak } from "../messages";
import { german } from "./german";

speak("de", german);

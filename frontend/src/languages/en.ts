/** A page in this language loads this script before its own. */

import { english } from "./english";
import { speak } from "./messages";

speak("en", english);

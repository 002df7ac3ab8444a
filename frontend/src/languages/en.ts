/** A page in this language loads this script before its own. */

import { speak } from "../messages";
import { english } from "./english";

speak("en", english);

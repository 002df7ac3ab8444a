/** A page in this language loads this script before its own. */

import texts from "./de.json";
import { speakFrom } from "./messages";

speakFrom("de", texts);

/** A page in this language loads this script before its own. */

import texts from "./it.json";
import { speakFrom } from "./messages";

speakFrom("it", texts);

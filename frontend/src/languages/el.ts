/** A page in this language loads this script before its own. */

import texts from "./el.json";
import { speakFrom } from "./messages";

speakFrom("el", texts);

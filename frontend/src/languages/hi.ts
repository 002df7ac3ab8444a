/** A page in this language loads this script before its own. */

import texts from "./hi.json";
import { speakFrom } from "./messages";

speakFrom("hi", texts);

/** A page in this language loads this script before its own. */

import texts from "./sv.json";
import { speakFrom } from "./messages";

speakFrom("sv", texts);

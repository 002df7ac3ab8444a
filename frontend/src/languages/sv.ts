/** A page in this language loads this script before its own. */

import { speakFrom } from "./messages";
import texts from "./sv.json";

speakFrom("sv", texts);

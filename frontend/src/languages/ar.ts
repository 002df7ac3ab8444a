/** A page in this language loads this script before its own. */

import texts from "./ar.json";
import { speakFrom } from "./messages";

speakFrom("ar", texts);

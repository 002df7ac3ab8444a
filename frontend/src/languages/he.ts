/** A page in this language loads this script before its own. */

import texts from "./he.json";
import { speakFrom } from "./messages";

speakFrom("he", texts);

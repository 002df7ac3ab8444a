/** A page in this language loads this script before its own. */

import texts from "./fr.json";
import { speakFrom } from "./messages";

speakFrom("fr", texts);

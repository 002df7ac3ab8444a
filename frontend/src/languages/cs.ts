/** A page in this language loads this script before its own. */

import texts from "./cs.json";
import { speakFrom } from "./messages";

speakFrom("cs", texts);

/** A page in this language loads this script before its own. */

import texts from "./ja.json";
import { speakFrom } from "./messages";

speakFrom("ja", texts);

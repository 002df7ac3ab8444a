/** A page in this language loads this script before its own. */

import texts from "./hu.json";
import { speakFrom } from "./messages";

speakFrom("hu", texts);

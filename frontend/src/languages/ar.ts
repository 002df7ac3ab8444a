/** A page in this language loads this script before its own. */

import texts from "./ar.json";
import { takeDigits } from "./digits";
import { speakFrom } from "./messages";

speakFrom("ar", texts);
takeDigits(document);

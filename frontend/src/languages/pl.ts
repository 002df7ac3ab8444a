/** A page in this language loads this script before its own. */

import { speakFrom } from "./messages";
import texts from "./pl.json";

speakFrom("pl", texts);

/** A page in this language loads this script before its own. */

import texts from "./es.json";
import { speakFrom } from "./messages";

speakFrom("es", texts);

/** A page in this language loads this script before its own. */

import { speakFrom } from "./messages";
import texts from "./ru.json";

speakFrom("ru", texts);

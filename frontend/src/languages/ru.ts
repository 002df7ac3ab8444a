/** A page in this language loads this script before its own. */

import texts from "./ru.json";
import { speakFrom } from "./messages";

speakFrom("ru", texts);

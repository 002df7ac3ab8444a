/** A page in this language loads this script before its own. */

import texts from "./ko.json";
import { speakFrom } from "./messages";

speakFrom("ko", texts);

/** Entry of pages of a study with custom wording; loaded between the language and the page. */

import { reword } from "../languages/rewording";
import { pageConfig } from "../page/page-config";
import type { WordingConfig } from "../server/contract";

const { wording, language } = pageConfig<WordingConfig>();
if (wording !== undefined) reword(wording, language);

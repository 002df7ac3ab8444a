/** Entry of pages of a study that says something instead of texts of its language: between language and page. */

import { reword } from "../languages/rewording";
import { pageConfig } from "../page/page-config";
import type { WordingConfig } from "../server/contract";

const { wording, language } = pageConfig<WordingConfig>();
if (wording !== undefined) reword(wording, language);

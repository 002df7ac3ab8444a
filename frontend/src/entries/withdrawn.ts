/** Entry of the page after a withdrawal: what this browser still keeps of the session that was erased goes, too. */

import { forget } from "../server/forgetting";

const erased = document.querySelector<HTMLElement>("[data-erased]")?.dataset.erased;
if (erased) void forget(erased);

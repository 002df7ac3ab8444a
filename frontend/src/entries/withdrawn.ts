/** Entry of the page after a withdrawal: deletes what this browser still stores of the erased session. */

import { forget } from "../server/forgetting";

const erased = document.querySelector<HTMLElement>("[data-erased]")?.dataset.erased;
if (erased) void forget(erased);

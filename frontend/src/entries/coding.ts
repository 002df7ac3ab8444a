/** The page on which recalls are coded, and the one on which disagreements are settled: in one tab at a time. */

import { part } from "../coding/shown";
import { Workspace } from "../coding/workspace";
import type { WorkspaceConfig } from "../coding/workspace-config";
import { presses } from "../presses/guard";
import { becomeOnlyTab } from "../session/tabs";

async function begin(config: WorkspaceConfig): Promise<void> {
  // Two tabs would share what is unsent, and each would overwrite what the other keeps. Browsers have locks on secure
  // pages only; elsewhere nothing can tell.
  presses.listen();
  let hasWaited = false;
  if ("locks" in navigator) {
    await becomeOnlyTab(config.storage, () => {
      hasWaited = true;
      part("elsewhere").hidden = false;
      part("sheet").hidden = true;
    });
  }
  // Meanwhile the other tab has coded: what this page knows of the queue is old.
  if (hasWaited) window.location.reload();
  else await new Workspace(config).begin();
}

const config = document.getElementById("coding-config");
if (config?.textContent) void begin(JSON.parse(config.textContent) as WorkspaceConfig);

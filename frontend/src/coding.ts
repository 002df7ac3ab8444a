/** The page on which recalls are coded, and the one on which disagreements are settled. */

import { Workspace, type WorkspaceConfig } from "./coding/workspace";

const config = document.getElementById("coding-config");
if (config?.textContent) {
  void new Workspace(JSON.parse(config.textContent) as WorkspaceConfig).begin();
}

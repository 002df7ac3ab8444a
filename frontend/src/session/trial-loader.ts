/** Gets trials ready: all their scripts before the first of them, their pictures and sounds while others are shown. */

import { mediaIn } from "../media/params";
import type { Stage } from "../page/stage";
import type { TrialDescription } from "../server/contract";
import type { MediaGate } from "./media-gate";
import { loadPlugins, type OwnModules } from "./registry";

export class TrialLoader {
  private gate: MediaGate | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly modules: OwnModules | undefined,
  ) {}

  /** Resolves when none of these trials waits for a script any more. Rejects where one of them has an unknown plugin. */
  async loadScripts(trials: readonly TrialDescription[], language: string): Promise<void> {
    const withMedia = trials.some((trial) => mediaIn(trial.params).length > 0);
    const [gate] = await Promise.all([withMedia ? import("./media-gate") : null, loadPlugins(trials, this.modules)]);
    if (gate !== null) this.gate = new gate.MediaGate(this.stage, language);
  }

  /** Begins to load the pictures and sounds of these trials, in their order; their scripts are there. */
  loadMedia(trials: readonly TrialDescription[]): void {
    this.gate?.load(trials);
  }

  /** Resolves when everything in a trial can be shown and played at once. */
  async beforeTrial(trial: TrialDescription, options?: { readonly unlocks: boolean }): Promise<void> {
    await this.gate?.beforeTrial(trial, options);
  }
}

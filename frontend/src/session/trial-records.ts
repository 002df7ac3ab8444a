/** What is written down of every trial of a session: that it begins, and what came of it. */

import type { Messages } from "../languages/messages";
import { type Attention, isTranslated } from "../page/attention";
import { drafts } from "../page/drafts";
import { Sleep } from "../page/sleep";
import type { Stage } from "../page/stage";
import type { Entry, RunConfig, TrialData, TrialDescription } from "../server/contract";
import type { ErrorReports } from "../server/errors";
import type { Outbox } from "../server/outbox";

const sleep = new Sleep();

/** What the records need of the visit they belong to. */
export interface RecordOptions {
  readonly config: RunConfig;
  readonly messages: Messages;
  readonly stage: Stage;
  readonly errors: ErrorReports;
}

export class TrialRecords {
  constructor(
    private readonly options: RecordOptions,
    private readonly outbox: Outbox,
    private readonly attention: Attention,
  ) {}

  /** Returns how often the trial has begun, at least twice where it is known to have been cut. */
  async begin(trial: TrialDescription, cut: ReadonlySet<number>): Promise<number> {
    let begun = 1;
    try {
      begun = await this.outbox.begin(trial.position);
    } catch (error) {
      // The answer itself is not at stake yet; whether it can be stored shows when there is one.
      this.options.errors.report(error, "noting that a trial begins");
    }
    sleep.reset();
    drafts.begin(`${this.outbox.options.session}/${trial.position}`);
    return Math.max(begun, cut.has(trial.position) ? 2 : 1);
  }

  /** Resolves when the answer is on the disk, or else with the server: nothing may come after it on the page before. */
  async end(trial: TrialDescription, data: TrialData, attempts: number): Promise<void> {
    const entries = this.entriesOf(trial, data, attempts);
    try {
      await this.outbox.put(entries);
    } catch (error) {
      const { errors, stage, messages } = this.options;
      errors.report(error, "storing an answer");
      stage.showUploading({ unsent: entries.length, offline: false, text: messages.storageWaiting });
      await this.outbox.drained();
      stage.backToTrials();
    }
    drafts.end();
  }

  private entriesOf(trial: TrialDescription, data: TrialData, attempts: number): Entry[] {
    const batches = data.events ?? [];
    const sequence = trial.position;
    return [
      ...batches.map((events, batch): Entry => ({ kind: "events", sequence, batch, events })),
      {
        kind: "result",
        sequence,
        payload: data.payload,
        rt_ms: data.rt_ms,
        onset_ms: data.onset_ms,
        clock: data.clock,
        onset_error_ms: data.onset_error_ms ?? null,
        interrupted: attempts > 1,
        attempts,
        focus_losses: this.attention.count,
        translated: isTranslated(this.options.config.language) || null,
        out_of_view: data.out_of_view ?? null,
        draft_restored: drafts.restored || null,
        page_slept_ms: sleep.milliseconds,
        event_batches: batches.length,
      },
    ];
  }
}

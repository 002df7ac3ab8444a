/** One visit to a session: open it, go on where it stopped, record every trial, and finish when the server has it all. */

import type { JsPsych } from "jspsych";
import { Attention } from "../page/attention";
import { checked, isRecord, persistently, refusalIn, type Send } from "../server/api";
import type {
  AdvanceAnswer,
  Carried,
  CompleteAnswer,
  Ending,
  OpenAnswer,
  TrialData,
  TrialDescription,
} from "../server/contract";
import { Database } from "../server/database";
import { Outbox, type OutboxState } from "../server/outbox";
import { randomName } from "../server/random-name";
import type { Supervision } from "../supervision";
import { clientFacts } from "./client-facts";
import { Notices } from "./notices";
import { carriedBy } from "./registry";
import { remainingWork, type Work } from "./session";
import { becomeOnlyTab } from "./tabs";
import { jsPsychIn, type TrialHooks, timelineOf } from "./timeline";
import { TrialLoader } from "./trial-loader";
import { type RecordOptions, TrialRecords } from "./trial-records";

export interface RunOptions extends RecordOptions {
  readonly send: Send;
}

const MOST_ROUNDS = 3;
const PATIENCE_WITH_OLD_ENTRIES = 10_000;
/** Nobody is timed in these, so a line at the foot of the page distracts nobody. */
const CALM_PHASES: readonly string[] = ["instructions", "questions", "break"];

export class Run {
  private readonly attention = new Attention();
  private outbox: Outbox | null = null;
  private jsPsych: JsPsych | null = null;
  private uploading = false;
  private oneGo = false;
  private resumeCode = "";
  private supervision: Supervision | null = null;
  private readonly loader: TrialLoader;
  private readonly notices: Notices;

  constructor(private readonly options: RunOptions) {
    this.loader = new TrialLoader(options.stage, options.config.modules);
    this.notices = new Notices(options);
  }

  /** Resolves when a page is shown that ends this visit. */
  async run(): Promise<void> {
    const { config, messages, stage } = this.options;
    let tab: string;
    let database: Database;
    try {
      // A browser that refuses site data refuses the lock as well.
      await becomeOnlyTab(config.slug, () =>
        stage.showPage({ heading: messages.otherTabHeading, content: [messages.otherTabText] }),
      );
      database = await Database.open();
      tab = await database.browserName(randomName);
    } catch (error) {
      this.options.errors.report(error, "opening the storage");
      return stage.showFault(messages.storageHeading, messages.storageText);
    }
    this.listen();
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const open = await this.open(database, tab);
      if (open === null) return;
      const language = open.language || config.language;
      this.resumeCode = open.resume_code ?? "";
      await this.loader.loadScripts(open.trials, language);
      const work = remainingWork(open, this.outbox?.waitingResults ?? [], carriedBy);
      stage.showProgress(work.done, work.total);
      // Where nothing but an interruption ended it, what is still here may complete it.
      if (open.ending?.heading || work.ended) return stage.showEnding(open.ending);
      this.oneGo = open.resume === "end" && work.trials.length > 0;
      await this.showTrials(work, language);
      const last = open.more === true ? await this.goOn(work, language) : "finished";
      if (last === "ended") return;
      if (last === "again") continue;
      this.oneGo = false;
      if ((await this.finish()) === "ended") return;
    }
    this.notices.showStuck(0);
  }

  /** Sends what an earlier visit left behind, and opens the session: the server decides on what it really has. */
  private async open(database: Database, tab: string): Promise<OpenAnswer | null> {
    const outbox = await this.outboxOf(database, this.options.config.participant, tab);
    await Promise.race([outbox.drained(), pause(PATIENCE_WITH_OLD_ENTRIES)]);
    const open = await this.openSession(database, tab);
    if (open !== null) await this.outboxOf(database, open.participant, tab);
    return open;
  }

  private async openSession(database: Database, tab: string): Promise<OpenAnswer | null> {
    const { messages, stage, send } = this.options;
    for (let takeOver = false; ; takeOver = true) {
      const body = JSON.stringify({ tab, take_over: takeOver, client: clientFacts() });
      const answer = await persistently(
        () => send("session/open/", body),
        () => stage.showPage({ heading: messages.openingHeading, content: [messages.openingText] }),
      );
      if (answer.status === 200 && isRecord(answer.body)) return answer.body as unknown as OpenAnswer;
      if (answer.status !== 423) {
        if (refusalIn(answer).code === "closed") {
          const { participant, ending } = answer.body as { participant: string; ending: Ending };
          await this.outboxOf(database, participant, tab);
          // It accepts waiting entries, and completes sessions with all answers.
          await this.finish(() => stage.showEnding(ending));
        } else this.notices.showCannotOpen(answer);
        return null;
      }
      await this.notices.askToTakeOver();
      // A request of before may still come back and say that this device has no lease.
      this.outbox = null;
    }
  }

  /** The outbox of a participant, sending; another one where the first has stopped. */
  private async outboxOf(database: Database, participant: string, tab: string): Promise<Outbox> {
    const { config, send } = this.options;
    const session = `${config.slug}/${participant}`;
    if (this.outbox?.options.session !== session || this.outbox.state.stopped !== null) {
      const outbox = await Outbox.open({ database, session, participant, tab, send });
      this.outbox = outbox;
      outbox.onChange((state) => {
        if (outbox === this.outbox) this.outboxChanged(state);
      });
    }
    this.outbox.start();
    return this.outbox;
  }

  private async showTrials(work: Work, language: string): Promise<void> {
    if (this.outbox === null || work.trials.length === 0 || this.outbox.state.stopped) return;
    const { stage, send } = this.options;
    const records = new TrialRecords(this.options, this.outbox, this.attention);
    let carried: Carried = work.carried;
    let done = work.done;
    let attempts = 1;
    let skipped: readonly number[] = [];
    let part = work.trials[0]?.part;
    this.loader.loadMedia(work.trials);
    await this.supervise(language);
    const hooks: TrialHooks = {
      check:
        ({ position }) =>
        (question) =>
          checked(send, "session/check/", { position, ...question }),
      before: async (trial: TrialDescription) => {
        if (skipped.includes(trial.position)) {
          done += 1;
          return true;
        }
        await this.supervision?.beforeTrial();
        await this.loader.beforeTrial(trial);
        stage.showResumeCode(CALM_PHASES.includes(trial.phase) ? this.resumeCode : "");
        attempts = await records.begin(trial, work.cut);
        // What one task leaves is for its own trials.
        if (trial.part !== part) carried = {};
        part = trial.part;
        this.attention.reset();
        return false;
      },
      after: async (trial: TrialDescription, data: TrialData) => {
        await records.end(trial, data, attempts);
        carried = { ...carried, ...carriedBy(trial, data.payload) };
        skipped = data.skips ?? skipped;
        done += 1;
        stage.showProgress(done, work.total);
      },
    };
    this.jsPsych = jsPsychIn(stage.newTrials());
    await this.jsPsych.run(timelineOf({ trials: work.trials, language, carried: () => carried, hooks }));
    this.jsPsych = null;
  }

  /** In a supervised study nothing begins before full screen, nor during a pause. */
  private async supervise(language: string): Promise<void> {
    const { config, stage, send } = this.options;
    if (!config.supervised) return;
    if (this.supervision === null) {
      const { Supervision } = await import("../supervision");
      this.supervision = new Supervision({ stage, send, language });
    }
    await this.supervision.begin();
  }

  /** Shows what the answers so far decide, as often as more is decided. "again" where the server lacks trials. */
  private async goOn(shown: Work, language: string): Promise<"finished" | "ended" | "again"> {
    for (let work: Work = shown; ; ) {
      const next = await this.advance(work, language);
      if (next === "ended" || next === "again") return next;
      await this.showTrials(next, language);
      if (!next.more) return "finished";
      work = next;
    }
  }

  /** Asks what comes next. "again" where the server wants trials that nobody has. */
  private async advance(before: Work, language: string): Promise<(Work & { more: boolean }) | "ended" | "again"> {
    const next = await this.askOnceAllIsSent<AdvanceAnswer>("session/advance/");
    if (next === null) return "ended";
    if (next.missing.length > 0) return this.showMissing(next.missing, []);
    if (next.ending !== undefined) {
      this.options.stage.showEnding(next.ending);
      return "ended";
    }
    await this.loader.loadScripts(next.trials, language);
    const done = before.done + before.trials.length;
    const more = next.more === true;
    // How many are still to come is known about only as long as more is decided.
    const total = more ? Math.max(before.total, done + next.trials.length + 1) : done + next.trials.length;
    return { trials: next.trials, done, total, carried: {}, cut: new Set(), ended: false, more };
  }

  /**
   * Asks for the end. "again" where the server wants trials that nobody has; `unfinished` shows what comes instead where
   * there is no going on.
   */
  private async finish(unfinished?: () => void): Promise<"ended" | "again"> {
    const outcome = await this.askOnceAllIsSent<CompleteAnswer>("session/complete/");
    if (outcome === null) return "ended";
    if (!outcome.complete) {
      if (unfinished === undefined) return this.showMissing(outcome.missing, outcome.missing_events ?? []);
      unfinished();
      return "ended";
    }
    const { stage } = this.options;
    stage.showProgress(1, 1);
    stage.showEnd({
      debriefing: outcome.debriefing.blocks,
      ending: {
        heading: "",
        text: outcome.ending?.text ?? "",
        link: outcome.redirect_url,
        code: outcome.completion_code,
        advice: outcome.ending?.advice ?? "",
      },
      withdrawalCode: outcome.withdrawal_code,
      resumeCode: outcome.resume_code ?? "",
    });
    return "ended";
  }

  /** Shows how much is still to be sent, until all is, and asks then; null where a page was shown that ends this visit. */
  private async askOnceAllIsSent<T>(address: string): Promise<T | null> {
    const { outbox } = this;
    const { messages, stage, send } = this.options;
    if (outbox === null) throw new Error("No session is open.");
    this.uploading = outbox.state.stopped === null;
    if (this.uploading && outbox.state.unsent > 0) {
      this.outboxChanged(outbox.state);
      await outbox.drained();
    }
    if (outbox.state.stopped !== null) {
      this.notices.showStopped(outbox.state.stopped);
      return null;
    }
    stage.showUploading({ unsent: 0, offline: false });
    const answer = await persistently(
      () => send(address, "{}"),
      () => stage.showUploading({ unsent: 0, offline: true, text: messages.openingText }),
    );
    this.uploading = false;
    if (answer.status === 200 && isRecord(answer.body)) return answer.body as unknown as T;
    this.notices.showCannotOpen(answer);
    return null;
  }

  private showMissing(missing: readonly number[], missingEvents: readonly unknown[]): "ended" | "again" {
    const lacking = new Set(missing);
    const refused = (this.outbox?.problems ?? []).filter(
      (problem) => lacking.has(problem.sequence) || problem.kind === "events",
    );
    if (refused.length === 0 && missingEvents.length === 0) return "again";
    this.options.errors.report(new Error(`The session cannot complete: ${missing.length} trials are missing.`));
    this.notices.showStuck(Math.max(refused.length, missingEvents.length));
    return "ended";
  }

  private outboxChanged(state: OutboxState): void {
    const { stage, messages } = this.options;
    const offline = !navigator.onLine;
    const trouble = state.connection === "retrying" && state.unsent > 0 && !state.stopped;
    stage.sayConnection(trouble ? (offline ? messages.offline : messages.retrying) : "");
    if (this.uploading) stage.showUploading({ unsent: state.unsent, offline: offline || trouble });
    if (state.stopped !== null) this.jsPsych?.abortExperiment();
  }

  private listen(): void {
    window.addEventListener("online", () => this.outbox?.retryNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.outbox?.retryNow();
    });
    window.addEventListener("pagehide", () => this.outbox?.sendBeforeClosing());
    // A page taken back out of the browser's memory has lost its lock and may be behind.
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) window.location.reload();
    });
    window.addEventListener("beforeunload", (event) => {
      const unsent = (this.outbox?.state.unsent ?? 0) > 0 && this.outbox?.state.stopped === null;
      if (unsent || this.oneGo) event.preventDefault();
    });
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

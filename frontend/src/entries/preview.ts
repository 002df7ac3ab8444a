/**
 * A study as a participant sees it, for the researcher, with what each page recorded beside it. Nothing is stored.
 *
 * `?simulate=data-only` or `?simulate=visual` answers everything by simulation. What was recorded is then, and always, on
 * `window.lecternPreview`.
 */

import type { JsPsych } from "jspsych";
import type { Messages } from "../languages/messages";
import { element } from "../page/blocks";
import type { Stage } from "../page/stage";
import { checked, isRecord, type Send } from "../server/api";
import type { Carried, OpenAnswer, RunConfig, TrialData, TrialDescription } from "../server/contract";
import { carriedBy, loadPlugins } from "../session/registry";
import { jsPsychIn, type TrialHooks, timelineOf } from "../session/timeline";

export interface PreviewRecord {
  readonly position: number;
  readonly phase: string;
  readonly plugin: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly rt_ms: number | null;
  readonly onset_ms: number | null;
  readonly clock: string;
  readonly simulated: boolean;
  readonly valid: boolean | null;
  /** What the server says of an answer that it would refuse, or of a request that it does not understand. */
  readonly errors: readonly string[];
  readonly measures: Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    lecternPreview?: { done: boolean; records: PreviewRecord[] };
  }
}

interface PreviewOptions {
  readonly config: RunConfig;
  readonly messages: Messages;
  readonly stage: Stage;
  readonly send: Send;
  readonly root: HTMLElement;
}

type Simulation = "data-only" | "visual";

const MOST_RECORDS_SHOWN = 40;

export class Preview {
  private readonly state: { done: boolean; records: PreviewRecord[] } = { done: false, records: [] };
  private readonly list = element("ol", { class: "records", reversed: true });
  private readonly empty: HTMLElement;
  private jsPsych: JsPsych | null = null;
  private trials: readonly TrialDescription[] = [];
  private order: { readonly list?: number | undefined; readonly seed?: number | undefined } = {};
  private carried: Carried = {};
  private next = 0;
  private skipTo = 0;
  private restart = false;
  private readonly controls: HTMLButtonElement[] = [];
  private ending: () => void = () => {};

  constructor(private readonly options: PreviewOptions) {
    this.empty = element("p", { class: "quiet" }, options.messages.previewNothingYet);
    window.lecternPreview = this.state;
  }

  async run(): Promise<void> {
    const select = this.showPanel();
    const wanted = new URLSearchParams(window.location.search).get("simulate");
    const simulation: Simulation | null = wanted === "data-only" || wanted === "visual" ? wanted : null;
    for (let first = true; ; first = false) {
      // What is pressed while a list is on its way would be forgotten when it is there.
      for (const control of this.controls) control.disabled = true;
      const open = await this.load(select.value);
      if (open === null) return;
      await loadPlugins(open.trials.map((trial) => trial.plugin));
      this.begin(open);
      for (const control of this.controls) control.disabled = false;
      if (first && simulation !== null) await this.show(this.trials.length, open.language, simulation);
      else await this.showAll(open.language);
      if (!this.restart) {
        this.showEnd();
        await new Promise<void>((resolve) => {
          this.ending = resolve;
        });
      }
    }
  }

  private async load(list: string): Promise<OpenAnswer | null> {
    const { send, stage, messages } = this.options;
    const path = list === "" ? "preview/" : `preview/?list=${encodeURIComponent(list)}`;
    const answer = await send(path, null, { method: "GET" });
    if (answer.status === 200 && isRecord(answer.body)) return answer.body as unknown as OpenAnswer;
    stage.showPage({ heading: messages.preview, content: [messages.previewUnavailable] });
    return null;
  }

  private begin(open: OpenAnswer): void {
    this.trials = [...open.trials].sort((a, b) => a.position - b.position);
    this.order = { list: open.list, seed: open.seed };
    this.carried = open.carried;
    this.next = 0;
    this.skipTo = 0;
    this.restart = false;
    this.state.done = false;
    this.state.records.length = 0;
    this.list.replaceChildren();
    this.empty.hidden = false;
    this.options.stage.showProgress(0, this.trials.length);
  }

  /** Shows all trials; what is skipped is answered by simulation, so that later trials have what they need. */
  private async showAll(language: string): Promise<void> {
    while (this.next < this.trials.length && !this.restart) {
      if (this.skipTo > this.next) await this.show(this.skipTo, language, "data-only");
      else await this.show(this.trials.length, language, null);
    }
  }

  private async show(until: number, language: string, simulation: Simulation | null): Promise<void> {
    const trials = this.trials.slice(this.next, until);
    const after = (trial: TrialDescription, data: TrialData) => this.record(trial, data, simulation !== null);
    const check: TrialHooks["check"] =
      ({ params }) =>
      (question) =>
        checked(this.options.send, "preview/check/", { params, ...question });
    const hooks: TrialHooks = { before: async () => {}, after, check };
    const jsPsych = jsPsychIn(this.options.stage.newTrials());
    const timeline = timelineOf({ trials, language, carried: () => this.carried, hooks });
    this.jsPsych = jsPsych;
    await (simulation === null ? jsPsych.run(timeline) : jsPsych.simulate(timeline, simulation));
    this.jsPsych = null;
  }

  private async record(trial: TrialDescription, data: TrialData, simulated: boolean): Promise<void> {
    this.carried = { ...this.carried, ...carriedBy(trial, data.payload) };
    // Counted at once: somebody may skip on while the server is still asked what it thinks of this answer.
    this.next += 1;
    const { send, stage } = this.options;
    const { plugin, params, position, phase } = trial;
    const body = JSON.stringify({ plugin, params, position, ...this.order, ...data });
    const answer = await send("preview/validate/", body);
    const verdict = isRecord(answer.body) ? answer.body : {};
    const record: PreviewRecord = {
      position,
      phase,
      plugin,
      params,
      payload: data.payload,
      rt_ms: data.rt_ms,
      onset_ms: data.onset_ms,
      clock: data.clock,
      simulated,
      valid: typeof verdict.valid === "boolean" ? verdict.valid : null,
      errors: sentences(verdict),
      measures: isRecord(verdict.measures) ? verdict.measures : {},
    };
    this.state.records.push(record);
    this.empty.hidden = true;
    this.list.prepend(this.recordShown(record));
    while (this.list.children.length > MOST_RECORDS_SHOWN) this.list.lastElementChild?.remove();
    stage.showProgress(this.next, this.trials.length);
  }

  private showEnd(): void {
    const { stage, messages } = this.options;
    this.state.done = true;
    stage.showPage({ heading: messages.previewEnd, content: [messages.previewEndText] });
  }

  private showPanel(): HTMLSelectElement {
    const { config, messages, root } = this.options;
    const lists = config.lists ?? [];
    const select = element("select", { id: "preview-list" });
    for (const list of lists) select.append(element("option", { value: String(list.id) }, list.name));
    select.addEventListener("change", () => this.startAgain());
    const controls = element("div", { class: "preview-controls" });
    if (lists.length > 0) {
      controls.append(element("label", { for: "preview-list" }, messages.previewList), select);
    }
    controls.append(
      this.control(messages.previewSkip, () => this.skip(this.next + 1)),
      this.control(messages.previewSkipPhase, () => this.skip(this.endOfPhase())),
      this.control(messages.previewRestart, () => this.startAgain()),
    );
    const panel = element(
      "aside",
      { class: "preview-panel", "aria-label": messages.preview },
      element(
        "p",
        { class: "preview-title" },
        element("strong", {}, messages.preview),
        ` · ${messages.previewNothingStored}`,
      ),
      controls,
      element("h2", {}, messages.previewRecorded),
      this.empty,
      this.list,
    );
    root.classList.add("with-preview");
    root.append(panel);
    return select;
  }

  private control(label: string, action: () => void): HTMLElement {
    const button = element("button", { type: "button", class: "plain" }, label);
    button.addEventListener("click", action);
    this.controls.push(button);
    return button;
  }

  private endOfPhase(): number {
    const phase = this.trials[this.next]?.phase;
    const rest = this.trials.findIndex((trial, index) => index > this.next && trial.phase !== phase);
    return rest === -1 ? this.trials.length : rest;
  }

  private skip(to: number): void {
    this.skipTo = to;
    this.jsPsych?.abortExperiment();
  }

  private startAgain(): void {
    this.restart = true;
    this.jsPsych?.abortExperiment();
    this.ending();
  }

  private recordShown(record: PreviewRecord): HTMLElement {
    const { messages } = this.options;
    const verdict = record.valid === null ? "" : record.valid ? messages.previewValid : messages.previewInvalid;
    const head = [
      record.plugin,
      record.phase,
      record.rt_ms === null ? "" : `${record.rt_ms.toFixed(1)} ms (${record.clock})`,
      record.simulated ? messages.previewSimulated : "",
      verdict,
    ];
    const measures = element("dl", { class: "measures" });
    for (const [name, value] of Object.entries(record.measures)) {
      measures.append(element("dt", {}, name), element("dd", {}, shown(value)));
    }
    const errors = record.errors.map((sentence) => element("p", { class: "message" }, sentence));
    return element(
      "li",
      { value: String(record.position + 1) },
      element("p", { class: "record-head" }, head.filter(Boolean).join(" · ")),
      ...errors,
      measures,
      element("pre", {}, JSON.stringify(record.payload, null, 1)),
    );
  }
}

/** The sentences of an answer about an answer: why it would be refused, or why it could not be judged. */
function sentences(verdict: Readonly<Record<string, unknown>>): string[] {
  if (Array.isArray(verdict.errors)) return verdict.errors.map(shown);
  if (typeof verdict.message !== "string") return [];
  const fields = isRecord(verdict.fields) ? Object.entries(verdict.fields) : [];
  return [verdict.message, ...fields.map(([name, faults]) => `${name}: ${[faults].flat().map(shown).join(" ")}`)];
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

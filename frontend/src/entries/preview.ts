/**
 * A study as a participant sees it, for the researcher, with what each page recorded beside it. Nothing is stored.
 *
 * `?simulate=data-only` or `?simulate=visual` answers everything by simulation. What was recorded is then, and always, on
 * `window.lecternPreview`.
 */

import type { JsPsych } from "jspsych";
import { buttonSaying, element } from "../page/blocks";
import type { Stage } from "../page/stage";
import { checked, isRecord, type Send } from "../server/api";
import type {
  Carried,
  Fact,
  OpenAnswer,
  PageInWords,
  PreviewChoice,
  RunConfig,
  TrialData,
  TrialDescription,
} from "../server/contract";
import { carriedBy } from "../session/registry";
import { jsPsychIn, type TrialHooks, timelineOf } from "../session/timeline";
import { TrialLoader } from "../session/trial-loader";
import { previewMessagesIn } from "./preview-messages";

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
  /** What would be stored, in words. */
  readonly stored: readonly Fact[];
}

declare global {
  interface Window {
    lecternPreview?: { done: boolean; records: PreviewRecord[] };
  }
}

interface PreviewOptions {
  readonly config: RunConfig;
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
  /** What is on the page now: a heading and facts. */
  private readonly now = element("section", { class: "preview-now", "aria-live": "polite" });
  private pages: ReadonlyMap<number, PageInWords> = new Map();
  private jsPsych: JsPsych | null = null;
  private trials: readonly TrialDescription[] = [];
  private order: {
    readonly list?: number | undefined;
    readonly seed?: number | undefined;
    readonly group?: string | undefined;
  } = {};
  private carried: Carried = {};
  private next = 0;
  private skipTo = 0;
  private skipped: readonly number[] = [];
  private restart = false;
  private readonly controls: HTMLButtonElement[] = [];
  private ending: () => void = () => {};

  private readonly loader: TrialLoader;

  private readonly messages;

  constructor(private readonly options: PreviewOptions) {
    this.messages = previewMessagesIn(options.config.language);
    this.loader = new TrialLoader(options.stage, options.config.modules);
    this.empty = element("p", { class: "quiet" }, this.messages.nothingYet);
    window.lecternPreview = this.state;
  }

  async run(): Promise<void> {
    const choices = this.showPanel();
    const wanted = new URLSearchParams(window.location.search).get("simulate");
    const simulation: Simulation | null = wanted === "data-only" || wanted === "visual" ? wanted : null;
    for (let first = true; ; first = false) {
      // What is pressed while a list is on its way would be forgotten when it is there.
      for (const control of this.controls) control.disabled = true;
      const open = await this.load(choices);
      if (open === null) return;
      await this.loader.loadScripts(open.trials, open.language);
      this.loader.loadMedia(open.trials);
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

  private async load(choices: ReadonlyMap<string, HTMLSelectElement>): Promise<OpenAnswer | null> {
    const { messages } = this;
    const { send, stage } = this.options;
    const wanted = new URLSearchParams(this.options.config.language_query);
    for (const [name, select] of choices) if (select.value !== "") wanted.set(name, select.value);
    const path = wanted.size === 0 ? "preview/" : `preview/?${wanted.toString()}`;
    const answer = await send(path, null, { method: "GET" });
    if (answer.status === 200 && isRecord(answer.body)) {
      const open = answer.body as unknown as OpenAnswer;
      const group = choices.get("group");
      // A part that the chosen group does not see is shown as somebody of a group that does.
      if (group !== undefined && open.group) group.value = open.group;
      return open;
    }
    stage.showPage({ heading: messages.heading, content: [messages.unavailable] });
    return null;
  }

  /** A path with what keeps it in the language of the page: an answer is judged as it was asked for. */
  private inLanguage(path: string): string {
    return `${path}${this.options.config.language_query ?? ""}`;
  }

  private begin(open: OpenAnswer): void {
    this.trials = [...open.trials].sort((a, b) => a.position - b.position);
    // They come in the order of the trials.
    this.pages = new Map((open.pages ?? []).map((page, index) => [open.trials[index]?.position ?? index, page]));
    this.order = { list: open.list, seed: open.seed, group: open.group };
    this.carried = open.carried;
    this.next = 0;
    this.skipTo = 0;
    this.skipped = [];
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
    const after = async (trial: TrialDescription, data: TrialData) => {
      this.skipped = data.skips ?? this.skipped;
      await this.record(trial, data, simulation !== null);
    };
    const check: TrialHooks["check"] =
      ({ params, plugin, position }) =>
      (question) =>
        checked(this.options.send, this.inLanguage("preview/check/"), {
          params,
          plugin,
          position,
          ...this.order,
          ...question,
          answers:
            plugin === "break-feedback"
              ? this.state.records.map(({ position, payload, rt_ms }) => ({ position, payload, rt_ms }))
              : [],
        });
    const before = async (trial: TrialDescription) => {
      if (this.skipped.includes(trial.position)) {
        this.next += 1;
        return true;
      }
      if (simulation !== "data-only") this.showNow(trial);
      if (simulation !== "data-only") await this.loader.beforeTrial(trial, { unlocks: simulation === null });
      return false;
    };
    const hooks: TrialHooks = { before, after, check };
    const jsPsych = jsPsychIn(this.options.stage.newTrials());
    const timeline = timelineOf({ trials, language, carried: () => this.carried, hooks });
    this.jsPsych = jsPsych;
    await (simulation === null ? jsPsych.run(timeline) : jsPsych.simulate(timeline, simulation));
    this.jsPsych = null;
  }

  private async record(trial: TrialDescription, data: TrialData, simulated: boolean): Promise<void> {
    const next = this.trials[this.next + 1];
    // What one task leaves is for its own trials.
    this.carried = next?.part === trial.part ? { ...this.carried, ...carriedBy(trial, data.payload) } : {};
    // Counted at once: somebody may skip on while the server is still asked what it thinks of this answer.
    this.next += 1;
    const { send, stage } = this.options;
    const { plugin, params, position, phase } = trial;
    const body = JSON.stringify({ plugin, params, position, ...this.order, ...data });
    const answer = await send(this.inLanguage("preview/validate/"), body);
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
      stored: Array.isArray(verdict.stored) ? verdict.stored.filter(isFact) : [],
    };
    this.state.records.push(record);
    this.empty.hidden = true;
    this.list.prepend(this.recordShown(record));
    while (this.list.children.length > MOST_RECORDS_SHOWN) this.list.lastElementChild?.remove();
    stage.showProgress(this.next, this.trials.length);
  }

  private showEnd(): void {
    const { messages } = this;
    const { stage } = this.options;
    this.state.done = true;
    this.now.replaceChildren();
    stage.showPage({ heading: messages.end, content: [messages.endText] });
  }

  /** Shows the panel and returns what is chosen in it, by the name that the address and the server have for it. */
  private showPanel(): ReadonlyMap<string, HTMLSelectElement> {
    const { messages } = this;
    const { config, root } = this.options;
    const controls = element("div", { class: "preview-controls" });
    const choices = new Map<string, HTMLSelectElement>();
    const offered = [
      ["list", messages.list, config.lists ?? []],
      ["part", messages.part, config.parts ?? []],
      ["group", messages.group, config.groups ?? []],
    ] as const;
    const given = new URLSearchParams(window.location.search);
    for (const [name, label, entries] of offered) {
      if (entries.length === 0) continue;
      const select = element("select", { id: `preview-${name}` });
      for (const entry of entries) select.append(element("option", { value: String(entry.id) }, entry.name));
      const wanted = entries.find((entry) => String(entry.id) === given.get(name));
      if (wanted !== undefined) select.value = String(wanted.id);
      select.addEventListener("change", () => this.startAgain());
      controls.append(element("div", { class: "preview-choice" }, element("label", { for: select.id }, label), select));
      choices.set(name, select);
    }
    if (config.languages !== undefined) controls.append(this.languageChoice(config.languages));
    controls.append(
      this.control(messages.skip, () => this.skip(this.next + 1)),
      this.control(messages.skipPhase, () => this.skip(this.endOfPhase())),
      this.control(messages.restart, () => this.startAgain()),
    );
    const panel = element(
      "aside",
      { class: "preview-panel", dir: "ltr", "aria-label": messages.heading },
      element("p", { class: "preview-title" }, element("strong", {}, messages.heading), ` · ${messages.nothingStored}`),
      controls,
      this.now,
      element("h2", {}, messages.recorded),
      this.empty,
      this.list,
    );
    root.classList.add("with-preview");
    root.append(panel);
    return choices;
  }

  /** The languages of the study. The texts of another one come with its page. */
  private languageChoice(languages: readonly PreviewChoice[]): HTMLElement {
    const select = element("select", { id: "preview-lang" });
    for (const { id, name } of languages)
      select.append(element("option", { value: String(id), lang: String(id) }, name));
    select.value = new URLSearchParams(this.options.config.language_query).get("lang") ?? "";
    select.addEventListener("change", () => {
      const address = new URLSearchParams(window.location.search);
      address.set("lang", select.value);
      window.location.search = address.toString();
    });
    const label = element("label", { for: select.id }, this.messages.language);
    return element("div", { class: "preview-choice" }, label, select);
  }

  private control(label: string, action: () => void): HTMLElement {
    const button = buttonSaying(label, "plain");
    button.addEventListener("click", action);
    this.controls.push(button);
    return button;
  }

  private endOfPhase(): number {
    const phase = this.trials[this.next]?.phase;
    const rest = this.trials.findIndex((trial, index) => index > this.next && trial.phase !== phase);
    return rest === -1 ? this.trials.length : rest;
  }

  private showNow(trial: TrialDescription): void {
    const page = this.pages.get(trial.position);
    if (page === undefined) return;
    this.now.replaceChildren(element("h2", {}, this.messages.now), element("p", {}, page.heading), facts(page.facts));
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
    const { messages } = this;
    const verdict = record.valid === null ? "" : record.valid ? messages.valid : messages.invalid;
    const head = [this.pages.get(record.position)?.heading ?? "", record.simulated ? messages.simulated : "", verdict];
    const errors = record.errors.map((sentence) => element("p", { class: "message" }, sentence));
    return element(
      "li",
      { value: String(record.position + 1) },
      element("p", { class: "record-head" }, head.filter(Boolean).join(" · ")),
      ...errors,
      facts([...(this.pages.get(record.position)?.facts ?? []), ...record.stored]),
      record.stored.length === 0 && record.valid !== false
        ? element("p", { class: "quiet" }, messages.nothingOfPage)
        : "",
      element(
        "details",
        {},
        element("summary", {}, messages.details),
        element("pre", {}, JSON.stringify(detailsOf(record), null, 1)),
      ),
    );
  }
}

function facts(entries: readonly Fact[]): HTMLElement {
  const list = element("dl", { class: "measures" });
  for (const { label, value } of entries) list.append(element("dt", {}, label), element("dd", {}, value));
  return list;
}

function isFact(value: unknown): value is Fact {
  return isRecord(value) && typeof value.label === "string" && typeof value.value === "string";
}

/** What a file of the study would have, by the names that it has there. */
function detailsOf({ plugin, phase, clock, rt_ms, measures, payload }: PreviewRecord) {
  return { plugin, phase, rt_ms, clock, measures, payload };
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

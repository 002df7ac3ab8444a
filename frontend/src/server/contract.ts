/** The shapes that travel between server and browser. */

import type { Data } from "../languages/data";
import type { ClockName } from "../timing/clock";

export interface RunConfig {
  readonly slug: string;
  readonly title: string;
  readonly language: string;
  readonly mode: "run" | "preview";
  /** Whose session this browser has; empty in a preview. */
  readonly participant: string;
  readonly contact: string;
  readonly responsible: string;
  readonly api: string;
  /** True where an experimenter watches over the session. */
  readonly supervised?: boolean;
  /** Plugin → address of its module, where a package on the server brings it. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Logo and colour, only for the last page; the page's style already has the colour. */
  readonly look?: Look;
  readonly lists?: readonly PreviewChoice[];
  readonly parts?: readonly PreviewChoice[];
  readonly groups?: readonly PreviewChoice[];
  /** Of a study in several: all of them, of which `language_query` asks for that of the page. */
  readonly languages?: readonly PreviewChoice[];
  readonly language_query?: string;
}

/** What a study says instead of texts of its language, on any page of its participants that has a script. */
export interface WordingConfig {
  readonly language: string;
  readonly wording?: Data;
}

export interface Look {
  readonly logo?: { readonly url: string; readonly width: number; readonly height: number; readonly text: string };
  readonly colour?: string;
}

export interface LandingConfig {
  readonly slug: string;
  readonly api: string;
  readonly language: string;
  readonly requirements: readonly string[];
  readonly consent_version: number;
  readonly has_session: boolean;
  /** The name of the participant whose session this browser has; empty if there is none. */
  readonly session: string;
  readonly recruitment_parameters: readonly string[];
  /** What addresses need to stay in the language of the page, such as `?lang=de`; empty where there is one alone. */
  readonly language_query: string;
}

export interface TrialDescription {
  readonly position: number;
  readonly phase: string;
  readonly plugin: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The part of the study that the trial belongs to. */
  readonly part?: string;
}

/** A question about an answer within a trial, as whether it is right. Nobody waits for it: null where no answer comes. */
export type Check = (question: Readonly<Record<string, number>>) => Promise<Readonly<Record<string, unknown>> | null>;

export type Carried = Readonly<Record<string, unknown>>;

export interface OpenAnswer {
  readonly participant: string;
  readonly mode: string;
  readonly language: string;
  readonly resume: "continue" | "restart-block" | "end";
  readonly trials: readonly TrialDescription[];
  readonly answered: readonly number[];
  readonly interrupted: readonly number[];
  readonly carried: Carried;
  readonly status: string;
  /** True where further trials come once those of now are stored and `session/advance/` was asked. */
  readonly more?: boolean;
  /** About how many trials the session has in all. */
  readonly expected?: number;
  /** What continues the session on another device; empty where somebody came by a link alone. */
  readonly resume_code?: string;
  /** The last page of a session that ended otherwise than by being completed. */
  readonly ending?: Ending;
  /** Of a preview only: which trials these are, so that an answer is judged as in a session. */
  readonly list?: number;
  readonly seed?: number;
  readonly group?: string;
  /** What each of the trials is, in their order, in words. */
  readonly pages?: readonly PageInWords[];
}

/** A name and what it is, as people read them. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface PageInWords {
  readonly heading: string;
  readonly facts: readonly Fact[];
}

/** What comes after the first questionnaires and pages, or after what later parts depend on: trials, or why none. */
export interface AdvanceAnswer {
  readonly trials: readonly TrialDescription[];
  /** True where still more is decided by the answers to these. */
  readonly more?: boolean;
  readonly missing: readonly number[];
  readonly status: string;
  readonly ending?: Ending;
}

/** The last page of a session, and the way back to where the participant came from. What is empty is not shown. */
export interface Ending {
  readonly heading: string;
  readonly text: string;
  readonly link: string;
  readonly code: string;
  /** What to do where the link could not be completed. */
  readonly advice: string;
}

/** What a plugin hands over at the end of its trial. `events` become append-only batches, in their order. */
export interface TrialData {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly rt_ms: number | null;
  readonly onset_ms: number | null;
  readonly clock: ClockName;
  /** By how many milliseconds the onset may be off, as far as the browser can know; nothing where there is none. */
  readonly onset_error_ms?: number | null;
  /** How many of the things that are timed were not in the window as a whole; nothing where no window was looked at. */
  readonly out_of_view?: number | null;
  readonly events?: readonly (readonly unknown[])[];
  /** Positions of trials that are left out from now on. */
  readonly skips?: readonly number[];
}

/** What a preview can begin with: a list, a part, a group. */
export interface PreviewChoice {
  readonly id: number | string;
  readonly name: string;
}

export interface ResultEntry {
  readonly kind: "result";
  readonly sequence: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly rt_ms: number | null;
  readonly onset_ms: number | null;
  readonly clock: ClockName;
  readonly onset_error_ms: number | null;
  readonly interrupted: boolean;
  readonly attempts: number;
  readonly focus_losses: number;
  /** Where the page had been translated; nothing where it had not. */
  readonly translated: true | null;
  readonly out_of_view: number | null;
  /** Where text that was typed before the page was loaded again was put back. */
  readonly draft_restored: true | null;
  /** How long the page stood still; null where it did not. */
  readonly page_slept_ms: number | null;
  readonly event_batches: number;
}

export interface EventsEntry {
  readonly kind: "events";
  readonly sequence: number;
  readonly batch: number;
  readonly events: readonly unknown[];
}

export interface OpenedEntry {
  readonly kind: "opened";
  readonly sequence: number;
}

export type Entry = ResultEntry | EventsEntry | OpenedEntry;

export interface EntryOutcome {
  readonly kind: string;
  readonly sequence: number;
  readonly batch?: number | null;
  readonly status: "stored" | "duplicate" | "conflict" | "refused";
  readonly message?: string;
}

/** A piece of a text, as it is marked. */
export interface Span {
  readonly text: string;
  readonly strong?: boolean;
  readonly emphasis?: boolean;
  readonly href?: string;
}

export type Block =
  | {
      readonly type: "paragraph" | "heading" | "example";
      readonly text: string;
      readonly spans?: readonly Span[];
      readonly level?: number;
    }
  | {
      readonly type: "list";
      readonly items: readonly string[];
      readonly item_spans?: readonly (readonly Span[])[];
      readonly first?: number;
    };

export type CompleteAnswer =
  | {
      readonly complete: true;
      readonly completion_code: string;
      readonly redirect_url: string;
      readonly ending?: Ending;
      /** These two are empty where somebody came by a link alone. */
      readonly withdrawal_code: string;
      readonly resume_code?: string;
      readonly debriefing: { readonly blocks: readonly Block[] };
    }
  | { readonly complete: false; readonly missing: readonly number[]; readonly missing_events?: readonly unknown[] };

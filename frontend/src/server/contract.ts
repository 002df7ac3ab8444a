/** The shapes that travel between server and browser. */

import type { Block } from "../page/blocks";
import type { ClockName } from "../plugins/clock";

export interface RunConfig {
  readonly slug: string;
  readonly title: string;
  readonly language: string;
  readonly mode: "run" | "preview";
  readonly contact: string;
  readonly responsible: string;
  readonly api: string;
  /** True where an experimenter watches over the session. */
  readonly supervised?: boolean;
  readonly lists?: readonly { readonly id: number | string; readonly name: string }[];
}

export interface LandingConfig {
  readonly slug: string;
  readonly api: string;
  readonly language: string;
  readonly requirements: readonly string[];
  readonly consent_version: number;
  readonly has_session: boolean;
  readonly recruitment_parameters?: readonly string[];
}

export interface TrialDescription {
  readonly position: number;
  readonly phase: string;
  readonly plugin: string;
  readonly params: Readonly<Record<string, unknown>>;
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
  /** Of a preview only: which trials these are, so that an answer is judged as in a session. */
  readonly list?: number;
  readonly seed?: number;
}

/** What a plugin hands over at the end of its trial. `events` become append-only batches, in their order. */
export interface TrialData {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly rt_ms: number | null;
  readonly onset_ms: number | null;
  readonly clock: ClockName;
  /** By how many milliseconds the onset may be off, as far as the browser can know; nothing where there is none. */
  readonly onset_error_ms?: number | null;
  readonly events?: readonly (readonly unknown[])[];
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

export type CompleteAnswer =
  | {
      readonly complete: true;
      readonly completion_code: string;
      readonly redirect_url: string;
      readonly withdrawal_code: string;
      readonly debriefing: { readonly blocks: readonly Block[] };
    }
  | { readonly complete: false; readonly missing: readonly number[]; readonly missing_events?: readonly unknown[] };

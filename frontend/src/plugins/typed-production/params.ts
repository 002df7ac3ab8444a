/** Trial parameters of typed production from the server. */

import type { AudioParam, ImageParam } from "../../media/params";
import type { Place } from "../plugin";

export type ProductionTask = "completion" | "continuation" | "association" | "naming" | "translation" | "paraphrase";

/** What an answer may be. */
export interface Limits {
  readonly one_word: boolean;
  readonly length_unit: "characters" | "words";
  readonly minimum_length: number;
  /** 0 for none. */
  readonly maximum_length: number;
  readonly may_be_empty: boolean;
}

export interface ProductionParams extends Limits, Place {
  readonly task: ProductionTask;
  /** Empty for the sentence that suits the task. */
  readonly prompt: string;
  /** Null if the picture or the sound has no text. */
  readonly text: string | null;
  /** The segments before, between and after the gaps; empty in a text without gaps. */
  readonly segments: readonly string[];
  readonly image: ImageParam | null;
  readonly audio: AudioParam | null;
  readonly fields: number;
  readonly time_limit_ms: number | null;
  readonly keystroke_log: boolean;
}

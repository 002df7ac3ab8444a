/** Trial parameters of sentence recall from the server. */

import type { Check } from "../../server/contract";
import type { Place } from "../plugin";

export interface Problem {
  readonly a: number;
  /** "+" or "−" (U+2212). */
  readonly operator: string;
  readonly b: number;
}

export interface RecallParams extends Place {
  readonly text: string;
  readonly words: number;
  readonly presentation: "whole" | "word-by-word";
  readonly ms_per_word: number;
  readonly display_ms: number;
  readonly segments: readonly string[];
  readonly fixation_ms: number;
  readonly blank_ms: number;
  readonly problems: readonly Problem[];
  readonly time_limit_ms: number | null;
  readonly feedback: boolean;
  readonly keystroke_log: boolean;
  readonly full_screen: boolean;
  readonly check: Check;
}

/** What is shown one after the other, each with its duration in milliseconds. */
export function displaysOf(trial: RecallParams): { readonly text: string; readonly duration: number }[] {
  if (trial.presentation === "whole") return [{ text: trial.text, duration: trial.display_ms }];
  return trial.segments.map((text) => ({ text, duration: trial.ms_per_word }));
}

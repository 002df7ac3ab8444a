/** What a rating question is and what an answer to it is; the server has the same shapes. */

export interface RatingQuestion {
  readonly name: string;
  readonly text: string;
  readonly kind: "magnitude" | "scale" | "slider" | "error-spans";
  /** Points of a scale; 0 for the other kinds. */
  readonly points: number;
  /** None, one for each end, or one for each point. */
  readonly labels: readonly string[];
  readonly required: boolean;
  /** Of error spans alone: what kinds of error can be named, and whether a slider for the whole text follows. */
  readonly categories?: readonly string[];
  readonly score?: boolean;
}

/** An error that was marked: its first and last word, counted from 1. */
export interface MarkedSpan {
  readonly start_word: number;
  readonly end_word: number;
  readonly severity: "minor" | "major";
  readonly category: string | null;
  /** From the onset of the page. */
  readonly at_ms: number;
}

/** `rt_ms` runs from the onset of the page with the question. */
export interface RatingAnswer {
  readonly rating: number | null;
  readonly rt_ms: number | null;
  readonly changes: number;
  readonly typed: string | null;
  /** Of error spans alone. */
  readonly spans?: readonly MarkedSpan[];
}

export type RatingAnswers = Readonly<Record<string, RatingAnswer>>;

export const SLIDER_MAXIMUM = 100;

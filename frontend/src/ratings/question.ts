/** What a rating question is and what an answer to it is; the server has the same shapes. */

export interface RatingQuestion {
  readonly name: string;
  readonly text: string;
  readonly kind: "magnitude" | "scale" | "slider";
  /** Points of a scale; 0 for the other kinds. */
  readonly points: number;
  /** None, one for each end, or one for each point. */
  readonly labels: readonly string[];
  readonly required: boolean;
}

/** `rt_ms` runs from the onset of the page with the question. */
export interface RatingAnswer {
  readonly rating: number | null;
  readonly rt_ms: number | null;
  readonly changes: number;
  readonly typed: string | null;
}

export type RatingAnswers = Readonly<Record<string, RatingAnswer>>;

export const SLIDER_MAXIMUM = 100;

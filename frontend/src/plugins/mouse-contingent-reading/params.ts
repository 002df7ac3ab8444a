/** Trial parameters of one text from the server, and the payload sent back. */

import type { RatingQuestion } from "../../ratings";
import type { Check } from "../../server/contract";
import type { Place } from "../plugin";

export type Mode = "pointer" | "drag" | "keyboard";
export type MaskName = "bar" | "dashes" | "blur";
export type Arrangement = "bands" | "flow";

/** One area of interest; areas are numbered from 1 in reading order. */
export interface Area {
  readonly text: string;
  readonly words: number;
  /** The separator before this area: a space, nothing, or a paragraph break. */
  readonly before: " " | "" | "\n";
}

export interface ComprehensionQuestion {
  readonly prompt: string;
  readonly choices: readonly string[];
  readonly keys?: readonly string[];
  readonly deadline_ms?: number;
  readonly feedback?: boolean;
}

export interface ReadingParams extends Place {
  readonly areas: readonly Area[];
  readonly arrangement: Arrangement;
  readonly mask: MaskName;
  readonly modes: readonly Mode[];
  readonly ask_device: boolean;
  readonly ratings: readonly RatingQuestion[];
  readonly question: ComprehensionQuestion | null;
  readonly record_path: boolean;
  readonly full_screen: boolean;
  readonly check?: Check;
}

/** Why an area was covered again. */
export type Reason =
  /** The pointer went to another area or off the text. */
  | "moved"
  /** The same, but between two updates of the page: the area was never uncovered. */
  | "passed"
  | "scrolled"
  | "pointerleave"
  | "pointercancel"
  | "blur"
  | "visibilitychange"
  | "full-screen-exit"
  | "resize"
  | "print"
  | "lifted"
  | "key"
  | "escape"
  | "focus"
  | "done";

export type PauseReason = "resize" | "full-screen-exit";

/** Trial parameters of a timed choice from the server. */

import type { AudioParam, ImageParam, VideoParam } from "../../media/params";
import type { Check } from "../../server/contract";
import type { Place } from "../plugin";

export interface PlannedDisplay {
  readonly kind: "fixation" | "forward_mask" | "prime" | "backward_mask" | "target";
  /** Empty where the screen is blank for the time. */
  readonly text: string;
  readonly ms: number;
  /** What is shown or played instead of a text. */
  readonly image?: ImageParam;
  readonly audio?: AudioParam;
  readonly video?: VideoParam;
}

export interface Answer {
  readonly name: string;
  readonly label: string;
  /** One character in lower case, or space, left, right, up, down. */
  readonly key: string;
}

export interface ChoiceParams extends Place {
  readonly text: string;
  /** What has a duration, in order; a target that is timed is among it. */
  readonly displays: readonly PlannedDisplay[];
  /** Whether the target stays until the answer. */
  readonly stays: boolean;
  /** Whether the text is shown together with a picture or a sound. */
  readonly with_text: boolean;
  readonly image?: ImageParam | null;
  readonly audio?: AudioParam | null;
  readonly video?: VideoParam | null;
  /** Shown until the answer where the target has gone. */
  readonly prompt: string;
  /** By their places from the left. */
  readonly answers: readonly Answer[];
  readonly respond_with: "keys" | "buttons" | "both";
  readonly timed_from: "onset" | "end";
  readonly deadline_ms: number | null;
  /** Whether pressing nothing until the deadline may be right. */
  readonly withheld?: boolean;
  readonly iti_ms: number;
  readonly feedback: boolean;
  readonly feedback_ms: number;
  readonly error_pause_ms: number;
  readonly check: Check;
}

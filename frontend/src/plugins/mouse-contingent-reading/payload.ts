/** The payload of one text. */

import type { RatingAnswers } from "../../ratings";
import { columnsOf, rowsOf } from "./columns";
import { FAMILY } from "./measure";
import type { DeviceName, HandName } from "./messages";
import type { Mode } from "./params";
import { tenths } from "./path";
import type { LaidOut, ReadingOutcome } from "./reading";

export interface DeviceAnswer {
  readonly device: DeviceName;
  readonly hand: HandName;
}

export interface QuestionAnswer {
  /** Which of the choices, from 0; null where the time ran out. */
  readonly choice: number | null;
  readonly rt_ms: number | null;
}

export interface Told {
  readonly mode: Mode;
  readonly onset: number;
  readonly fontLoaded: boolean;
  readonly frameInterval: number;
  readonly device: DeviceAnswer | null;
  readonly ratings: RatingAnswers;
  readonly question: QuestionAnswer | null;
}

/** Times in milliseconds since the onset of the text, to a tenth. */
export function payloadOf(outcome: ReadingOutcome, told: Told): Record<string, unknown> {
  const since = (time: number) => tenths(time, told.onset) / 10;
  const visits = outcome.record.visits(told.onset);
  return {
    visits: columnsOf(visits),
    // No visit outlasts the reading, whatever order two inputs arrive in.
    finished_ms: Math.max(since(outcome.finished), visits.at(-1)?.[2] ?? 0),
    // The first holds from the onset, though on a busy machine the page may have drawn it later than the frame's time.
    layouts: outcome.layouts.map((laid, index) =>
      layoutRow(laid, { at: index === 0 ? 0 : since(laid.time), fontLoaded: told.fontLoaded }),
    ),
    layout_changes: outcome.layouts.length - 1,
    pauses: outcome.pauses.map((pause) => [since(pause.from), since(pause.until), pause.reason]),
    mode: told.mode,
    pointer_type: outcome.pointerType,
    device: told.device,
    copy_attempts: outcome.copyAttempts,
    out_of_view: outcome.outOfView,
    frame_interval_ms: told.frameInterval,
    ratings: told.ratings,
    question: told.question,
  };
}

function layoutRow(laid: LaidOut, options: { readonly at: number; readonly fontLoaded: boolean }) {
  const { layout, origin, viewport, zoom, dpr } = laid;
  return {
    at_ms: options.at,
    viewport,
    zoom,
    dpr,
    font: `${layout.fontSize}px ${FAMILY.replaceAll('"', "")}`,
    font_loaded: options.fontLoaded,
    origin: origin.map((place) => Math.round(place)),
    size: [layout.width, layout.height],
    lines: layout.lines,
    boxes: rowsOf(layout.boxes),
  };
}

/**
 * When something appeared on the screen or went from it, how sure that is, and what follows for a display. Pure.
 *
 * A browser with Element Timing reports when what it painted was presented. Without it only frames are known: what is
 * drawn in one goes to the compositor with the next tick of the screen, and is on the screen some time after that tick and
 * at the latest with the one that follows. How long after was measured against pixels: see docs/timing.md.
 */

export type ClockName = "element-timing" | "animation-frame" | "none";

export interface Onset {
  readonly time: number;
  readonly clock: ClockName;
  /** By how many milliseconds `time` may be off, as far as a browser can know. */
  readonly error: number;
  /** Whether what had to be in the window was in it as a whole; null where nothing had to be. */
  readonly inView: boolean | null;
}

export interface Edge extends Omit<Onset, "inView"> {
  /** True where frames were held back just then, or a report that was due did not come. */
  readonly isDoubtful: boolean;
}

export interface DisplayRecord {
  readonly intended_ms: number;
  /** Timestamps of the frames that drew it and that replaced it. */
  readonly onset_ms: number;
  readonly offset_ms: number;
  /** When the screen showed it and what came after it, by the best clock that there is. */
  readonly shown_ms: number;
  readonly gone_ms: number;
  readonly measured_ms: number;
  readonly dropped_frames: number;
  /** How many frames later than usual the browser showed what was drawn; null where it does not report that. */
  readonly late_frames: number | null;
  readonly frame_interval_ms: number;
  /** True where the screen may have shown it or its successor at another time than the browser knows. */
  readonly doubtful: boolean;
  /** True where it missed its duration by more than half a frame, is doubtful, or frames were dropped inside it. */
  readonly flagged: boolean;
  /** By how much the onset may be off, and its clock. Not part of what is sent. */
  readonly onset: Onset;
}

/** Reported presentation times lie within this of the pixels, nine times of ten and more. */
const REPORT_ERROR = 2;
/** Where in the frame after the compositor's tick the pixels change in browsers without reports. */
const SHARE_OF_FRAME = 0.2;
/** A gap between frames longer than this many of them is one that was held back. */
const HELD_BACK = 1.5;
/** Durations are known to about a millisecond; what is as near as that to half a frame is off. */
const MARGIN = 1;
const TIMESTAMP_JITTER = 0.5;

export function edgeOf(drawn: {
  /** Timestamp of the frame that drew it, when drawing was done, and the frames after it. */
  readonly frame: number;
  readonly finished: number;
  readonly following: readonly number[];
  readonly painted: number | null;
  /** Whether the browser was asked to report this one. */
  readonly identifier: string | null;
  /** No onset can follow this. */
  readonly before: number;
  readonly interval: number;
  readonly hasReports: boolean;
  /** From a frame to what it drew, as reported before; null where nothing was. */
  readonly usualLatency: number | null;
  readonly resolution: number;
}): Edge {
  const { frame, painted, before, interval, following } = drawn;
  const held = heldBack([frame, ...following], interval);
  // A time outside of these bounds is not the onset of this stimulus, whatever the browser says.
  if (painted !== null && painted > frame - interval && painted < before) {
    const error = REPORT_ERROR + drawn.resolution + held;
    return { time: painted, clock: "element-timing", error, isDoubtful: held > 0 };
  }
  const expected = expectedOnset(drawn);
  if (drawn.hasReports) {
    const isDoubtful = held > 0 || drawn.identifier !== null;
    return { time: Math.min(expected, before), clock: "animation-frame", error: interval + held, isDoubtful };
  }
  // Either it was drawn so slowly that the tick was missed, or something else began after it had been drawn.
  const tick = tickAfter(drawn);
  const behind = Math.max(0, (following[0] ?? tick) - tick - (HELD_BACK - 1) * interval, held);
  const error = (1 - SHARE_OF_FRAME) * interval + behind;
  return { time: Math.min(expected, before), clock: "animation-frame", error, isDoubtful: behind > 0 };
}

interface DrawnInFrame {
  readonly frame: number;
  readonly finished: number;
  readonly interval: number;
  readonly hasReports: boolean;
  readonly usualLatency: number | null;
}

/** When the screen shows what was drawn, where the browser has not reported it. */
export function expectedOnset(drawn: DrawnInFrame): number {
  const { frame, interval } = drawn;
  if (drawn.hasReports) return frame + (drawn.usualLatency ?? interval);
  return tickAfter(drawn) + SHARE_OF_FRAME * interval;
}

/** The tick of the screen with which what was drawn goes to the compositor. */
function tickAfter({ frame, finished, interval }: DrawnInFrame): number {
  return frame + interval * Math.max(1, Math.ceil((finished - frame) / interval - 0.1));
}

/** By how much the longest gap between frames is longer than one, 0 where no frame was held back. */
function heldBack(frames: readonly number[], interval: number): number {
  const gaps = frames.slice(1).map((frame, index) => frame - (frames[index] as number));
  const longest = Math.max(0, ...gaps);
  return longest > HELD_BACK * interval ? longest - interval : 0;
}

interface DrawnEdge extends Edge {
  readonly frame: number;
  readonly inView?: boolean | null;
  readonly lateFrames: number | null;
}

/** What a display was: from when it appeared to when what came after it did. */
export function displayRecord(display: {
  readonly intended: number;
  readonly shown: DrawnEdge;
  readonly gone: DrawnEdge;
  readonly dropped: number;
  readonly interval: number;
}): DisplayRecord {
  const { intended, shown, gone, dropped, interval } = display;
  // A report on one side alone would make the browser's own latency part of the duration.
  const bothReported = shown.clock === gone.clock;
  const lasted = bothReported
    ? gone.time - shown.time
    : gone.frame - shown.frame - (shown.lateFrames ?? 0) * interval + (gone.lateFrames ?? 0) * interval;
  // Nothing goes before it was shown: a report is missing, or a press came before what it bounds was on the screen.
  const measured = Math.max(0, lasted);
  const doubtful = shown.isDoubtful || gone.isDoubtful || lasted <= 0;
  return {
    intended_ms: intended,
    onset_ms: shown.frame,
    offset_ms: gone.frame,
    shown_ms: shown.time,
    gone_ms: shown.time + measured,
    measured_ms: measured,
    dropped_frames: dropped,
    late_frames: shown.lateFrames,
    frame_interval_ms: interval,
    doubtful,
    flagged: doubtful || dropped > 0 || isOff({ measured, intended, interval }),
    onset: { time: shown.time, clock: shown.clock, error: shown.error, inView: shown.inView ?? null },
  };
}

/** Off by more than half a frame; what a screen of whole frames cannot do better is not off. */
function isOff(display: { readonly measured: number; readonly intended: number; readonly interval: number }): boolean {
  const { measured, intended, interval } = display;
  const unavoidable = Math.abs(Math.round(intended / interval) * interval - intended);
  return Math.abs(measured - intended) > Math.max(interval / 2 - MARGIN, unavoidable + TIMESTAMP_JITTER);
}

export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

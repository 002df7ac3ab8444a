/**
 * The one clock of all plugins.
 *
 * Times are milliseconds of the page's monotonic clock (`performance.now`, `event.timeStamp`, frame timestamps and
 * Element Timing all count on it), kept in full precision. An onset is when the screen showed a stimulus: the
 * presentation time that Element Timing reports where the browser has it, otherwise what frames tell (edges.ts), and
 * always with how far off it may be. A response is the `timeStamp` of its event, which the browser takes when the input arrives
 * and not when the page gets round to it, so that a busy page does not lengthen reaction times.
 *
 * Displays end at a target time and never after a number of frames: frame counts are wrong on every
 * screen that is not the one they were made for, and add up every dropped frame.
 */

import { browserEnvironment, type ClockEnvironment, pause } from "./clock-environment";
import { type DisplayRecord, displayRecord, type Edge, edgeOf, expectedOnset, median, type Onset } from "./edges";
import { FrameLoop } from "./frame-loop";
import { PaintReports } from "./paint-reports";

export type { ClockEnvironment, PaintedElement } from "./clock-environment";
export type { ClockName, DisplayRecord, Onset } from "./edges";

/** A stimulus that has been drawn and whose true onset may still be on its way from the browser. */
export interface Showing {
  /** The onset; call it when the response is there. `before` is the time of the response, which no onset can follow. */
  onset(options: { readonly before: number }): Promise<Onset>;
  /**
   * Whether something that happened at this time came before the screen showed the stimulus: a press that did is no answer to
   * it. Waits for the browser's report where it may still come.
   */
  precedes(time: number): Promise<boolean>;
  /** The same, as far as it is known by now. */
  isPrecededBy(time: number): boolean;
}

export interface DisplayStep {
  /** Draws this step, and so ends the one before it. */
  readonly draw: () => void;
  readonly duration: number;
  /** A new block element with text that this step draws; lets the browser report when it was really shown. */
  readonly stimulus?: HTMLElement;
  /** What has to be in the window as a whole when this step comes up; brought there in the frame that draws it. */
  readonly whole?: readonly Element[];
}

/** What was shown one after the other. The last frame is over when this is there; the browser still has to report. */
export interface Sequence {
  /** Timestamp of the frame that cleared the last step. */
  readonly cleared: number;
  /** The records, as soon as the browser has said what it says about them. */
  records(): Promise<DisplayRecord[]>;
  /**
   * The onset of what `clear` put in the place of the last step. `before` is the time of the response to it, which no onset
   * can follow; ask for it before the records. Without any step there is none.
   */
  follower(options: { readonly before: number }): Promise<Onset>;
  /** Whether something that happened at this time came before the screen showed a step, or, after the last, the follower. */
  precedes(time: number, step: number): Promise<boolean>;
}

const LATENCIES_KEPT = 30;
const LONGEST_WAIT_FOR_PAINT = 150;
/** A screen that falls behind shows it in the frames that come next. */
const FRAMES_FOLLOWED = 2;

export class Clock extends FrameLoop {
  private readonly paints: PaintReports;
  private readonly latencies: number[] = [];

  constructor(environment: ClockEnvironment = browserEnvironment) {
    super(environment);
    this.paints = new PaintReports(environment);
  }

  /**
   * Draws a stimulus in a frame of the primed loop. `stimulus` is the block element whose text is timed; it must be new, as
   * the browser reports an element once only. `draw` puts it on the page. `whole` is what has to be in the window as a whole
   * when it comes up: it is brought there in the same frame, and `inView` of the onset says whether that was possible.
   */
  async show(options: {
    readonly draw: () => void;
    readonly stimulus: HTMLElement | null;
    readonly whole?: readonly Element[];
  }): Promise<Showing> {
    const drawn = this.draw(await this.primedFrame(), options);
    return {
      onset: async ({ before }) => {
        const { time, clock, error } = await this.edge(drawn, { before, frames: 1 });
        return { time, clock, error, inView: drawn.inView };
      },
      precedes: (time) => this.precedes(drawn, time),
      isPrecededBy: (time) => this.isPreceded(drawn, time),
    };
  }

  /** Shows one thing for a duration. */
  async display(
    options: DisplayStep & { readonly clear: () => void; readonly mark?: HTMLElement },
  ): Promise<DisplayRecord> {
    const { clear, mark } = options;
    const shown = await this.displaySequence({ steps: [options], clear, ...(mark === undefined ? {} : { mark }) });
    const [record] = await shown.records();
    if (record === undefined) throw new Error("A display that has one step must yield one record.");
    return record;
  }

  /**
   * Shows steps one after the other, each for its duration, and clears at the end. The targets of all steps are counted from
   * the onset of the first, so that durations that are no whole number of frames do not add up; after frames were dropped they
   * are counted from the step that came late, which keeps its duration. Where the browser reports that it showed the first one
   * some frames late, the targets move with it. `mark` is an element with text that
   * `clear` puts on the page and nobody sees: browsers report when something was painted, never when it went. Where `mark` is
   * seen, as a target that takes the place of the last step, `markWhole` has to be in the window.
   */
  async displaySequence(options: {
    readonly steps: readonly DisplayStep[];
    readonly clear: () => void;
    readonly mark?: HTMLElement;
    readonly markWhole?: readonly Element[];
  }): Promise<Sequence> {
    const { steps, clear, mark, markWhole = [] } = options;
    const first = steps[0];
    if (first === undefined) {
      const follower = () => Promise.reject(new Error("Nothing was shown that something could follow."));
      const precedes = () => Promise.resolve(false);
      return { cleared: await this.nextFrame(), records: () => Promise.resolve([]), follower, precedes };
    }
    const drawn = [this.draw(await this.primedFrame(), first)];
    const dropped: number[] = [];
    let previous = (drawn[0] as Drawn).frame;
    let target = previous;
    let hasMoved = false;
    for (const [index, step] of steps.entries()) {
      target += step.duration;
      let missed = 0;
      let timestamp = previous;
      do {
        timestamp = await this.nextFrame();
        missed += Math.max(0, Math.round((timestamp - previous) / this.frameInterval) - 1);
        previous = timestamp;
        const late = hasMoved ? null : this.lateFrames(drawn[0] as Drawn);
        if (late !== null && index === 0) {
          target += late * this.frameInterval;
          hasMoved = true;
        }
      } while (timestamp < target - this.frameInterval / 2);
      dropped.push(missed);
      const last = { draw: clear, stimulus: mark ?? null, whole: markWhole };
      const next = this.draw(timestamp, steps[index + 1] ?? last);
      drawn.push(next);
      // A step that came late keeps its duration: it is not shortened for what the one before it took too long.
      const whole = Math.floor((next.finished - timestamp) / this.frameInterval);
      const reached = timestamp + Math.max(0, whole) * this.frameInterval;
      if (reached > target + this.frameInterval / 2) target = reached;
    }
    let asked: Promise<Edge[]> | null = null;
    // What the browser reports of an element is there once.
    const edgesKnown = (before: number) => {
      asked ??= Promise.all(
        drawn.map((each, index) => {
          const bound = index === steps.length ? before : Number.POSITIVE_INFINITY;
          return this.edge(each, { before: bound, frames: FRAMES_FOLLOWED });
        }),
      );
      return asked;
    };
    return {
      cleared: previous,
      precedes: (time, step) => this.precedes(drawn[step] as Drawn, time),
      follower: async ({ before }) => {
        const { time, clock, error } = (await edgesKnown(before))[steps.length] as Edge;
        return { time, clock, error, inView: (drawn[steps.length] as Drawn).inView };
      },
      records: async () => {
        const edges = await edgesKnown(Number.POSITIVE_INFINITY);
        const facts = edges.map((edge, index) => ({ ...edge, ...(drawn[index] as Drawn) }));
        return steps.map((step, index) =>
          displayRecord({
            intended: step.duration,
            shown: facts[index] as (typeof facts)[number],
            gone: facts[index + 1] as (typeof facts)[number],
            dropped: dropped[index] ?? 0,
            interval: this.frameInterval,
          }),
        );
      },
    };
  }

  /** Draws in a frame and takes note of the frames that follow. */
  private draw(
    frame: number,
    { draw, stimulus, whole = [] }: Omit<DisplayStep, "duration" | "stimulus"> & { stimulus?: HTMLElement | null },
  ): Drawn {
    const drawn: Drawn = {
      frame,
      identifier: this.paints.ask(stimulus ?? null),
      finished: frame,
      following: [],
      lateFrames: null,
      inView: null,
      isFollowed: Promise.resolve(),
    };
    draw();
    if (whole.length > 0) drawn.inView = this.environment.bringIntoView(whole);
    drawn.finished = this.environment.time();
    drawn.isFollowed = this.follow(drawn);
    return drawn;
  }

  private async follow(drawn: Drawn): Promise<void> {
    while (drawn.following.length < FRAMES_FOLLOWED) drawn.following.push(await this.nextFrame());
  }

  private async precedes(drawn: Drawn, time: number): Promise<boolean> {
    const { identifier } = drawn;
    // A report that is later than this is not waited for when the onset is asked for, either.
    const mayCome = time > drawn.frame && time < drawn.frame + LONGEST_WAIT_FOR_PAINT;
    if (identifier !== null && mayCome) await this.paints.reported(identifier, LONGEST_WAIT_FOR_PAINT);
    return this.isPreceded(drawn, time);
  }

  private isPreceded(drawn: Drawn, time: number): boolean {
    const { identifier, frame } = drawn;
    if (time <= frame) return true;
    const painted = identifier === null ? null : this.paints.timeOf(identifier);
    const interval = this.frameInterval;
    if (painted !== null && painted > frame - interval) return time <= painted;
    const usualLatency = median(this.latencies);
    return time <= expectedOnset({ ...drawn, interval, hasReports: this.paints.exist, usualLatency });
  }

  /** When the screen showed what was drawn, and how sure that is. No onset can follow `before`. */
  private async edge(drawn: Drawn, { before, frames }: { before: number; frames: number }): Promise<Edge> {
    const { identifier } = drawn;
    if (identifier !== null) await this.paints.reported(identifier, LONGEST_WAIT_FOR_PAINT);
    if (drawn.following.length < frames) {
      await Promise.race([drawn.isFollowed, pause(this.environment, LONGEST_WAIT_FOR_PAINT)]);
    }
    this.lateFrames(drawn);
    return edgeOf({
      ...drawn,
      painted: identifier === null ? null : this.paints.take(identifier),
      before,
      interval: this.frameInterval,
      hasReports: this.paints.exist,
      usualLatency: median(this.latencies),
      resolution: this.environment.paintResolution,
    });
  }

  /** How many frames later than usual something drawn was painted; null until it is reported. */
  private lateFrames(drawn: Drawn): number | null {
    if (drawn.lateFrames !== null || drawn.identifier === null) return drawn.lateFrames;
    const painted = this.paints.timeOf(drawn.identifier);
    if (painted === null || painted < drawn.frame - this.frameInterval) return null;
    this.noteLatency(painted - drawn.frame);
    drawn.lateFrames =
      this.framesOf(painted - drawn.frame) - Math.min(...this.latencies.map((latency) => this.framesOf(latency)));
    return drawn.lateFrames;
  }

  private noteLatency(latency: number): void {
    this.latencies.push(latency);
    if (this.latencies.length > LATENCIES_KEPT) this.latencies.shift();
  }

  /** Screens change once a frame: what is painted within a frame is seen at its end. A tenth of one is left to jitter. */
  private framesOf(latency: number): number {
    return Math.max(1, Math.ceil(latency / this.frameInterval - 0.1));
  }
}

/** Something drawn, and what frames have told of it since. */
interface Drawn {
  readonly frame: number;
  readonly identifier: string | null;
  /** When drawing was done. */
  finished: number;
  /** Timestamps of the frames after it, as far as they have come. */
  readonly following: number[];
  lateFrames: number | null;
  inView: boolean | null;
  isFollowed: Promise<void>;
}

/** The clock that plugins share; its loop runs from the moment the runner primes it. */
export const clock = new Clock();

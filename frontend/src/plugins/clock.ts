/**
 * The one clock of all plugins.
 *
 * Times are milliseconds of the page's monotonic clock (`performance.now`, `event.timeStamp`, frame timestamps and
 * Element Timing all count on it), kept in full precision. An onset is when the screen showed a stimulus: the
 * presentation time that Element Timing reports where the browser has it, otherwise what frames tell (edges.ts), and
 * always with how far off it may be. A response is the `timeStamp` of its event, which the browser takes when the input arrives
 * and not when the page gets round to it, so that a busy page does not lengthen reaction times.
 *
 * The frame loop runs all the time, because the first frame requested after a pause carries a stale timestamp and shortens
 * what is timed by it. Displays end at a target time and never after a number of frames: frame counts are wrong on every
 * screen that is not the one they were made for, and add up every dropped frame.
 */

import { type DisplayRecord, displayRecord, type Edge, edgeOf, median, type Onset } from "../edges";

export type { ClockName, DisplayRecord, Onset } from "../edges";

/** A stimulus that has been drawn and whose true onset may still be on its way from the browser. */
export interface Showing {
  /** The onset; call it when the response is there. `before` is the time of the response, which no onset can follow. */
  onset(options: { readonly before: number }): Promise<Onset>;
}

export interface DisplayStep {
  /** Draws this step, and so ends the one before it. */
  readonly draw: () => void;
  readonly duration: number;
  /** A new block element with text that this step draws; lets the browser report when it was really shown. */
  readonly stimulus?: HTMLElement;
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
}

export interface PaintedElement {
  readonly identifier: string;
  readonly time: number;
}

/** What the clock needs of the browser; tests give it a fake one. */
export interface ClockEnvironment {
  requestFrame(callback: (timestamp: number) => void): number;
  cancelFrame(handle: number): void;
  /** Starts to report painted elements, returns a function that delivers what is still queued; null where there is no Element Timing. */
  observePaint(report: (painted: PaintedElement) => void): (() => void) | null;
  after(milliseconds: number, callback: () => void): void;
  /** The page's clock. */
  time(): number;
  /** To how many milliseconds the browser rounds the times of painted elements. */
  readonly paintResolution: number;
}

const FRAMES_KEPT = 120;
const LATENCIES_KEPT = 30;
const FRAMES_TO_PRIME = 3;
const DEFAULT_INTERVAL = 1000 / 60;
/** No screen draws a thousand times a second; shorter gaps come from stale timestamps. */
const SHORTEST_INTERVAL = 1;
const LONGEST_WAIT_FOR_PAINT = 150;
/** A screen that falls behind shows it in the frames that come next. */
const FRAMES_FOLLOWED = 2;

interface ElementTimingEntry extends PerformanceEntry {
  readonly identifier: string;
  readonly renderTime: number;
  readonly presentationTime?: number | null;
}

export const browserEnvironment: ClockEnvironment = {
  requestFrame: (callback) => requestAnimationFrame(callback),
  cancelFrame: (handle) => cancelAnimationFrame(handle),
  after: (milliseconds, callback) => {
    setTimeout(callback, milliseconds);
  },
  time: () => performance.now(),
  paintResolution: globalThis.crossOriginIsolated ? 0 : 4,
  observePaint: (report) => {
    if (typeof PerformanceObserver === "undefined") return null;
    if (!PerformanceObserver.supportedEntryTypes?.includes("element")) return null;
    const deliver = (entries: readonly PerformanceEntry[]) => {
      for (const entry of entries as readonly ElementTimingEntry[]) {
        report({ identifier: entry.identifier, time: entry.presentationTime ?? entry.renderTime });
      }
    };
    const observer = new PerformanceObserver((list) => deliver(list.getEntries()));
    observer.observe({ type: "element", buffered: true });
    return () => deliver(observer.takeRecords());
  },
};

export class Clock {
  private readonly intervals: number[] = [];
  private readonly frameCallbacks: ((timestamp: number) => void)[] = [];
  private readonly painted = new Map<string, number>();
  private readonly latencies: number[] = [];
  private readonly paintCallbacks = new Map<string, () => void>();
  private readonly flushPaint: (() => void) | null;
  private lastFrame: number | null = null;
  private framesSincePrimed = 0;
  private handle: number | null = null;
  private shown = 0;

  constructor(private readonly environment: ClockEnvironment = browserEnvironment) {
    this.flushPaint = environment.observePaint((painted) => {
      this.painted.set(painted.identifier, painted.time);
      this.paintCallbacks.get(painted.identifier)?.();
    });
  }

  /** Starts the frame loop. Call it well before the first onset; calling it again does nothing. */
  prime(): void {
    if (this.handle === null) {
      this.framesSincePrimed = 0;
      this.lastFrame = null;
      this.handle = this.environment.requestFrame(this.tick);
    }
  }

  release(): void {
    if (this.handle !== null) this.environment.cancelFrame(this.handle);
    this.handle = null;
  }

  /**
   * Milliseconds between two frames of this screen: the median of recent gaps that were not lengthened by a dropped frame.
   * A stale timestamp makes single gaps far too short, so the shortest of all tells nothing; that of a tenth of them does.
   */
  get frameInterval(): number {
    const sorted = [...this.intervals].sort((a, b) => a - b);
    const short = sorted[Math.floor(sorted.length / 10)] ?? DEFAULT_INTERVAL;
    const whole = this.intervals.filter((interval) => interval > short / 1.5 && interval < 1.5 * short);
    return median(whole) ?? DEFAULT_INTERVAL;
  }

  /** Resolves with the frame interval once enough frames have been seen to know it. */
  async measureFrameInterval(frames = 40): Promise<number> {
    this.prime();
    while (this.intervals.length < frames) await this.nextFrame();
    return this.frameInterval;
  }

  /** Resolves inside the next animation frame of the primed loop, with its timestamp. */
  nextFrame(): Promise<number> {
    this.prime();
    return new Promise((resolve) => {
      this.frameCallbacks.push(resolve);
    });
  }

  /**
   * Draws a stimulus in a frame of the primed loop. `stimulus` is the block element whose text is timed; it must be new, as
   * the browser reports an element once only. `draw` puts it on the page.
   */
  async show(options: { readonly draw: () => void; readonly stimulus: HTMLElement | null }): Promise<Showing> {
    const drawn = this.draw(await this.primedFrame(), options);
    return {
      onset: async ({ before }) => {
        const { time, clock, error } = await this.edge(drawn, { before, frames: 1 });
        return { time, clock, error };
      },
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
   * `clear` puts on the page and nobody sees: browsers report when something was painted, never when it went.
   */
  async displaySequence(options: {
    readonly steps: readonly DisplayStep[];
    readonly clear: () => void;
    readonly mark?: HTMLElement;
  }): Promise<Sequence> {
    const { steps, clear, mark } = options;
    const first = steps[0];
    if (first === undefined) {
      const follower = () => Promise.reject(new Error("Nothing was shown that something could follow."));
      return { cleared: await this.nextFrame(), records: () => Promise.resolve([]), follower };
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
      const next = this.draw(timestamp, steps[index + 1] ?? { draw: clear, stimulus: mark ?? null });
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
      follower: async ({ before }) => {
        const { time, clock, error } = (await edgesKnown(before))[steps.length] as Edge;
        return { time, clock, error };
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
    { draw, stimulus }: { readonly draw: () => void; readonly stimulus?: HTMLElement | null },
  ): Drawn {
    const drawn: Drawn = {
      frame,
      identifier: this.identify(stimulus ?? null),
      finished: frame,
      following: [],
      lateFrames: null,
      isFollowed: Promise.resolve(),
    };
    draw();
    drawn.finished = this.environment.time();
    drawn.isFollowed = this.follow(drawn);
    return drawn;
  }

  private async follow(drawn: Drawn): Promise<void> {
    while (drawn.following.length < FRAMES_FOLLOWED) drawn.following.push(await this.nextFrame());
  }

  /** When the screen showed what was drawn, and how sure that is. No onset can follow `before`. */
  private async edge(drawn: Drawn, { before, frames }: { before: number; frames: number }): Promise<Edge> {
    const { identifier } = drawn;
    if (identifier !== null) await this.paintReport(identifier);
    if (drawn.following.length < frames) {
      await Promise.race([drawn.isFollowed, this.wait(LONGEST_WAIT_FOR_PAINT)]);
    }
    this.lateFrames(drawn);
    const painted = identifier === null ? undefined : this.painted.get(identifier);
    if (identifier !== null) this.painted.delete(identifier);
    return edgeOf({
      ...drawn,
      painted: painted ?? null,
      before,
      interval: this.frameInterval,
      hasReports: this.flushPaint !== null,
      usualLatency: median(this.latencies),
      resolution: this.environment.paintResolution,
    });
  }

  /** Makes the browser report when an element is painted, under a name of its own; null where it does not. */
  private identify(stimulus: HTMLElement | null): string | null {
    if (this.flushPaint === null || stimulus === null) return null;
    this.shown += 1;
    const identifier = `onset-${this.shown}`;
    stimulus.setAttribute("elementtiming", identifier);
    return identifier;
  }

  /** How many frames later than usual something drawn was painted; null until it is reported. */
  private lateFrames(drawn: Drawn): number | null {
    if (drawn.lateFrames !== null || drawn.identifier === null) return drawn.lateFrames;
    this.flushPaint?.();
    const painted = this.painted.get(drawn.identifier);
    if (painted === undefined || painted < drawn.frame - this.frameInterval) return null;
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

  /** The next frame of the loop after it has been primed. */
  private async primedFrame(): Promise<number> {
    let timestamp = await this.nextFrame();
    while (this.framesSincePrimed < FRAMES_TO_PRIME) timestamp = await this.nextFrame();
    return timestamp;
  }

  private paintReport(identifier: string): Promise<void> {
    this.flushPaint?.();
    if (this.painted.has(identifier)) return Promise.resolve();
    const reported = new Promise<void>((resolve) => {
      this.paintCallbacks.set(identifier, resolve);
    });
    return Promise.race([reported, this.wait(LONGEST_WAIT_FOR_PAINT)]).finally(() => {
      this.paintCallbacks.delete(identifier);
    });
  }

  private wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.environment.after(milliseconds, resolve);
    });
  }

  private readonly tick = (timestamp: number): void => {
    this.handle = this.environment.requestFrame(this.tick);
    if (this.lastFrame !== null && timestamp > this.lastFrame + SHORTEST_INTERVAL) {
      this.intervals.push(timestamp - this.lastFrame);
      if (this.intervals.length > FRAMES_KEPT) this.intervals.shift();
    }
    this.lastFrame = timestamp;
    this.framesSincePrimed += 1;
    for (const callback of this.frameCallbacks.splice(0)) callback(timestamp);
  };
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
  isFollowed: Promise<void>;
}

/** The clock that plugins share; its loop runs from the moment the runner primes it. */
export const clock = new Clock();

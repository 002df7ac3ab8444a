/**
 * The one clock of all plugins.
 *
 * Times are milliseconds of the page's monotonic clock (`performance.now`, `event.timeStamp`, frame timestamps and
 * Element Timing all count on it), kept in full precision. An onset is when the screen showed a stimulus: the
 * presentation time that Element Timing reports where the browser has it, otherwise the timestamp of the animation frame
 * after the one that drew it. A response is the `timeStamp` of its event, which the browser takes when the input arrives
 * and not when the page gets round to it, so that a busy page does not lengthen reaction times.
 *
 * The frame loop runs all the time, because the first frame requested after a pause carries a stale timestamp and shortens
 * what is timed by it. Displays end at a target time and never after a number of frames: frame counts are wrong on every
 * screen that is not the one they were made for, and add up every dropped frame.
 */

export type ClockName = "element-timing" | "animation-frame" | "none";

export interface Onset {
  readonly time: number;
  readonly clock: ClockName;
}

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

export interface DisplayRecord {
  readonly intended_ms: number;
  readonly onset_ms: number;
  readonly offset_ms: number;
  readonly measured_ms: number;
  readonly dropped_frames: number;
  /** How many frames later than usual the browser showed what was drawn; null where it does not report that. */
  readonly late_frames: number | null;
  readonly frame_interval_ms: number;
  /** True where the display missed its duration by more than half a frame, or frames were dropped inside it. */
  readonly flagged: boolean;
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
}

const FRAMES_KEPT = 120;
const LATENCIES_KEPT = 30;
const FRAMES_TO_PRIME = 3;
const DEFAULT_INTERVAL = 1000 / 60;
/** No screen draws a thousand times a second; shorter gaps come from stale timestamps. */
const SHORTEST_INTERVAL = 1;
const LONGEST_WAIT_FOR_PAINT = 150;

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
    const identifier = this.identify(options.stimulus);
    const drawn = await this.drawInFrame(options.draw);
    let following: number | null = null;
    const followed = this.nextFrame().then((timestamp) => {
      following = timestamp;
    });
    const timed = this.flushPaint !== null && options.stimulus !== null;
    return {
      onset: async ({ before }) => {
        if (timed) await this.paintReport(identifier);
        const painted = this.painted.get(identifier);
        this.painted.delete(identifier);
        // A time outside of these bounds is not the onset of this stimulus, whatever the browser says.
        if (painted !== undefined && painted > drawn - this.frameInterval && painted < before) {
          this.noteLatency(painted - drawn);
          return { time: painted, clock: "element-timing" };
        }
        if (following === null) await Promise.race([followed, this.wait(LONGEST_WAIT_FOR_PAINT)]);
        const time = following ?? drawn + this.frameInterval;
        return { time: Math.min(time, before), clock: "animation-frame" };
      },
    };
  }

  /** Shows one thing for a duration. */
  async display(options: DisplayStep & { readonly clear: () => void }): Promise<DisplayRecord> {
    const [record] = await this.displaySequence({ steps: [options], clear: options.clear });
    if (record === undefined) throw new Error("A display that has one step must yield one record.");
    return record;
  }

  /**
   * Shows steps one after the other, each for its duration, and clears at the end. The targets of all steps are counted from
   * the onset of the first, so that what one step loses to a dropped frame is not added to all that follow. Where the browser
   * reports that it showed the first one some frames late, the targets move with it.
   */
  async displaySequence(options: {
    readonly steps: readonly DisplayStep[];
    readonly clear: () => void;
  }): Promise<DisplayRecord[]> {
    const { steps, clear } = options;
    const first = steps[0];
    if (first === undefined) return [];
    const records: DisplayRecord[] = [];
    let identifier = this.identify(first.stimulus ?? null);
    let onset = await this.drawInFrame(first.draw);
    let target = onset;
    for (const [index, step] of steps.entries()) {
      target += step.duration;
      const next = steps[index + 1];
      const nextIdentifier = this.identify(next?.stimulus ?? null);
      let late: number | null = null;
      let previous = onset;
      let dropped = 0;
      let timestamp = onset;
      do {
        timestamp = await this.nextFrame();
        dropped += Math.max(0, Math.round((timestamp - previous) / this.frameInterval) - 1);
        previous = timestamp;
        if (late === null) {
          late = this.lateFrames(identifier, onset);
          if (late !== null && index === 0) target += late * this.frameInterval;
        }
      } while (timestamp < target - this.frameInterval / 2);
      (next?.draw ?? clear)();
      const measured = timestamp - onset - (late ?? 0) * this.frameInterval;
      records.push({
        intended_ms: step.duration,
        onset_ms: onset,
        offset_ms: timestamp,
        measured_ms: measured,
        dropped_frames: dropped,
        late_frames: late,
        frame_interval_ms: this.frameInterval,
        flagged: dropped > 0 || Math.abs(measured - step.duration) > this.frameInterval / 2 + 0.5,
      });
      onset = timestamp;
      identifier = nextIdentifier;
    }
    return records;
  }

  /** Makes the browser report when an element is painted, under a name of its own. */
  private identify(stimulus: HTMLElement | null): string {
    this.shown += 1;
    const identifier = `onset-${this.shown}`;
    if (this.flushPaint !== null) stimulus?.setAttribute("elementtiming", identifier);
    return identifier;
  }

  /** How many frames later than usual something drawn was painted; null until it is reported. */
  private lateFrames(identifier: string, drawn: number): number | null {
    this.flushPaint?.();
    const painted = this.painted.get(identifier);
    if (painted === undefined) return null;
    this.painted.delete(identifier);
    this.noteLatency(painted - drawn);
    return this.framesOf(painted - drawn) - Math.min(...this.latencies.map((latency) => this.framesOf(latency)));
  }

  private noteLatency(latency: number): void {
    this.latencies.push(latency);
    if (this.latencies.length > LATENCIES_KEPT) this.latencies.shift();
  }

  /** Screens change once a frame: what is painted within a frame is seen at its end. A tenth of one is left to jitter. */
  private framesOf(latency: number): number {
    return Math.max(1, Math.ceil(latency / this.frameInterval - 0.1));
  }

  /** Draws in a frame of the loop after it has been primed and returns that frame's timestamp. */
  private async drawInFrame(draw: () => void): Promise<number> {
    let timestamp = await this.nextFrame();
    while (this.framesSincePrimed < FRAMES_TO_PRIME) timestamp = await this.nextFrame();
    draw();
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

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** The clock that plugins share; its loop runs from the moment the runner primes it. */
export const clock = new Clock();

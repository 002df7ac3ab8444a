/**
 * The frames of the screen. The loop runs all the time, because the first frame requested after a pause carries a stale
 * timestamp and shortens what is timed by it.
 */

import type { ClockEnvironment } from "./clock-environment";
import { median } from "./edges";

const FRAMES_KEPT = 120;
const FRAMES_TO_PRIME = 3;
const DEFAULT_INTERVAL = 1000 / 60;
/** No screen draws a thousand times a second; shorter gaps come from stale timestamps. */
const SHORTEST_INTERVAL = 1;

export class FrameLoop {
  private readonly intervals: number[] = [];
  private readonly frameCallbacks: ((timestamp: number) => void)[] = [];
  private lastFrame: number | null = null;
  private framesSincePrimed = 0;
  private handle: number | null = null;

  constructor(protected readonly environment: ClockEnvironment) {}

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

  /** The next frame of the loop after it has been primed. */
  protected async primedFrame(): Promise<number> {
    let timestamp = await this.nextFrame();
    while (this.framesSincePrimed < FRAMES_TO_PRIME) timestamp = await this.nextFrame();
    return timestamp;
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

/** Measures the time per text, and estimates the remaining time. Time away from the page does not count. */

const LATEST = 20;
/** Somebody who pressed no key for so long was not coding; the time after that does not count. */
export const IDLE_AFTER_MS = 120_000;

export class Stopwatch {
  private total = 0;
  private since: number | null = null;
  private lastSign = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  start(): void {
    if (this.since !== null) return;
    this.since = this.now();
    this.lastSign = this.since;
  }

  stop(): void {
    if (this.since === null) return;
    this.total += Math.min(this.now(), this.lastSign + IDLE_AFTER_MS) - this.since;
    this.since = null;
  }

  /** Somebody is there: a key was pressed or the pointer moved. */
  sign(): void {
    if (this.since === null) return;
    if (this.isIdle) {
      this.stop();
      this.start();
    }
    this.lastSign = this.now();
  }

  get isIdle(): boolean {
    return this.since !== null && this.now() > this.lastSign + IDLE_AFTER_MS;
  }

  /** The seconds so far, and from zero again. */
  take(): number {
    const running = this.since !== null;
    this.stop();
    const seconds = this.total / 1000;
    this.total = 0;
    if (running) this.start();
    return seconds;
  }
}

export class Pace {
  private readonly seconds: number[] = [];

  add(seconds: number): void {
    this.seconds.push(seconds);
    if (this.seconds.length > LATEST) this.seconds.shift();
  }

  /** The median of the latest texts in seconds, or null before there are three. */
  get median(): number | null {
    if (this.seconds.length < 3) return null;
    const sorted = [...this.seconds].sort((a, b) => a - b);
    const middle = Math.floor(sorted.length / 2);
    const upper = sorted[middle] ?? 0;
    return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
  }
}

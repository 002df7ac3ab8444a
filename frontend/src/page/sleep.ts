/**
 * For how long a page stood still while it could be seen: the browser froze it, its process was stopped, or the computer
 * slept, during which some clocks stand still and others do not. A timer that comes late tells.
 */

const BEAT = 500;
/** In milliseconds: longer than a busy page keeps a timer waiting. */
const LEAST = 3_000;

export class Sleep {
  private slept = 0;
  private beat = { time: performance.now(), wall: Date.now(), hidden: document.hidden };

  constructor() {
    setInterval(() => this.note(), BEAT);
    // Timers of a hidden page come late by design; of what happens while it is hidden, only freezing is known.
    document.addEventListener("visibilitychange", () => this.note());
    let frozen: number | null = null;
    document.addEventListener("freeze", () => {
      this.note();
      frozen = Date.now();
    });
    document.addEventListener("resume", () => {
      if (frozen !== null) this.slept += Date.now() - frozen;
      frozen = null;
      this.remember();
    });
  }

  /** Starts counting for a new trial. */
  reset(): void {
    this.remember();
    this.slept = 0;
  }

  /** Since the trial began, rounded; null where the page did not stand still. */
  get milliseconds(): number | null {
    this.note();
    return this.slept > 0 ? Math.round(this.slept) : null;
  }

  private note(): void {
    const { time, wall, hidden } = this.beat;
    const passed = Math.max(performance.now() - time, Date.now() - wall);
    if (!hidden && passed > LEAST) this.slept += passed;
    this.remember();
  }

  private remember(): void {
    this.beat = { time: performance.now(), wall: Date.now(), hidden: document.hidden };
  }
}

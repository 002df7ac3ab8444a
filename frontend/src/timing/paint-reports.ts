/** When the browser says that it painted something: each element once, under a name of its own, where it says so at all. */

import { type ClockEnvironment, pause } from "./clock-environment";

export class PaintReports {
  private readonly painted = new Map<string, number>();
  private readonly callbacks = new Map<string, () => void>();
  private readonly flush: (() => void) | null;
  private asked = 0;

  constructor(private readonly environment: ClockEnvironment) {
    this.flush = environment.observePaint((painted) => {
      this.painted.set(painted.identifier, painted.time);
      this.callbacks.get(painted.identifier)?.();
    });
  }

  /** Whether this browser reports anything. */
  get exist(): boolean {
    return this.flush !== null;
  }

  /** Makes the browser report when an element is painted, under a name of its own; null where it does not. */
  ask(element: HTMLElement | null): string | null {
    if (this.flush === null || element === null) return null;
    this.asked += 1;
    const identifier = `onset-${this.asked}`;
    element.setAttribute("elementtiming", identifier);
    return identifier;
  }

  /** When it was painted, as far as that is reported by now. */
  timeOf(identifier: string): number | null {
    this.flush?.();
    return this.painted.get(identifier) ?? null;
  }

  /** When it was painted, the last time that anybody asks. */
  take(identifier: string): number | null {
    const time = this.painted.get(identifier) ?? null;
    this.painted.delete(identifier);
    return time;
  }

  /** Resolves when it is reported, or when that has taken too long. */
  reported(identifier: string, longest: number): Promise<void> {
    if (this.timeOf(identifier) !== null) return Promise.resolve();
    const reported = new Promise<void>((resolve) => {
      this.callbacks.set(identifier, resolve);
    });
    return Promise.race([reported, pause(this.environment, longest)]).finally(() => {
      this.callbacks.delete(identifier);
    });
  }
}

/** The visits to the areas of a text. Pure; at any moment one area is open or none. */

import type { Reason } from "./params";

/** Times on the page's clock. */
export interface Visit {
  readonly aoi: number;
  readonly enter: number;
  readonly leave: number;
  readonly reason: Reason;
}

/** More than any text has; a log without a limit would be refused as a whole. */
const MOST_VISITS = 2_400;

export class VisitLog {
  private readonly ended: Visit[] = [];
  private current: { readonly aoi: number; readonly enter: number; shown: boolean } | null = null;

  /** The area that is open, 0 for none. */
  get open(): number {
    return this.current?.aoi ?? 0;
  }

  get visits(): readonly Visit[] {
    return this.ended;
  }

  /** The pointer, or the choice of a key, is on this area from now on; 0 for none. Nothing happens where it was there before. */
  at(aoi: number, options: { readonly time: number; readonly reason: Reason }): void {
    if (aoi === this.open) return;
    this.end(options.time, options.reason);
    if (aoi !== 0) this.current = { aoi, enter: options.time, shown: false };
  }

  /** Everything is covered. */
  leave(options: { readonly time: number; readonly reason: Reason }): void {
    this.at(0, options);
  }

  /** The page now shows what is open. An area that is left before that was only passed. */
  shown(): void {
    if (this.current !== null) this.current.shown = true;
  }

  private end(time: number, reason: Reason): void {
    if (this.current === null) return;
    const { aoi, enter, shown } = this.current;
    this.current = null;
    if (this.ended.length >= MOST_VISITS) return;
    this.ended.push({ aoi, enter, leave: time, reason: reason === "moved" && !shown ? "passed" : reason });
  }
}

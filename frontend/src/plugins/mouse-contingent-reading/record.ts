/** What is kept of reading one text: visits, and where it is wanted the path that led to them. Pure. */

import { areaAt, type Box } from "./boxes";
import type { Reason } from "./params";
import { type PathEvent, PathLog, tenths } from "./path";
import { VisitLog } from "./visits";

/** Area, entry and leave in milliseconds since the onset, and why it was covered again. */
export type VisitRow = readonly [number, number, number, Reason];

export class ReadingRecord {
  private readonly log = new VisitLog();
  private readonly path: PathLog | null;
  private boxes: readonly Box[] = [];
  private latest = Number.NEGATIVE_INFINITY;

  constructor(options: { readonly withPath: boolean }) {
    this.path = options.withPath ? new PathLog() : null;
  }

  /** The area that is open, 0 for none. */
  get open(): number {
    return this.log.open;
  }

  get isEmpty(): boolean {
    return this.log.visits.length === 0 && this.open === 0;
  }

  /** From now on these boxes hold. `index` counts the layouts from 0. */
  lay(boxes: readonly Box[], options: { readonly time: number; readonly index: number }): void {
    this.boxes = boxes;
    if (options.index > 0) this.path?.layout(this.after(options.time), options.index);
  }

  /** The pointer is here, in whole pixels from the corner of the text. */
  sample(time: number, options: { readonly x: number; readonly y: number; readonly reason: Reason }): void {
    const { x, y, reason } = options;
    const at = this.after(time);
    this.path?.sample(at, x, y);
    this.log.at(areaAt(this.boxes, x, y), { time: at, reason });
  }

  /** A key opens an area. */
  choose(aoi: number, time: number): void {
    this.log.at(aoi, { time: this.after(time), reason: "key" });
  }

  leave(time: number, reason: Reason): void {
    const at = this.after(time);
    this.path?.leave(at, reason);
    this.log.leave({ time: at, reason });
  }

  /** The page now shows what is open. */
  shown(): void {
    this.log.shown();
  }

  visits(onset: number): VisitRow[] {
    return this.log.visits.map((visit) => [
      visit.aoi,
      tenths(visit.enter, onset) / 10,
      tenths(visit.leave, onset) / 10,
      visit.reason,
    ]);
  }

  events(onset: number): PathEvent[] {
    return this.path?.events(onset) ?? [];
  }

  /** Time stamps of different kinds of input may arrive a little out of order; visits never overlap. */
  private after(time: number): number {
    this.latest = Math.max(this.latest, time);
    return this.latest;
  }
}

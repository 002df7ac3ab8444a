/**
 * The path of the pointer as small differences: whole pixels, and times in tenths of a millisecond. Pure. Visits were made
 * from the very same numbers, so replaying the path gives the same visits.
 */

import type { Reason } from "./params";

export type PathEvent =
  /** `steps` holds time, x and y of each further sample, as differences from the one before, one after the other. */
  | { readonly type: "path"; readonly at: number; readonly x: number; readonly y: number; readonly steps: number[] }
  | { readonly type: "leave"; readonly at: number; readonly reason: Reason }
  | { readonly type: "layout"; readonly at: number; readonly index: number }
  | { readonly type: "path-full"; readonly at: number };

type Noted =
  | { readonly type: "sample"; readonly time: number; readonly x: number; readonly y: number }
  | { readonly type: "leave"; readonly time: number; readonly reason: Reason }
  | { readonly type: "layout"; readonly time: number; readonly index: number }
  | { readonly type: "path-full"; readonly time: number };

const MOST_SAMPLES = 200_000;
const MOST_STEPS = 2_000;
const LARGEST_BATCH = 30_000;

/** Tenths of a millisecond since the onset. */
export function tenths(time: number, onset: number): number {
  return Math.max(0, Math.round((time - onset) * 10));
}

export class PathLog {
  private readonly noted: Noted[] = [];
  private samples = 0;
  private x = Number.NaN;
  private y = Number.NaN;

  sample(time: number, x: number, y: number): void {
    if (this.full || (x === this.x && y === this.y)) return;
    this.x = x;
    this.y = y;
    this.samples += 1;
    this.noted.push(this.full ? { type: "path-full", time } : { type: "sample", time, x, y });
  }

  leave(time: number, reason: Reason): void {
    if (!this.full) this.noted.push({ type: "leave", time, reason });
    this.x = Number.NaN;
  }

  layout(time: number, index: number): void {
    if (!this.full) this.noted.push({ type: "layout", time, index });
  }

  events(onset: number): PathEvent[] {
    const events: PathEvent[] = [];
    let run: { readonly steps: number[]; at: number; x: number; y: number } | null = null;
    for (const noted of this.noted) {
      const at = tenths(noted.time, onset);
      if (noted.type === "sample") {
        if (run === null || run.steps.length >= 3 * MOST_STEPS) {
          run = { steps: [], at, x: noted.x, y: noted.y };
          events.push({ type: "path", at, x: noted.x, y: noted.y, steps: run.steps });
        } else {
          run.steps.push(at - run.at, noted.x - run.x, noted.y - run.y);
          run.at = at;
          run.x = noted.x;
          run.y = noted.y;
        }
        continue;
      }
      run = null;
      if (noted.type === "leave") events.push({ type: "leave", at, reason: noted.reason });
      else if (noted.type === "layout") events.push({ type: "layout", at, index: noted.index });
      else events.push({ type: "path-full", at });
    }
    return events;
  }

  private get full(): boolean {
    return this.samples > MOST_SAMPLES;
  }
}

/** Events in their order, in batches that are small enough to travel. */
export function batchesOf(events: readonly PathEvent[]): PathEvent[][] {
  const batches: PathEvent[][] = [];
  let size = LARGEST_BATCH;
  for (const event of events) {
    const length = JSON.stringify(event).length;
    if (size + length > LARGEST_BATCH) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(event);
    size += length;
  }
  return batches;
}

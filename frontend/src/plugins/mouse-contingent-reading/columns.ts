/**
 * The log of a reading in columns: the same visits and boxes as in rows, in a third of the bytes. What the columns mean
 * is told in `experiments/paradigms/mouse_contingent_reading/columns.py`, and `tests/contract/reading_columns.json` holds both to it. Pure.
 */

import type { Box } from "./boxes";
import type { Reason } from "./params";
import type { VisitRow } from "./record";

export const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const OF_TIME = 2;
const OF_WIDTH = 1;

export interface VisitColumns {
  /** Area minus the area before, the first from 0. */
  readonly steps: readonly number[];
  /** From the leave before, the first from the onset, to the entry, in tenths of a millisecond. */
  readonly waits: string;
  /** From the entry to the leave, in tenths of a millisecond. */
  readonly stays: string;
  /** What ended the visits, and how many in a row. */
  readonly left_by: readonly (readonly [Reason, number])[];
}

/** Area, x, y, width and height of one box; or area, x, y, height and the widths of boxes that stand side by side. */
export type BoxEntry = readonly [number, number, number, number, number | string];

/** The visits are in order and do not overlap; their times are whole tenths of a millisecond. */
export function columnsOf(visits: readonly VisitRow[]): VisitColumns {
  const steps: number[] = [];
  const waits: number[] = [];
  const stays: number[] = [];
  const runs: [Reason, number][] = [];
  let before = { aoi: 0, leave: 0 };
  for (const [aoi, enterMs, leaveMs, reason] of visits) {
    const enter = Math.round(10 * enterMs);
    const leave = Math.round(10 * leaveMs);
    steps.push(aoi - before.aoi);
    waits.push(enter - before.leave);
    stays.push(leave - enter);
    before = { aoi, leave };
    const run = runs.at(-1);
    if (run?.[0] === reason) run[1] += 1;
    else runs.push([reason, 1]);
  }
  return { steps, waits: textOf(waits, OF_TIME), stays: textOf(stays, OF_TIME), left_by: runs };
}

export function rowsOf(boxes: readonly Box[]): BoxEntry[] {
  const rows: Box[][] = [];
  for (const box of boxes) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row !== undefined && last !== undefined && standSideBySide(last, box)) row.push(box);
    else rows.push([box]);
  }
  return rows.flatMap((row) => row.slice(0, 1).map((first) => entryOf(first, row)));
}

/** Whole numbers from 0 in base 64, of `least` digits each or between brackets. */
export function textOf(numbers: readonly number[], least: number): string {
  return numbers
    .map((number) => {
      let digits = "";
      for (let rest = number; rest > 0 || digits.length < least; rest = Math.floor(rest / DIGITS.length)) {
        digits = DIGITS.charAt(rest % DIGITS.length) + digits;
      }
      return digits.length === least ? digits : `(${digits})`;
    })
    .join("");
}

function entryOf({ aoi, x, y, width, height }: Box, row: readonly Box[]): BoxEntry {
  if (row.length === 1) return [aoi, x, y, width, height];
  const widths = row.map((box) => box.width);
  return [aoi, x, y, height, textOf(widths, OF_WIDTH)];
}

function standSideBySide(one: Box, other: Box): boolean {
  return (
    [one.x, one.width, other.x, other.width].every((number) => Number.isInteger(number) && number >= 0) &&
    other.aoi === one.aoi + 1 &&
    other.x === one.x + one.width &&
    other.y === one.y &&
    other.height === one.height
  );
}

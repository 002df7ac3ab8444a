/** Reads visits in columns again, for tests. */

import { DIGITS, type VisitColumns } from "./columns";
import type { VisitRow } from "./record";

export function visitsIn(columns: unknown): VisitRow[] {
  const { steps, waits, stays, left_by } = columns as VisitColumns;
  const reasons = left_by.flatMap(([reason, times]) => Array.from({ length: times }, () => reason));
  const [before, during] = [numbersIn(waits), numbersIn(stays)];
  let aoi = 0;
  let leave = 0;
  return steps.map((step, place) => {
    aoi += step;
    const enter = leave + (before[place] ?? Number.NaN);
    leave = enter + (during[place] ?? Number.NaN);
    return [aoi, enter / 10, leave / 10, reasons[place] ?? "done"];
  });
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\(([^)]+)\)|../gu)].map(([two, longer]) =>
    [...(longer ?? two)].reduce((number, digit) => 64 * number + DIGITS.indexOf(digit), 0),
  );
}

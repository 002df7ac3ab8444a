import { describe, expect, test } from "vitest";
import contract from "../../../../tests/contract/reading_columns.json";
import type { Box } from "./boxes";
import { columnsOf, DIGITS, rowsOf, textOf } from "./columns";
import { visitsIn } from "./columns-harness";
import type { VisitRow } from "./record";

describe("the log in columns", () => {
  test("digits are those of the server", () => {
    expect(DIGITS).toBe(contract.digits);
    expect(new Set(DIGITS).size).toBe(64);
  });

  test.each(contract.visits)("visits have the columns of the contract: $what", ({ rows, columns }) => {
    expect(columnsOf(rows as unknown as VisitRow[])).toEqual(columns);
  });

  test.each(contract.visits)("no visit loses anything by it: $what", ({ rows, columns }) => {
    expect(visitsIn(columns)).toEqual(rows);
  });

  test.each(contract.boxes)("boxes have the rows of the contract: $what", ({ boxes, rows }) => {
    const apart = boxes.map(([aoi, x, y, width, height]) => ({ aoi, x, y, width, height }) as Box);
    expect(rowsOf(apart)).toEqual(rows);
  });

  test.each([
    [0, "AA"],
    [63, "A_"],
    [4_095, "__"],
    [4_096, "(BAA)"],
    [36_000_003, "(CJVED)"],
    [2 ** 40, "(QAAAAAA)"],
  ])("%i is written %s", (number, text) => {
    expect(textOf([number], 2)).toBe(text);
  });
});

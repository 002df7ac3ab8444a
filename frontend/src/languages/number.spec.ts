import { describe, expect, test } from "vitest";
import vectors from "../../../tests/contract/numbers.json";
import { readNumber } from "./number";

describe("numbers that participants type", () => {
  test("the shared vectors are there", () => {
    expect(vectors.length).toBeGreaterThan(50);
  });

  test.each(vectors)("$input (zero allowed: $allow_zero) is read as the contract says", (vector) => {
    expect(readNumber(vector.input, { allowZero: vector.allow_zero })).toEqual({
      number: vector.number,
      reason: vector.reason,
    });
  });
});

import { describe, expect, test } from "vitest";
import contract from "../../../tests/contract/words.json";
import { DIGIT_JOINERS, JOINERS, NeedsRegions, REGION_MARKS, SCRIPTS_WITHOUT_SPACES, splitWords } from "./words";

describe("counting words", () => {
  test("the shared vectors are there", () => {
    expect(contract.cases.length).toBeGreaterThan(70);
  });

  test("the characters that join words are those of the server", () => {
    expect(JOINERS).toBe(contract.joiners);
    expect(DIGIT_JOINERS).toBe(contract.digit_joiners);
    expect(REGION_MARKS).toBe(contract.region_marks);
  });

  test("the scripts without spaces are those of the server", () => {
    const points = contract.scripts_without_spaces.map((block) => block.map((point) => Number.parseInt(point, 16)));
    expect(SCRIPTS_WITHOUT_SPACES).toEqual(points);
  });

  test.each(contract.cases)("$input (regions: $regions) has the words of the contract", ({ input, regions, words }) => {
    if (words === null) {
      expect(() => splitWords(input, { regions })).toThrow(NeedsRegions);
    } else {
      expect(splitWords(input, { regions })).toEqual(words);
    }
  });
});

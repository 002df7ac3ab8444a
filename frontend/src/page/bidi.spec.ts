import { describe, expect, test } from "vitest";
import { levelsFrom } from "./bidi";
import { levelsOf, prepareLevels, stretchesOf } from "./levels";

/** Capital letters stand for a script from right to left; what a line looks like tells the place of every character. */
function levels(text: string, shown: string, dir: "ltr" | "rtl"): string {
  const places = [...text].map((character) => shown.indexOf(character));
  return levelsFrom(places, dir).join("");
}

describe("levels from the places of characters", () => {
  test.each([
    ["one direction", "abc", "abc", "ltr", "000"],
    ["one direction, from the right", "ABC", "CBA", "rtl", "111"],
    ["two English words in a Hebrew sentence", "AB-xy_z=CD", "DC=xy_z-BA", "rtl", "1112222111"],
    ["two Hebrew words in an English sentence", "ab-XY_Z=cd", "ab-Z_YX=cd", "ltr", "0001111000"],
    ["a number in Hebrew in an English sentence", "ab-XY_15=Zcd", "ab-Z=15_YXcd", "ltr", "000111221100"],
    ["an English word alone, at the end", "A-xyz", "xyz-A", "rtl", "11222"],
    ["single characters, which need no level of their own", "A-x_B", "B_x-A", "rtl", "11111"],
  ] as const)("%s", (_name, text, shown, dir, expected) => {
    expect(levels(text, shown, dir)).toBe(expected);
  });

  test("places that no levels make end, too", () => {
    expect(levelsFrom([1, 3, 0, 2], "ltr")).toHaveLength(4);
    expect(levelsFrom([], "rtl")).toEqual([]);
  });
});

test("a text that runs in one direction is not measured", async () => {
  await prepareLevels([[{ text: "הספר של" }, { text: "John" }]]);
  expect(levelsOf("The dog ran 12 miles.", "ltr")).toBeNull();
  expect(levelsOf("הכלב רץ, ושוב!", "rtl")).toBeNull();
});

test("a word is cut where its direction changes", () => {
  expect(stretchesOf([1, 1, 1, 2, 2, 2, 1], 1, 6)).toEqual([
    { start: 1, end: 3, level: 1 },
    { start: 3, end: 6, level: 2 },
  ]);
});

import { expect, test } from "vitest";
import { placeOf } from "./keys";

const LETTERS = [{ key: "f" }, { key: "j" }];
const DIGITS = [{ key: "1" }, { key: "2" }];

test("a letter is known by what it types, and on keyboards of other scripts by its place", () => {
  expect(placeOf(LETTERS, { key: "J", code: "KeyJ" })).toBe(1);
  expect(placeOf(LETTERS, { key: "о", code: "KeyJ" })).toBe(1);
  expect(placeOf(LETTERS, { key: "k", code: "KeyJ" })).toBe(-1);
});

test("a digit is known by its place where another key would be needed to type it, as on French keyboards", () => {
  expect(placeOf(DIGITS, { key: "2", code: "Numpad2" })).toBe(1);
  expect(placeOf(DIGITS, { key: "&", code: "Digit1" })).toBe(0);
  expect(placeOf(DIGITS, { key: "é", code: "Digit2" })).toBe(1);
  expect(placeOf([{ key: "&" }, { key: "1" }], { key: "&", code: "Digit1" })).toBe(0);
});

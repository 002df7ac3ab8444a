import { expect, test } from "vitest";
import { placeOf } from "./keys";
import { typedBy } from "./plugin";

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

test("what a key types is its digit where digits need another key beside them, and else what it is", () => {
  expect(typedBy({ key: "é", code: "Digit2" })).toBe("2");
  expect(typedBy({ key: "2", code: "Digit2" })).toBe("2");
  expect(typedBy({ key: "5", code: "Numpad5" })).toBe("5");
  expect(typedBy({ key: "Enter", code: "Enter" })).toBe("Enter");
  expect(typedBy({ key: "Dead", code: "Digit6" })).toBe("Dead");
});

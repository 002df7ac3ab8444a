import { expect, test } from "vitest";
import { plainDigits } from "./digits";

test("digits and separators of Arabic, Persian and other keyboards are read as what they mean", () => {
  expect(plainDigits("١٢٫٥")).toBe("12,5");
  expect(plainDigits("۱۹۸۷")).toBe("1987");
  expect(plainDigits("०१२३४५६७८९")).toBe("0123456789");
  expect(plainDigits("৩৪ ９０")).toBe("34 90");
  expect(plainDigits("12.5 سنة")).toBe("12.5 سنة");
});

import { expect, test } from "vitest";
import { typedBy } from "./typed-by";

test("what a key types is its digit where digits need another key beside them, and else what it is", () => {
  expect(typedBy({ key: "é", code: "Digit2" })).toBe("2");
  expect(typedBy({ key: "2", code: "Digit2" })).toBe("2");
  expect(typedBy({ key: "5", code: "Numpad5" })).toBe("5");
  expect(typedBy({ key: "Enter", code: "Enter" })).toBe("Enter");
  expect(typedBy({ key: "Dead", code: "Digit6" })).toBe("Dead");
});

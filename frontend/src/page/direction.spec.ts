import { expect, test } from "vitest";
import { directionOf } from "./direction";

test("a text has the direction of its first letter", () => {
  expect(directionOf("The door was opened.")).toBe("ltr");
  expect(directionOf("«12 باب» opened")).toBe("rtl");
  expect(directionOf("הדלת נפתחה.")).toBe("rtl");
  expect(directionOf("12 + 7 =")).toBe("ltr");
});

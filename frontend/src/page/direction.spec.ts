import { expect, test } from "vitest";
import cases from "../../../tests/contract/directions.json";
import { element, textSpan } from "./blocks";
import { directionOf } from "./direction";

test.each(cases)("$text runs $direction", ({ text, direction }) => {
  expect(directionOf(text)).toBe(direction);
});

const HEBREW = "הילד אכל pizza אתמול.";

test("an element that holds a text has its direction, and words that are marked in it are not held apart", () => {
  expect(element("p", {}, HEBREW).dir).toBe("rtl");
  const word = element("em", {}, "pizza");
  expect(element("p", {}, "הילד אכל ", word, " אתמול.").dir).toBe("rtl");
  expect(word.dir).toBe("");
  expect(element("label", {}, element("span", {}, HEBREW)).dir).toBe("");
  expect(textSpan(HEBREW).dir).toBe("rtl");
  expect(element("ul", {}, element("li", {}, HEBREW)).dir).toBe("rtl");
  expect(element("p", {}, "3 / 20").dir).toBe("");
  expect(element("p", { dir: "ltr" }, HEBREW).dir).toBe("ltr");
});

test("what is written or typed later has a direction of its own", () => {
  expect(element("p").dir).toBe("auto");
  expect(element("textarea").dir).toBe("auto");
  expect(element("input", { type: "text" }).dir).toBe("auto");
  expect(element("input", { type: "radio" }).dir).toBe("");
});

import { expect, test } from "vitest";
import cases from "../../../tests/contract/graphemes.json";
import { graphemesIn } from "./graphemes";

test.each(cases)("$text has as many characters as people see", ({ text, graphemes }) => {
  expect(graphemesIn(text)).toBe(graphemes);
});

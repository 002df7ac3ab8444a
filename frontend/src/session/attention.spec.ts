import { afterEach, expect, test } from "vitest";
import { isTranslated } from "./attention";

afterEach(() => {
  document.documentElement.lang = "";
  document.body.replaceChildren();
});

test("a page is translated where its language was changed or its words stand in font elements", () => {
  document.documentElement.lang = "de";
  expect(isTranslated("de")).toBe(false);
  document.documentElement.lang = "fr";
  expect(isTranslated("de")).toBe(true);
  document.documentElement.lang = "de";
  document.body.innerHTML = "<p><font><font>Bonjour</font></font></p>";
  expect(isTranslated("de")).toBe(true);
});

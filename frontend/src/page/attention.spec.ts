import { afterEach, expect, test, vi } from "vitest";
import { Attention, isTranslated } from "./attention";

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

test("every trial that begins while somebody is away counts that, until they are back", () => {
  const hasFocus = vi.spyOn(document, "hasFocus").mockReturnValue(true);
  const attention = new Attention();
  attention.reset();
  expect(attention.count).toBe(0);
  hasFocus.mockReturnValue(false);
  window.dispatchEvent(new Event("blur"));
  expect(attention.count).toBe(1);
  attention.reset();
  attention.reset();
  expect(attention.count).toBe(1);
  hasFocus.mockReturnValue(true);
  attention.reset();
  expect(attention.count).toBe(0);
  hasFocus.mockRestore();
});

import { expect, test } from "vitest";
import { europeanDigits, takeDigits } from "./digits";

test("digits and separators of Arabic and Persian keyboards become those of the platform", () => {
  expect(europeanDigits("١٢٫٥")).toBe("12,5");
  expect(europeanDigits("۱۹۸۷")).toBe("1987");
  expect(europeanDigits("12.5")).toBe("12.5");
});

test("a field for numbers holds plain digits before anybody hears of them, and no other field is touched", () => {
  takeDigits(document);
  const heard: string[] = [];
  for (const [mode, typed] of [
    ["decimal", "٧"],
    ["", "سنة ٧"],
  ] as const) {
    const field = document.createElement("input");
    field.setAttribute("inputmode", mode);
    field.addEventListener("input", () => heard.push(field.value));
    document.body.append(field);
    field.value = typed;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  expect(heard).toEqual(["7", "سنة ٧"]);
});

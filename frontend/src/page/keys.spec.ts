import { beforeEach, expect, test } from "vitest";
import { element } from "./blocks";
import { watchForKeys } from "./keys";

beforeEach(() => {
  sessionStorage.clear();
  document.body.replaceChildren();
});

function press(target: EventTarget, code: string): void {
  target.dispatchEvent(new KeyboardEvent("keydown", { key: "a", code, bubbles: true }));
}

test("a page knows of keys once one was pressed, and remembers it when it is loaded again", () => {
  const root = element("div");
  watchForKeys(root);
  expect(root.hasAttribute("data-keys")).toBe(false);
  press(document, "KeyA");
  expect(root.hasAttribute("data-keys")).toBe(true);
  const next = element("div");
  watchForKeys(next);
  expect(next.hasAttribute("data-keys")).toBe(true);
});

test("a keyboard on the screen is none: it opens for fields, or names no place of a key", () => {
  const root = element("div");
  watchForKeys(root);
  const field = element("textarea");
  document.body.append(field);
  press(field, "KeyA");
  press(document, "");
  expect(root.hasAttribute("data-keys")).toBe(false);
});

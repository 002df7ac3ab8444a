import { describe, expect, test } from "vitest";
import { type Messages, messagesIn } from "./messages";

/** All texts of a language; those with arguments are given numbers and words. */
function texts(messages: Messages): string[] {
  return Object.values(messages).flatMap((text) => {
    if (typeof text === "string") return [text];
    if (typeof text === "function")
      return [1, 7].map((count) => (text as (...args: unknown[]) => string)(count, 9, 11));
    return Object.values(text);
  });
}

describe("the texts of the interface", () => {
  test.each(["en", "de"])("those in %s are complete and never shout", (language) => {
    for (const text of texts(messagesIn(language))) {
      expect(text.trim()).not.toBe("");
      expect(text).not.toContain("!");
      expect(text).not.toContain("undefined");
    }
  });

  test("the German ones are polite", () => {
    for (const text of texts(messagesIn("de"))) {
      expect(text).not.toMatch(/\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir)\b/);
    }
  });

  test("the two languages differ in every text that is a sentence", () => {
    const english = texts(messagesIn("en"));
    const german = texts(messagesIn("de"));
    expect(german).toHaveLength(english.length);
    const same = english.filter((text, index) => text === german[index] && text.includes(" "));
    expect(same).toEqual([]);
  });

  test("a regional tag finds its language, an unknown one English", () => {
    expect(messagesIn("de-AT")).toBe(messagesIn("de"));
    expect(messagesIn("DE")).toBe(messagesIn("de"));
    expect(messagesIn("fr")).toBe(messagesIn("en"));
  });
});

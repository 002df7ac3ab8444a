import { describe, expect, test } from "vitest";
import { readingMessagesIn } from "./messages";

function texts(language: string): string[] {
  return Object.values(readingMessagesIn(language)).flatMap((text) =>
    typeof text === "string" ? [text] : Object.values(text),
  );
}

describe("the texts of the reading trial", () => {
  test.each(["en", "de"])("those in %s are complete and never shout", (language) => {
    for (const text of texts(language)) {
      expect(text.trim()).not.toBe("");
      expect(text).not.toContain("!");
    }
  });

  test("the German ones are polite", () => {
    for (const text of texts("de")) expect(text).not.toMatch(/\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir)\b/);
  });

  test("the two languages differ in every text that is a sentence", () => {
    const german = texts("de");
    expect(texts("en").filter((text, index) => text === german[index] && text.includes(" "))).toEqual([]);
  });
});

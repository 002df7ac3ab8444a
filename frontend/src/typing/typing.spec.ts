import { describe, expect, test } from "vitest";
import { Typing } from "./typing";

function typed(...texts: string[]): Typing {
  const typing = new Typing();
  for (const [index, text] of texts.entries()) typing.changed(text, 100 * (index + 1));
  return typing;
}

/** The text that a log leads to. */
function replayed(typing: Typing): string {
  let text: string[] = [];
  for (const { from, removed, typed: added } of typing.batches().flat()) {
    text = [...text.slice(0, from), ...added, ...text.slice(from + removed)];
  }
  return text.join("");
}

describe("how a recall was typed", () => {
  test("what is added is no edit, also in the middle", () => {
    expect(typed("T", "Th", "Thx", "Thex", "aThex").edits).toBe(0);
  });

  test("what is taken away or replaced is one", () => {
    expect(typed("The dog", "The do", "The cat", "", "A").edits).toBe(3);
  });

  test("a text that was put back is no typing of now, and the log leads from it to the text", () => {
    const typing = new Typing();
    typing.putBack("The dog", 50);
    expect([typing.edits, typing.firstChange, typing.durationFrom(0)]).toEqual([0, null, 0]);
    typing.changed("The dogs", 100);
    expect([typing.edits, typing.firstChange, typing.lastChange]).toEqual([0, 100, 100]);
    expect(replayed(typing)).toBe("The dogs");
  });

  test("typing lasts from the first to the last change", () => {
    const typing = typed("T", "Th", "The");
    expect(typing.firstChange).toBe(100);
    expect(typing.durationFrom(50)).toBe(200);
    expect(new Typing().durationFrom(50)).toBe(0);
  });

  test("what was typed before the onset counts as typed at it", () => {
    const typing = typed("T", "Th", "The");
    expect(typing.durationFrom(150)).toBe(150);
    expect(typing.durationFrom(300)).toBe(0);
    expect(typing.durationFrom(310)).toBe(0);
  });

  test("an event without a change of the text is none", () => {
    const typing = typed("T", "T", "T");
    expect(typing.batches().flat()).toHaveLength(1);
    expect(typing.durationFrom(0)).toBe(0);
  });

  test("the log leads to the text, whatever was done and whatever the characters", () => {
    const texts = ["A", "A 👍", "A 👍🏽", "A 👎🏽", "aa", "a", "bab", "", "雨が", "雨が降る"];
    const typing = typed(...texts);
    expect(replayed(typing)).toBe("雨が降る");
    expect(JSON.stringify(typing.batches())).not.toMatch(/\\ud/u);
  });

  test("an event says when, where, how much was removed and what was typed", () => {
    expect(typed("The dog", "The dig").batches().flat()[1]).toEqual({
      type: "typing",
      t_ms: 200,
      from: 5,
      removed: 1,
      typed: "i",
    });
  });

  test("long logs travel in batches of at most a hundred events", () => {
    const typing = typed(...Array.from({ length: 250 }, (_, index) => "x".repeat(index + 1)));
    expect(typing.batches().map((batch) => batch.length)).toEqual([100, 100, 50]);
  });
});

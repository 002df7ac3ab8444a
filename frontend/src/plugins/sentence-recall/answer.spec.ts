import { describe, expect, test } from "vitest";
import { answerFrom } from "./answer";

describe("answers to problems", () => {
  test.each([
    ["68", 68],
    [" 68 ", 68],
    ["+68", 68],
    ["-5", -5],
    ["−5", -5],
    ["–5", -5],
    ["- 5", -5],
    ["007", 7],
    ["-0", 0],
    ["٦٨", 68],
    ["6８", 68],
  ])("%j means %i", (typed, answer) => {
    expect(answerFrom(typed)).toBe(answer);
  });

  test.each(["", " ", "-", "6 8", "6.8", "6,8", "sixty-eight", "1e3", "--5", "5-", "1234567890"])(
    "%j means no number",
    (typed) => {
      expect(answerFrom(typed)).toBeNull();
    },
  );
});

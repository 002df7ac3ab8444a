import { describe, expect, test, vi } from "vitest";
import { find, isFinished, startTrial } from "../trial-harness";
import BreakFeedback from "./index";

const BREAK = { done: 48, total: 144, pages: [], feedback: "both" };

async function shown(answer: Record<string, unknown>, params: Record<string, unknown> = {}) {
  const trial = await startTrial(BreakFeedback, { ...BREAK, ...params, check: () => Promise.resolve(answer) });
  await vi.waitFor(() => expect(find<HTMLButtonElement>(trial.display, ".primary").disabled).toBe(false));
  return trial;
}

describe("break-feedback", () => {
  test("it says how many answers were right, and how fast they were", async () => {
    const { display } = await shown({ right: 0.875, mean_ms: 643.2, again: null, skips: [] });
    expect(find(display, ".block-feedback").textContent).toBe("Right answers: 88 %Mean time of an answer: 0.64 s");
    expect(find(display, "h2").textContent).toBe("Time for a break");
  });

  test("it says nothing of what the study does not tell", async () => {
    const { display } = await shown({ right: null, mean_ms: 700, again: null, skips: [] });
    expect(find(display, ".block-feedback").textContent).toBe("Mean time of an answer: 0.7 s");
  });

  test.each([
    [true, "Please practise once more.", []],
    [false, "The practice is over. Now it begins.", [7, 8, 9]],
  ])("after practice it says whether that comes again: %s", async (again, text, skips) => {
    const trial = await shown({ right: 0.5, mean_ms: null, again, skips }, { practice: true, feedback: "right" });
    expect(find(trial.display, "h2").textContent).toBe("End of the practice");
    expect(find(trial.display, ".block-feedback").textContent).toContain(text);
    find(trial.display, ".primary").click();
    const data = await trial.finished;
    expect(data.skips).toEqual(skips);
    expect(Object.keys(data.payload)).toEqual(["duration_ms", "instructions_reopened"]);
  });

  test("nobody goes on from a practice of which nothing is known yet", async () => {
    const answers = [null, null, { right: 1, mean_ms: null, again: false, skips: [3] }];
    const check = () => Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]);
    const trial = await startTrial(BreakFeedback, { ...BREAK, practice: true, check });
    const next = find<HTMLButtonElement>(trial.display, ".primary");
    expect([next.disabled, next.textContent]).toEqual([true, "One moment"]);
    next.click();
    expect(await isFinished(trial)).toBe(false);
    await vi.waitFor(() => expect(next.disabled).toBe(false), { timeout: 4000 });
    expect(next.textContent).toBe("Continue");
  });

  test("a break goes on without feedback where none comes", { timeout: 10_000 }, async () => {
    const trial = await startTrial(BreakFeedback, { ...BREAK, check: () => Promise.resolve(null) });
    const next = find<HTMLButtonElement>(trial.display, ".primary");
    await vi.waitFor(() => expect(next.disabled).toBe(false), { timeout: 8000 });
    next.click();
    expect((await trial.finished).skips).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { find, press, simulateTrial, startTrial } from "../trial-harness";
import Break from "./index";

const BREAK = { done: 48, total: 144, pages: [[{ type: "paragraph", text: "Any positive number." }]] };

describe("break", () => {
  test("it says where one is, and that the answers are saved", async () => {
    const { display } = await startTrial(Break, BREAK);
    expect(display.textContent).toContain("You have answered 48 of 144. Your answers are saved.");
  });

  test("it ends by key, and its duration is recorded", async () => {
    const trial = await startTrial(Break, BREAK);
    const now = performance.now();
    press(document, "Enter", { at: now + 5000.5 });
    const { payload, onset_ms, rt_ms } = await trial.finished;
    expect(payload).toEqual({ duration_ms: now + 5000.5 - (onset_ms ?? 0), instructions_reopened: false });
    expect(rt_ms).toBe(payload.duration_ms);
  });

  test("the instructions can be read again, which is recorded", async () => {
    const trial = await startTrial(Break, BREAK);
    const reopen = find(trial.display, ".plain");
    const instructions = find(trial.display, "#instructions");
    expect(instructions.hidden).toBe(true);
    reopen.click();
    expect(instructions.hidden).toBe(false);
    expect(instructions.textContent).toBe("Any positive number.");
    expect(reopen.getAttribute("aria-expanded")).toBe("true");
    find(trial.display, ".primary").click();
    expect((await trial.finished).payload.instructions_reopened).toBe(true);
  });

  test("without instruction pages there is nothing to reopen", async () => {
    const { display } = await startTrial(Break, { ...BREAK, pages: [] });
    expect(display.querySelector(".plain")).toBeNull();
  });

  test("a simulation rests for a while", async () => {
    expect((await simulateTrial(Break, BREAK)).payload.duration_ms).toBeGreaterThan(0);
  });
});

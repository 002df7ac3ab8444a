import { describe, expect, test } from "vitest";
import { find, isFinished, press, simulateTrial, startTrial, type } from "../trial-harness";
import LineLength from "./index";

const LINE = { reference: 0.25, length: 0.6, reference_number: 10, index: 1, total: 6 };

describe("line length", () => {
  test("both lines are drawn with their shares of the width, the reference above", async () => {
    const { display } = await startTrial(LineLength, LINE);
    const lines = [...display.querySelectorAll<HTMLElement>(".line")];
    expect(lines.map((line) => line.style.inlineSize)).toEqual(["25%", "60%"]);
    const rows = [...display.querySelectorAll(".line-row")].map((row) => row.getAttribute("aria-label"));
    expect(rows).toEqual(["Reference line", "Line to judge"]);
  });

  test("the number of the reference is told", async () => {
    const { display } = await startTrial(LineLength, LINE);
    expect(find(display, ".prompt").textContent).toContain("The upper line has the number 10.");
  });

  test("an estimate is recorded with its times", async () => {
    const trial = await startTrial(LineLength, LINE);
    const input = find<HTMLInputElement>(trial.display, "input");
    const now = performance.now();
    press(input, "2", { at: now + 300 });
    type(input, "24");
    press(input, "Enter", { at: now + 900.5 });
    const data = await trial.finished;
    const onset = data.onset_ms ?? Number.NaN;
    expect(data).toMatchObject({ rt_ms: now + 900.5 - onset, clock: "animation-frame" });
    expect(data.payload).toEqual({ typed: "24", number: 24, first_key_ms: now + 300 - onset, edits: 0, refused: [] });
  });

  test("a line never has the number 0", async () => {
    const trial = await startTrial(LineLength, LINE);
    const input = find<HTMLInputElement>(trial.display, "input");
    type(input, "0");
    press(input, "Enter");
    expect(await isFinished(trial)).toBe(false);
    expect(find(trial.display, "[role=alert]").textContent).toContain("Zero cannot be used here.");
  });

  test("a simulation estimates near the true ratio", async () => {
    const { payload } = await simulateTrial(LineLength, LINE);
    expect(payload.number).toBeGreaterThan(10);
    expect(payload.number).toBeLessThan(60);
  });
});

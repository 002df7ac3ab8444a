import { afterEach, describe, expect, test, vi } from "vitest";
import { clock } from "../../timing/clock";
import { find, press, type StartedTrial, simulateTrial, startTrial } from "../trial-harness";
import SentenceRecall from "./index";

const TEXT = "The towpath flooded because it rained.";
const TRIAL = {
  kind: "target",
  text: TEXT,
  words: 6,
  presentation: "whole",
  ms_per_word: 50,
  display_ms: 150,
  segments: [],
  fixation_ms: 60,
  blank_ms: 60,
  problems: [
    { a: 23, operator: "+", b: 45 },
    { a: 71, operator: "−", b: 18 },
  ],
  time_limit_ms: null,
  feedback: false,
  keystroke_log: false,
  full_screen: false,
  index: 3,
  total: 32,
  check: async () => null,
};

/** Everything that the page shows or holds, noted in each frame until `until` is there. */
async function watch(trial: StartedTrial, until: string): Promise<string[]> {
  const seen: string[] = [];
  while (trial.display.querySelector(until) === null) {
    const held = trial.display.innerHTML;
    if (seen.at(-1) !== held) seen.push(held);
    await clock.nextFrame();
  }
  await clock.nextFrame();
  return seen;
}

function enter(trial: StartedTrial, selector: string, text: string): void {
  const field = find<HTMLInputElement>(trial.display, selector);
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  press(field, "Enter");
}

async function solve(trial: StartedTrial, ...answers: string[]): Promise<void> {
  for (const answer of answers) {
    await watch(trial, "#answer:not([readonly])");
    enter(trial, "#answer", answer);
  }
}

async function recall(trial: StartedTrial, text: string) {
  await watch(trial, "#recall");
  enter(trial, "#recall", text);
  return trial.finished;
}

function texts(seen: readonly string[]): string[] {
  const shown = seen.map((html) => html.replace(/<[^>]*>/gu, ""));
  return shown.filter((text, index) => text !== shown[index - 1]);
}

afterEach(() => {
  Reflect.deleteProperty(document, "fullscreenEnabled");
  Reflect.deleteProperty(document, "fullscreenElement");
});

describe("sentence recall", () => {
  test("cross, sentence, blank, problems and box follow one another, each alone on the page", async () => {
    const trial = await startTrial(SentenceRecall, TRIAL);
    const seen = await watch(trial, "#answer");
    expect(texts(seen)).toEqual(["", "+", TEXT, ""]);
    await solve(trial, "68", "53");
    const data = await recall(trial, "The path flooded.");
    expect(data.payload).toMatchObject({
      recall: "The path flooded.",
      arithmetic: [{ answer: 68 }, { answer: 53 }],
      paste_attempts: 0,
      drop_attempts: 0,
      copy_attempts: 0,
      focus_losses: 0,
      full_screen_exits: 0,
    });
    expect(data.events).toEqual([]);
  });

  test("nothing of the sentence is in the document when it is over", async () => {
    const trial = await startTrial(SentenceRecall, TRIAL);
    await watch(trial, "#answer");
    expect(document.documentElement.outerHTML).not.toContain("towpath");
    await solve(trial, "1", "2");
    await watch(trial, "#recall");
    expect(document.documentElement.outerHTML).not.toContain("towpath");
    await recall(trial, "x");
  });

  test("the display is recorded with its times and frames, and the onset of the trial is its onset", async () => {
    const trial = await startTrial(SentenceRecall, { ...TRIAL, problems: [] });
    const data = await recall(trial, "x");
    const displays = data.payload.displays as Record<string, number>[];
    expect(displays).toHaveLength(1);
    expect(Object.keys(displays[0] ?? {}).sort()).toEqual([
      "doubtful",
      "dropped_frames",
      "flagged",
      "frame_interval_ms",
      "gone_ms",
      "intended_ms",
      "late_frames",
      "measured_ms",
      "offset_ms",
      "onset_ms",
      "shown_ms",
    ]);
    expect(displays[0]?.intended_ms).toBe(150);
    expect(data.onset_ms).toBe(displays[0]?.shown_ms);
    expect(data.onset_error_ms).toBeGreaterThan(0);
    expect(data.rt_ms).toBeGreaterThanOrEqual(0);
  });

  test("word by word each segment replaces the one before it and is recorded on its own", async () => {
    const segments = ["The", "towpath", "flooded."];
    const trial = await startTrial(SentenceRecall, {
      ...TRIAL,
      presentation: "word-by-word",
      segments,
      problems: [],
    });
    const seen = await watch(trial, "#recall");
    expect(texts(seen)).toEqual(["", "+", ...segments, ""]);
    const displays = (await recall(trial, "x")).payload.displays as { intended_ms: number; onset_ms: number }[];
    expect(displays.map((display) => display.intended_ms)).toEqual([50, 50, 50]);
    expect(displays.map((display) => display.onset_ms)).toEqual(displays.map((d) => d.onset_ms).sort((a, b) => a - b));
  });

  test("without cross and blank the sentence comes at once and the box follows it", async () => {
    const trial = await startTrial(SentenceRecall, { ...TRIAL, fixation_ms: 0, blank_ms: 0, problems: [] });
    const seen = await watch(trial, "#recall");
    expect(texts(seen)[1]).toBe(TEXT);
    await recall(trial, "x");
  });

  test("a sentence is shown as text, whatever it holds", async () => {
    const text = "<img src=x onerror=alert(1)> & <b>bold</b>";
    const trial = await startTrial(SentenceRecall, { ...TRIAL, text });
    while (trial.display.querySelector(".recall-sentence") === null) await clock.nextFrame();
    expect(find(trial.display, ".recall-sentence").textContent).toBe(text);
    expect(trial.display.querySelector("img, b")).toBeNull();
  });

  test("practice asks the server about each answer, by problem", async () => {
    const check = vi.fn(async () => ({ correct: true }));
    const trial = await startTrial(SentenceRecall, { ...TRIAL, kind: "practice", feedback: true, check });
    for (const answer of ["68", "-4"]) {
      await watch(trial, "#answer:not([readonly])");
      expect(find(trial.display, ".where").textContent).toBe("Practice · 3 of 32");
      enter(trial, "#answer", answer);
      await vi.waitFor(() => expect(find(trial.display, "[role=status]").textContent).toContain("That is right."));
      press(find(trial.display, "#answer"), "Enter");
      await clock.nextFrame();
    }
    await recall(trial, "x");
    expect(check.mock.calls).toEqual([[{ problem: 0, answer: 68 }], [{ problem: 1, answer: -4 }]]);
  });

  test("without feedback the server is not asked", async () => {
    const check = vi.fn(async () => ({ correct: true }));
    const trial = await startTrial(SentenceRecall, { ...TRIAL, check });
    await solve(trial, "68", "53");
    await recall(trial, "x");
    expect(check).not.toHaveBeenCalled();
  });

  test("copying is refused on every page of the trial and counted, and so are losses of the focus", async () => {
    const trial = await startTrial(SentenceRecall, TRIAL);
    while (trial.display.querySelector(".recall-sentence") === null) await clock.nextFrame();
    const copy = new Event("copy", { bubbles: true, cancelable: true });
    expect(find(trial.display, ".recall-sentence").dispatchEvent(copy)).toBe(false);
    await solve(trial, "68", "53");
    await watch(trial, "#recall");
    const cut = new Event("cut", { bubbles: true, cancelable: true });
    expect(find(trial.display, "#recall").dispatchEvent(cut)).toBe(false);
    window.dispatchEvent(new Event("blur"));
    window.dispatchEvent(new Event("focus"));
    const data = await recall(trial, "x");
    expect(data.payload).toMatchObject({ copy_attempts: 2, focus_losses: 1 });
    window.dispatchEvent(new Event("blur"));
    window.dispatchEvent(new Event("focus"));
    expect(document.body.dispatchEvent(new Event("copy", { cancelable: true }))).toBe(true);
  });

  test("the keystroke log travels as events where the study wants it", async () => {
    const trial = await startTrial(SentenceRecall, { ...TRIAL, problems: [], keystroke_log: true });
    const data = await recall(trial, "The path");
    expect(data.events).toEqual([
      [{ type: "typing", t_ms: expect.any(Number), from: 0, removed: 0, typed: "The path" }],
    ]);
  });

  test("full screen is asked for before the cross, and its exits are counted", async () => {
    let filled: Element | null = null;
    Object.defineProperty(document, "fullscreenEnabled", { configurable: true, value: true });
    Object.defineProperty(document, "fullscreenElement", { configurable: true, get: () => filled });
    document.documentElement.requestFullscreen = async () => {
      filled = document.documentElement;
    };
    const trial = await startTrial(SentenceRecall, { ...TRIAL, full_screen: true, problems: [] });
    await watch(trial, ".full-screen");
    expect(trial.display.textContent).not.toContain("+");
    find(trial.display, "button").click();
    await watch(trial, ".fixation");
    filled = null;
    document.dispatchEvent(new Event("fullscreenchange"));
    // Who leaves before the sentence is asked back, and sees the cross again.
    await watch(trial, ".full-screen");
    expect(trial.display.textContent).toContain("You have left the whole screen.");
    find(trial.display, "button").click();
    await watch(trial, ".recall-sentence");
    expect((await recall(trial, "x")).payload.full_screen_exits).toBe(1);
  });

  test("a browser that never fills the screen does not end the study", async () => {
    Object.defineProperty(document, "fullscreenEnabled", { configurable: true, value: true });
    Object.defineProperty(document, "fullscreenElement", { configurable: true, value: null });
    document.documentElement.requestFullscreen = () => Promise.reject(new TypeError("not allowed"));
    const trial = await startTrial(SentenceRecall, { ...TRIAL, full_screen: true, problems: [] });
    await watch(trial, ".full-screen");
    for (let presses = 0; presses < 3; presses += 1) {
      find(trial.display, "button").click();
      await clock.nextFrame();
    }
    expect((await recall(trial, "x")).payload.recall).toBe("x");
  });

  test("a simulation yields what a participant might", async () => {
    const data = await simulateTrial(SentenceRecall, TRIAL);
    expect(data.payload).toMatchObject({ copy_attempts: 0, displays: [{ intended_ms: 150 }] });
    expect(data.payload.arithmetic).toHaveLength(2);
    expect(data.rt_ms).toBeGreaterThan(0);
  });
});

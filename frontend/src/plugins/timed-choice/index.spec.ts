import { describe, expect, test } from "vitest";
import { placeOf } from "../keys";
import { find, framesPass, isFinished, press, simulateTrial, startTrial } from "../trial-harness";
import TimedChoice from "./index";
import { choiceMessagesIn } from "./messages";

const ANSWERS = [
  { name: "nonword", label: "nonword", key: "f" },
  { name: "word", label: "word", key: "j" },
];
const WORD = {
  kind: "target",
  text: "otter",
  displays: [],
  stays: true,
  with_text: true,
  prompt: "?",
  answers: ANSWERS,
  respond_with: "both",
  timed_from: "onset",
  deadline_ms: null,
  iti_ms: 0,
  feedback: false,
  feedback_ms: 50,
  error_pause_ms: 0,
  index: 4,
  total: 80,
};

const start = (changes: Record<string, unknown> = {}) => startTrial(TimedChoice, { ...WORD, ...changes });
const shown = (display: HTMLElement) => find(display, ".choice-spot").textContent;

async function until(display: HTMLElement, text: string): Promise<void> {
  while (shown(display) !== text) await framesPass(1);
}

/** Waits until the screen has shown it: what is pressed before answers nothing. */
async function onScreen(display: HTMLElement, text: string): Promise<void> {
  await until(display, text);
  await framesPass(3);
}

/** The answers to a trial's question whether something was right. */
function asked(correct: boolean) {
  const questions: unknown[] = [];
  const check = (question: unknown) => {
    questions.push(question);
    return Promise.resolve({ correct });
  };
  return { questions, check };
}

describe("timed choice", () => {
  test("a key answers, with the time of its event", async () => {
    const { display, finished } = await start();
    await until(display, "otter");
    const at = performance.now() + 420.5;
    press(document.body, "J", { at });
    const { payload, rt_ms, onset_ms } = await finished;
    expect(payload).toMatchObject({ answer: 1, by: "key", timed_out: false, early: 0, displays: [] });
    expect((rt_ms ?? 0) + (onset_ms ?? 0)).toBeCloseTo(at, 6);
    expect(payload.rt_ms).toBe(rt_ms);
  });

  test("the target is gone when the answer is there", async () => {
    const { display, finished } = await start();
    await onScreen(display, "otter");
    press(document.body, "f");
    await finished;
    expect(shown(display)).toBe("");
  });

  test("a button answers when it is touched", async () => {
    const { display, finished } = await start();
    await onScreen(display, "otter");
    find(display, "button").dispatchEvent(new MouseEvent("pointerdown", { bubbles: true, button: 0 }));
    expect((await finished).payload).toMatchObject({ answer: 0, by: "button" });
  });

  test("answers stand at their places with their keys, and are no buttons for keys alone", async () => {
    const { display } = await start();
    expect([...display.querySelectorAll("button")].map((each) => each.textContent)).toEqual(["nonwordF", "wordJ"]);
    const keys = await start({ respond_with: "keys" });
    expect(keys.display.querySelector("button")).toBeNull();
    expect(find(keys.display, ".choice-answers").textContent).toBe("nonwordFwordJ");
    const touch = await start({ respond_with: "buttons" });
    expect(find(touch.display, ".choice-answers").textContent).toBe("nonwordword");
  });

  test("keys do nothing where buttons alone answer", async () => {
    const trial = await start({ respond_with: "buttons" });
    await onScreen(trial.display, "otter");
    press(document.body, "j");
    expect(await isFinished(trial)).toBe(false);
  });

  test("displays come in their order, and each has its record", async () => {
    const displays = [
      { kind: "fixation", text: "+", ms: 60 },
      { kind: "forward_mask", text: "#####", ms: 60 },
      { kind: "prime", text: "water", ms: 50 },
    ];
    const { display, finished } = await start({ displays });
    for (const text of ["+", "#####", "water"]) await until(display, text);
    await onScreen(display, "otter");
    press(document.body, "j");
    const records = (await finished).payload.displays as Record<string, number>[];
    expect(records.map(({ intended_ms }) => intended_ms)).toEqual([60, 60, 50]);
    for (const [index, record] of records.entries()) {
      expect(record).not.toHaveProperty("onset");
      if (index > 0) expect(record.onset_ms).toBe(records[index - 1]?.offset_ms);
    }
  });

  test("a press before the target is early and answers nothing", async () => {
    const displays = [{ kind: "fixation", text: "+", ms: 100 }];
    const { display, finished } = await start({ displays });
    await until(display, "+");
    press(document.body, "f");
    await onScreen(display, "otter");
    press(document.body, "x");
    press(document.body, "j", { repeat: true });
    press(document.body, "j");
    press(document.body, "j");
    expect((await finished).payload).toMatchObject({ answer: 1, early: 1 });
  });

  test("a press between the frame that draws the target and its onset is early, and one after it is the answer", async () => {
    const { display, finished } = await start();
    await until(display, "otter");
    press(document.body, "f");
    await framesPass(3);
    press(document.body, "j");
    const { payload, rt_ms } = await finished;
    expect(payload).toMatchObject({ answer: 1, early: 1 });
    expect(rt_ms).toBeGreaterThan(0);
  });

  test("word by word, answers are taken when the last word is over", async () => {
    const words = ["The", "key", "were"].map((text) => ({ kind: "target", text, ms: 400 }));
    const { display, finished } = await start({ displays: words, stays: false, timed_from: "end" });
    await until(display, "were");
    press(document.body, "j");
    await until(display, "?");
    const at = performance.now() + 300;
    press(document.body, "f", { at });
    const { payload, rt_ms, onset_ms } = await finished;
    expect(payload).toMatchObject({ answer: 0, early: 1 });
    const [first, , last] = payload.displays as { shown_ms: number; gone_ms: number }[];
    expect(onset_ms).toBe(first?.shown_ms);
    expect(rt_ms).toBeCloseTo(at - (last?.gone_ms ?? 0), 3);
  });

  test("a target with a time of its own can be answered while it is there, and stays for it", async () => {
    const displays = [{ kind: "target", text: "otter", ms: 600 }];
    const trial = await start({ displays, stays: false });
    await onScreen(trial.display, "otter");
    const at = performance.now() + 20;
    press(document.body, "j", { at });
    await framesPass(2);
    expect(shown(trial.display)).toBe("otter");
    const { payload, rt_ms, onset_ms } = await trial.finished;
    expect(rt_ms).toBeCloseTo(Math.max(0, at - (onset_ms ?? 0)), 6);
    const [record] = payload.displays as { measured_ms: number }[];
    expect(record?.measured_ms).toBeGreaterThan(500);
  });

  test("the deadline ends a trial without an answer", async () => {
    const { finished } = await start({ deadline_ms: 120 });
    expect(await finished).toMatchObject({
      payload: { answer: null, by: null, rt_ms: null, timed_out: true },
      rt_ms: null,
    });
  });

  test("without feedback nobody is asked what is right", async () => {
    const { questions, check } = asked(true);
    const { display, finished } = await start({ check });
    await onScreen(display, "otter");
    press(document.body, "j");
    await finished;
    expect(questions).toEqual([]);
    expect(find(display, ".verdict").textContent).toBe("");
  });

  test("feedback says what the server says", async () => {
    for (const correct of [true, false]) {
      const { questions, check } = asked(correct);
      const { display, finished } = await start({ check, feedback: true });
      await onScreen(display, "otter");
      press(document.body, "j");
      await finished;
      expect(questions).toEqual([{ problem: 0, answer: 1 }]);
      expect(find(display, ".verdict").textContent).toBe(correct ? "Right" : "Wrong");
    }
  });

  test("an answer that did not come is too late, and the server is not asked", async () => {
    const { questions, check } = asked(true);
    const { display, finished } = await start({ check, feedback: true, deadline_ms: 60 });
    await finished;
    expect(questions).toEqual([]);
    expect(find(display, ".verdict").textContent).toBe("Too late");
  });

  test("where nothing may be to press, the server says whether that was right", async () => {
    for (const correct of [true, false]) {
      const { questions, check } = asked(correct);
      const { display, finished } = await start({ check, feedback: true, deadline_ms: 60, withheld: true });
      expect((await finished).payload).toMatchObject({ answer: null, timed_out: true });
      expect(questions).toEqual([{ problem: 0, answer: -1 }]);
      expect(find(display, ".verdict").textContent).toBe(correct ? "Right" : "Too late");
    }
  });

  test("a simulation withholds some answers where that may be right, and no others", async () => {
    const chosen = async (withheld: boolean) => {
      const some = Array.from({ length: 60 }, () =>
        simulateTrial(TimedChoice, { ...WORD, deadline_ms: 900, withheld }),
      );
      return new Set((await Promise.all(some)).map(({ payload }) => payload.answer));
    };
    expect(await chosen(true)).toEqual(new Set([0, 1, null]));
    expect(await chosen(false)).toEqual(new Set([0, 1]));
  });

  test("a pause follows wrong answers alone, and tells nothing", async () => {
    const lasted = async (correct: boolean, error_pause_ms: number) => {
      const { check } = asked(correct);
      const { display, finished } = await start({ check, error_pause_ms });
      await onScreen(display, "otter");
      const pressed = performance.now();
      press(document.body, "j");
      await finished;
      expect(find(display, ".verdict").textContent).toBe("");
      return performance.now() - pressed;
    };
    expect(await lasted(false, 400)).toBeGreaterThan(390);
    expect(await lasted(true, 600_000)).toBeLessThan(600_000);
  });

  test("a trial that was skipped hears no key and is not recorded when its time runs out", async () => {
    const trial = await start({ deadline_ms: 400 });
    await until(trial.display, "otter");
    trial.display.remove();
    const key = new KeyboardEvent("keydown", { key: "j", bubbles: true, cancelable: true });
    document.body.dispatchEvent(key);
    expect(key.defaultPrevented).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await isFinished(trial)).toBe(false);
  });

  test("keys have names, small and capital letters are one, and other scripts go by the place of the key", () => {
    const answers = ["space", "left", "ü", "j"].map((key) => ({ name: key, label: key, key }));
    const place = (key: string, code = "") => placeOf(answers, { key, code });
    expect([place(" "), place("ArrowLeft"), place("Ü"), place("J")]).toEqual([0, 1, 2, 3]);
    expect(place("о", "KeyJ")).toBe(3);
    expect(placeOf([{ key: "i" }], { key: "İ", code: "Quote" })).toBe(0);
    expect([place("k", "KeyJ"), place("Enter"), place("Shift")]).toEqual([-1, -1, -1]);
  });

  test("a simulation answers as the server takes it", async () => {
    const displays = [{ kind: "prime", text: "water", ms: 50 }];
    const { payload, rt_ms } = await simulateTrial(TimedChoice, { ...WORD, displays });
    expect([0, 1]).toContain(payload.answer);
    expect(payload.displays).toHaveLength(1);
    expect(payload.rt_ms).toBe(rt_ms);
  });

  test("the texts are there in both languages", () => {
    const [english, german] = [choiceMessagesIn("en"), choiceMessagesIn("de-CH")];
    expect(Object.keys(german)).toEqual(Object.keys(english));
    expect(german.tooLate).not.toBe(english.tooLate);
  });
});

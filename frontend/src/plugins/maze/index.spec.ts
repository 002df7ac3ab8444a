import { describe, expect, test } from "vitest";
import { find, framesPass, isFinished, press, type StartedTrial, simulateTrial, startTrial } from "../trial-harness";
import Maze from "./index";
import { mazeMessagesIn } from "./messages";

const region = (text: string, before = " ") => ({ text, words: text.split(" ").length, before });
const TEXT = {
  kind: "target",
  regions: [region("The", ""), region("dog"), region("barked.")],
  distractors: ["x-x-x", "sum", "formed."],
  sides: ["left", "right", "left"],
  after_error: "end",
  delay_ms: 0,
  message: "",
  keys: { left: "e", right: "i" },
  buttons: true,
  question: null,
  index: 4,
  total: 36,
};
const QUESTION = { prompt: "What barked?", choices: ["the cat", "the dog"] };

interface Payload {
  pairs: { onset_ms: number; tries: { ms: number; side: string; input: string }[] }[];
  message_ms: number | null;
  question: unknown;
}

async function start(changes: Record<string, unknown> = {}): Promise<StartedTrial> {
  const trial = await startTrial(Maze, { ...TEXT, ...changes });
  await framesPass();
  return trial;
}

async function choose(key: string, at?: number): Promise<void> {
  press(document.body, key, at === undefined ? {} : { at });
  await framesPass();
}

function shown(display: HTMLElement): string[] {
  return [...display.querySelectorAll(".maze-word")].map((word) => word.textContent ?? "");
}

async function payloadOf(trial: StartedTrial): Promise<Payload> {
  return (await trial.finished).payload as unknown as Payload;
}

describe("maze", () => {
  test("each word stands on its side beside its distractor, one pair at a time", async () => {
    const trial = await start();
    const seen = [shown(trial.display)];
    await choose("e");
    seen.push(shown(trial.display));
    await choose("i");
    seen.push(shown(trial.display));
    expect(seen).toEqual([
      ["The", "x-x-x"],
      ["sum", "dog"],
      ["barked.", "formed."],
    ]);
    expect(trial.display.textContent).not.toContain("dog");
    await choose("e");
    const { pairs, message_ms } = await payloadOf(trial);
    expect(pairs.map(({ tries }) => tries.map(({ side }) => side))).toEqual([["left"], ["right"], ["left"]]);
    expect(message_ms).toBeNull();
  });

  test("on keyboards of other scripts the keys go by their places, and what is being composed is no choice", async () => {
    const trial = await start();
    const strike = async (init: KeyboardEventInit) => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...init }));
      await framesPass();
      return shown(trial.display)[0];
    };
    expect(await strike({ key: "у", code: "KeyE", isComposing: true })).toBe("The");
    expect(await strike({ key: "k", code: "KeyE" })).toBe("The");
    expect(await strike({ key: "у", code: "KeyE" })).toBe("sum");
    expect(await strike({ key: "ш", code: "KeyI" })).toBe("barked.");
    await strike({ key: "ث", code: "KeyE" });
    const { pairs } = await payloadOf(trial);
    expect(pairs.map(({ tries }) => tries.map(({ side }) => side))).toEqual([["left"], ["right"], ["left"]]);
  });

  test("times are those of the events, counted from the onset of the first pair", async () => {
    const trial = await start();
    const now = performance.now();
    await choose("e", now + 300);
    await choose("i", now + 700.5);
    press(document.body, "e", { at: now + 1450.25 });
    const data = await trial.finished;
    const { pairs } = data.payload as unknown as Payload;
    expect(pairs[0]?.onset_ms).toBe(0);
    const times = pairs.map(({ tries }) => (tries[0]?.ms ?? 0) + (data.onset_ms ?? 0));
    expect(times).toEqual([now + 300, now + 700.5, now + 1450.25].map((ms) => expect.closeTo(ms, 6)));
    expect(data.rt_ms).toBeCloseTo(now + 1450.25 - (data.onset_ms ?? 0), 6);
  });

  test("a wrong choice ends the text, says so, and no question follows", async () => {
    const trial = await start({ question: QUESTION, message: "Sorry, that was wrong." });
    await choose("e");
    await choose("e");
    expect(find(trial.display, "[role=alert]").textContent).toBe("Sorry, that was wrong.");
    expect(await isFinished(trial)).toBe(false);
    find(trial.display, "button").click();
    const { pairs, message_ms, question } = await payloadOf(trial);
    expect(pairs).toHaveLength(2);
    expect(message_ms).toBeGreaterThanOrEqual(0);
    expect(question).toBeNull();
  });

  test("nobody goes on before the pause is over", async () => {
    const trial = await start({ delay_ms: 60_000 });
    await choose("i");
    expect(find<HTMLButtonElement>(trial.display, "button").disabled).toBe(true);
    press(document.body, "Enter");
    expect(await isFinished(trial)).toBe(false);
  });

  test("where it is redone, the pair stays until the choice is right, and every choice is kept", async () => {
    const trial = await start({ after_error: "redo" });
    await choose("i");
    expect(shown(trial.display)).toEqual(["The", "x-x-x"]);
    expect(find(trial.display, "[role=alert]").textContent).toContain("choose again");
    await choose("e");
    expect(find(trial.display, "[role=alert]").textContent).toBe("");
    await choose("i");
    await choose("e");
    const { pairs } = await payloadOf(trial);
    expect(pairs.map(({ tries }) => tries.length)).toEqual([2, 1, 1]);
    expect(pairs[0]?.tries.map(({ side }) => side)).toEqual(["right", "left"]);
  });

  test("while it pauses after a wrong choice, no key counts", async () => {
    const trial = await start({ after_error: "redo", delay_ms: 60_000 });
    await choose("i");
    await choose("e");
    expect(shown(trial.display)).toEqual(["The", "x-x-x"]);
  });

  test("the first contact of a finger is a choice", async () => {
    const trial = await start();
    const touch = new MouseEvent("pointerdown", { bubbles: true });
    Object.defineProperty(touch, "isPrimary", { value: true });
    find(trial.display, ".maze-place").dispatchEvent(touch);
    await framesPass();
    expect(shown(trial.display)).toEqual(["sum", "dog"]);
    await choose("i");
    await choose("e");
    expect((await payloadOf(trial)).pairs.map(({ tries }) => tries[0]?.input)).toEqual(["touch", "key", "key"]);
  });

  test("where words cannot be touched, a tap chooses nothing and says which keys do", async () => {
    const { display } = await start({ buttons: false });
    expect(display.querySelector("button")).toBeNull();
    find(display, ".maze-place").dispatchEvent(new Event("pointerdown", { bubbles: true }));
    await framesPass();
    expect(shown(display)).toEqual(["The", "x-x-x"]);
    expect(find(display, "[role=alert]").textContent).toContain("E and I");
  });

  test.each(["end", "redo"])(
    "a key that bounces chooses once, and is counted where it struck early (%s)",
    async (after_error) => {
      const trial = await start({ after_error, question: QUESTION });
      for (const [place, key] of ["e", "i", "e"].entries()) {
        press(document.body, key);
        // After the last word nothing is chosen any more.
        if (place < 2) press(document.body, key, { at: performance.now() + 8 });
        await framesPass();
      }
      press(document.body, "2");
      const { pairs, question } = (await payloadOf(trial)) as unknown as {
        pairs: { early: number; onset_ms: number; tries: { ms: number }[] }[];
        question: { choice: number; rt_ms: number };
      };
      expect(pairs.map(({ early, tries }) => [early, tries.length])).toEqual([
        [0, 1],
        [1, 1],
        [1, 1],
      ]);
      for (const { onset_ms, tries } of pairs) expect((tries[0]?.ms ?? 0) - onset_ms).toBeGreaterThan(16);
      expect(question).toMatchObject({ choice: 1, early: 0 });
      expect(question.rt_ms).toBeGreaterThan(0);
    },
  );

  test("a key that is held down, other keys and shortcuts choose nothing", async () => {
    const { display } = await start();
    press(document.body, "e", { repeat: true });
    press(document.body, "a");
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "e", ctrlKey: true, bubbles: true }));
    await framesPass();
    expect(shown(display)).toEqual(["The", "x-x-x"]);
    await choose("E");
    expect(shown(display)).toEqual(["sum", "dog"]);
  });

  test("the question comes when the text was read to its end", async () => {
    const trial = await start({ question: QUESTION });
    for (const key of ["e", "i", "e"]) await choose(key);
    expect(trial.display.querySelector(".maze-pair")).toBeNull();
    press(document.body, "2");
    expect((await payloadOf(trial)).question).toMatchObject({ choice: 1 });
  });

  test("a trial that was skipped hears no key any more", async () => {
    const trial = await start();
    trial.display.replaceChildren();
    for (const key of ["e", "i", "e"]) await choose(key);
    expect(await isFinished(trial)).toBe(false);
  });

  test.each(["end", "redo"])("a simulation yields what a participant might (%s)", async (after_error) => {
    for (let run = 0; run < 40; run += 1) {
      const { payload } = await simulateTrial(Maze, { ...TEXT, after_error, question: QUESTION });
      const { pairs, message_ms, question } = payload as unknown as Payload;
      const isRead = pairs.length === 3 && pairs[2]?.tries.at(-1)?.side === "left";
      expect(message_ms === null).toBe(isRead);
      expect(question === null).toBe(!isRead);
      if (after_error === "redo") expect(isRead).toBe(true);
    }
  });

  test("the texts are there in both languages", () => {
    const [english, german] = [mazeMessagesIn("en"), mazeMessagesIn("de-CH")];
    expect(Object.keys(german)).toEqual(Object.keys(english));
    expect(german.tryAgain).not.toBe(english.tryAgain);
    for (const texts of [english, german]) {
      for (const said of [texts.chooseByKeys("E", "I"), texts.chooseByTouch("E", "I"), texts.onlyKeys("E", "I")]) {
        expect(said).toMatch(/\bE\b.*\bI\b/u);
      }
      expect(texts.answerWithKeys(2)).toContain("2");
    }
  });
});

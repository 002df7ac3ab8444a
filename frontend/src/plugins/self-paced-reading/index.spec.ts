import { describe, expect, test } from "vitest";
import { find, framesPass, isFinished, press, type StartedTrial, showTrial, simulateTrial } from "../trial-harness";
import SelfPacedReading, { displaysInOrder } from "./index";
import { selfPacedMessagesIn } from "./messages";

const region = (text: string, before = " ") => ({ text, words: text.split(" ").length, before });
const TEXT = {
  kind: "target",
  regions: [region("The dog", ""), region("that barked"), region("ran.")],
  window: "moving",
  question: null,
  index: 4,
  total: 36,
};

function visible(display: HTMLElement): string {
  return [...display.querySelectorAll(".word:not(.covered)")].map((word) => word.textContent).join(" ");
}

async function step(at?: number): Promise<void> {
  press(document.body, " ", at === undefined ? {} : { at });
  await framesPass();
}

async function start(changes: Record<string, unknown> = {}): Promise<StartedTrial> {
  return showTrial(SelfPacedReading, { ...TEXT, ...changes });
}

describe("self-paced reading", () => {
  test("nothing of the text is in the page before the first press", async () => {
    const { display } = await start();
    expect(display.textContent).not.toContain("dog");
    expect(display.querySelectorAll(".word.covered")).toHaveLength(5);
  });

  test("the moving window shows one region at a time, at its place", async () => {
    const { display } = await start();
    const seen = [];
    for (let index = 0; index < 3; index += 1) {
      await step();
      seen.push(visible(display));
      expect(display.querySelectorAll(".word")).toHaveLength(5);
    }
    expect(seen).toEqual(["The dog", "that barked", "ran."]);
  });

  test("the cumulative window keeps what was uncovered", async () => {
    const { display } = await start({ window: "cumulative" });
    await step();
    await step();
    expect(visible(display)).toBe("The dog that barked");
  });

  test("the centred window has one region in one place", async () => {
    const { display } = await start({ window: "centred" });
    await step();
    await step();
    expect(display.querySelectorAll(".word")).toHaveLength(1);
    expect(visible(display)).toBe("that barked");
  });

  test("times are those of the events, counted from the first press", async () => {
    const { finished } = await start();
    const now = performance.now();
    await step(now + 300);
    await step(now + 700.5);
    await step(now + 1000);
    press(document.body, " ", { at: now + 1450.25 });
    const data = await finished;
    expect(data.payload.presses).toEqual(
      [0, now + 700.5 - (now + 300), 700, 1150.25].map((ms) => expect.closeTo(ms, 6)),
    );
    const onsets = data.payload.onsets as number[];
    expect(onsets).toHaveLength(3);
    expect(data.payload).toMatchObject({ touches: 0, question: null });
    expect(data.rt_ms).toBeCloseTo(now + 1450.25 - (data.onset_ms ?? 0), 6);
  });

  test("every region comes up between its press and the next", async () => {
    const { finished } = await start();
    for (let index = 0; index < 4; index += 1) await step();
    const { presses, onsets } = (await finished).payload as { presses: number[]; onsets: number[] };
    for (const [index, onset] of onsets.entries()) {
      expect(onset).toBeGreaterThanOrEqual(presses[index] as number);
      expect(onset).toBeLessThanOrEqual(presses[index + 1] as number);
    }
  });

  test("a space bar that is held down uncovers one region", async () => {
    const { display } = await start();
    await step();
    press(document.body, " ", { repeat: true });
    await framesPass();
    expect(visible(display)).toBe("The dog");
  });

  test("a key that bounces reads no region: its second strike comes before the onset and is counted there", async () => {
    const { finished } = await start();
    await step();
    press(document.body, " ");
    press(document.body, " ", { at: performance.now() + 8 });
    await framesPass();
    for (let index = 0; index < 2; index += 1) await step();
    const { presses, early } = (await finished).payload as { presses: number[]; early: number[] };
    expect(early).toEqual([0, 0, 1, 0]);
    for (const [index, time] of presses.slice(1).entries())
      expect(time - (presses[index] as number)).toBeGreaterThan(16);
  });

  test("other keys uncover nothing", async () => {
    const { display } = await start();
    for (const key of ["Enter", "ArrowRight", "a"]) press(document.body, key);
    await framesPass();
    expect(visible(display)).toBe("");
  });

  test("a tap uncovers nothing, is counted, and says how to read", async () => {
    const { display, finished } = await start();
    find(display, ".window").dispatchEvent(new Event("pointerdown", { bubbles: true }));
    await framesPass();
    expect(visible(display)).toBe("");
    expect(find(display, "[role=alert]").textContent).toContain("space bar");
    for (let index = 0; index < 4; index += 1) await step();
    expect((await finished).payload.touches).toBe(1);
  });

  test("copying while a text is read is refused and counted", async () => {
    const { finished } = await start();
    await step();
    const copy = new Event("copy", { bubbles: true, cancelable: true });
    document.dispatchEvent(copy);
    expect(copy.defaultPrevented).toBe(true);
    for (let index = 0; index < 3; index += 1) await step();
    expect((await finished).payload.copy_attempts).toBe(1);
  });

  test("the question comes when the text is gone and is answered by one key", async () => {
    const trial = await start({ question: { prompt: "What barked?", choices: ["the cat", "the dog"] } });
    for (let index = 0; index < 4; index += 1) await step();
    expect(await isFinished(trial)).toBe(false);
    expect(trial.display.querySelector(".window")).toBeNull();
    expect(find(trial.display, "[role=group]").getAttribute("aria-labelledby")).toBe("question-prompt");
    press(document.body, "3");
    const now = performance.now();
    press(document.body, "2", { at: now + 900 });
    const { payload, rt_ms, onset_ms } = await trial.finished;
    const question = payload.question as { choice: number; rt_ms: number };
    expect(question.choice).toBe(1);
    expect(question.rt_ms).toBeLessThanOrEqual(now + 900);
    expect((rt_ms ?? 0) + (onset_ms ?? 0)).toBeCloseTo(now + 900, 6);
  });

  const ASKED = { prompt: "What barked?", choices: ["the cat", "the dog"], keys: ["f", "j"] };

  test("a question has keys of its own, which its choices show", async () => {
    const trial = await start({ question: ASKED });
    for (let index = 0; index < 4; index += 1) await step();
    // Its rules are loaded where a question has some.
    while (trial.display.querySelector("button.choice") === null) await framesPass(1);
    await framesPass(3);
    expect([...trial.display.querySelectorAll("button.choice")].map((each) => each.textContent)).toEqual([
      "Fthe cat",
      "Jthe dog",
    ]);
    expect(find(trial.display, ".keys").textContent).toBe("");
    press(document.body, "2");
    await framesPass(3);
    press(document.body, "J");
    expect((await trial.finished).payload.question).toMatchObject({ choice: 1 });
  });

  test("a question ends by its deadline, without an answer", async () => {
    const trial = await start({ question: { ...ASKED, deadline_ms: 100 } });
    for (let index = 0; index < 4; index += 1) await step();
    const { payload, rt_ms } = await trial.finished;
    expect(payload.question).toEqual({ choice: null, rt_ms: null, early: 0 });
    expect(Number.isFinite(rt_ms)).toBe(true);
  });

  test("practice says what the server says of an answer, and nothing where it says nothing", async () => {
    for (const [said, shown] of [
      [{ correct: true }, "Right"],
      [{ correct: false }, "Wrong"],
    ] as const) {
      const asked: unknown[] = [];
      const check = (question: unknown) => {
        asked.push(question);
        return Promise.resolve(said);
      };
      const trial = await start({ question: { ...ASKED, feedback: true }, check });
      for (let index = 0; index < 4; index += 1) await step();
      while (trial.display.querySelector("button.choice") === null) await framesPass(1);
      await framesPass(3);
      press(document.body, "f");
      await trial.finished;
      expect(asked).toEqual([{ problem: 0, answer: 0 }]);
      expect(find(trial.display, "[role=status]").textContent).toBe(shown);
    }
  });

  test("a question can be answered with the mouse", async () => {
    const trial = await start({ question: { prompt: "What barked?", choices: ["the cat", "the dog"] } });
    for (let index = 0; index < 4; index += 1) await step();
    find(trial.display, "button").click();
    expect((await trial.finished).payload.question).toMatchObject({ choice: 0 });
  });

  test("a trial that was skipped hears no key any more", async () => {
    const trial = await start({ question: { prompt: "What barked?", choices: ["the cat", "the dog"] } });
    for (let index = 0; index < 4; index += 1) await step();
    const skipped = await start();
    for (const { display } of [trial, skipped]) display.replaceChildren();
    const space = new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true });
    document.body.dispatchEvent(space);
    expect(space.defaultPrevented).toBe(false);
    press(document.body, "1");
    for (let index = 0; index < 4; index += 1) await step();
    expect(await isFinished(trial)).toBe(false);
    expect(await isFinished(skipped)).toBe(false);
  });

  test("marks inside a word leave no space between its parts", async () => {
    const { display } = await start({ regions: [region("un", ""), region("cover", ""), region("it.")] });
    expect(find(display, ".window").textContent?.match(/ /gu) ?? []).toHaveLength(1);
  });

  test("a simulation yields as many times as there are regions", async () => {
    const data = await simulateTrial(SelfPacedReading, { ...TEXT, question: { prompt: "?", choices: ["a", "b"] } });
    expect(data.payload.presses).toHaveLength(4);
    expect(data.payload.onsets).toHaveLength(3);
    expect([0, 1]).toContain((data.payload.question as { choice: number }).choice);
  });

  test("regions come by themselves after one press, and their displays are measured", async () => {
    const { display, finished } = await start({ window: "rsvp", region_ms: 80, blank_ms: 40 });
    expect(display.textContent).toContain("by themselves");
    expect(display.textContent).not.toContain("dog");
    const seen = new Set<string>();
    press(document.body, " ");
    const watch = setInterval(() => seen.add(visible(display)), 8);
    const data = await finished;
    clearInterval(watch);
    for (const text of ["The dog", "that barked", "ran."]) expect(seen).toContain(text);
    const displays = data.payload.displays as { shown_ms: number; gone_ms: number }[];
    expect(displays).toHaveLength(3);
    expect(displays[0]?.shown_ms).toBe(0);
    for (const { shown_ms, gone_ms } of displays) expect(gone_ms - shown_ms).toBeGreaterThan(40);
    expect(data.payload).not.toHaveProperty("presses");
    expect(displays[1]?.shown_ms).toBeGreaterThanOrEqual(displays[0]?.gone_ms ?? 0);
  });

  test("regions of which the first was reported late are sent in their order, as the server takes them", () => {
    const record = (shown_ms: number, gone_ms: number) => ({ shown_ms, gone_ms, dropped_frames: 0, doubtful: false });
    const sent = displaysInOrder([record(1060, 1060), record(1043, 1055), record(1050, 1076), record(1093, 1110)]);
    expect(sent.map(({ shown_ms, gone_ms }) => [shown_ms, gone_ms])).toEqual([
      [0, 0],
      [0, 0],
      [0, 16],
      [33, 50],
    ]);
    expect(sent.map(({ doubtful }) => doubtful)).toEqual([false, true, true, false]);
  });

  test("a simulation of regions that come by themselves has their displays", async () => {
    const data = await simulateTrial(SelfPacedReading, { ...TEXT, window: "rsvp", region_ms: 250, blank_ms: 50 });
    expect((data.payload.displays as { shown_ms: number }[]).map(({ shown_ms }) => shown_ms)).toEqual([0, 300, 600]);
  });

  test("the texts are there in both languages", () => {
    const [english, german] = [selfPacedMessagesIn("en"), selfPacedMessagesIn("de-CH")];
    expect(Object.keys(german)).toEqual(Object.keys(english));
    expect(german.answerWithKeys(2)).toContain("1 bis 2");
    expect(german.pressSpace).not.toBe(english.pressSpace);
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { clock } from "../../timing/clock";
import { find, press, type } from "../trial-harness";
import { type ProblemOptions, ProblemPage } from "./arithmetic";
import { recallMessagesIn } from "./messages";

const texts = recallMessagesIn("en");
let display: HTMLElement;

beforeEach(() => {
  display = document.createElement("main");
  document.body.replaceChildren(display);
});

async function ask(changes: Partial<ProblemOptions> = {}) {
  const page = new ProblemPage({
    display,
    problem: { a: 23, operator: "+", b: 45 },
    where: "1 of 32",
    texts,
    timeLimit: null,
    isRight: null,
    ...changes,
  });
  const answered = page.ask();
  while (!page.button.isConnected) await clock.nextFrame();
  await clock.nextFrame();
  return { page, answered, message: find(display, "[role=alert]"), verdict: find(display, "[role=status]") };
}

function isOpen(answered: Promise<unknown>): Promise<boolean> {
  const open = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(true), 60);
  });
  return Promise.race([answered.then(() => false), open]);
}

describe("an arithmetic problem", () => {
  test("the problem is the label of the field, and the field has the focus", async () => {
    const { page } = await ask({ problem: { a: 71, operator: "−", b: 18 } });
    expect(find<HTMLLabelElement>(display, "label").textContent).toBe("71 − 18 =");
    expect(find<HTMLLabelElement>(display, "label").htmlFor).toBe(page.input.id);
    expect(document.activeElement).toBe(page.input);
    expect(page.input.autocomplete).toBe("off");
  });

  test("Enter submits, with the number, the text and the times", async () => {
    const { page, answered } = await ask();
    const now = performance.now();
    press(page.input, "6", { at: now + 800 });
    type(page.input, "68");
    press(page.input, "Enter", { at: now + 2000 });
    const answer = await answered;
    expect(answer).toMatchObject({ typed: "68", answer: 68, timed_out: false });
    expect(answer.ms - (answer.first_key_ms ?? 0)).toBeCloseTo(1200, 6);
    expect(answer.ms).toBeGreaterThan(1900);
  });

  test("the button submits too, and a minus sign is allowed", async () => {
    const { page, answered } = await ask();
    type(page.input, "-7");
    page.button.click();
    expect((await answered).answer).toBe(-7);
  });

  test.each([
    ["", texts.answerEmpty],
    ["6 8", texts.answerNotWhole],
    ["many", texts.answerNotWhole],
  ])("%j is refused with its reason and stays", async (typed, reason) => {
    const { page, answered, message } = await ask();
    type(page.input, typed);
    press(page.input, "Enter");
    expect(await isOpen(answered)).toBe(true);
    expect(message.textContent).toBe(reason);
    expect(page.input.value).toBe(typed);
    expect(page.input.getAttribute("aria-invalid")).toBe("true");
  });

  test("a key that is held down from the page before submits nothing", async () => {
    const { page, answered } = await ask();
    type(page.input, "6");
    press(page.input, "Enter", { repeat: true });
    expect(await isOpen(answered)).toBe(true);
  });

  test("Enter that ends a composition submits nothing", async () => {
    const { page, answered } = await ask();
    type(page.input, "６");
    for (const composition of [{ isComposing: true }, { keyCode: 229 }]) {
      page.input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, ...composition }));
    }
    expect(await isOpen(answered)).toBe(true);
  });

  test("when the time is over there is no answer, and what had been typed is kept", async () => {
    const { page, answered } = await ask({ timeLimit: 2000 });
    type(page.input, "6");
    const answer = await answered;
    expect(answer).toMatchObject({ typed: "6", answer: null, timed_out: true });
    expect(answer.ms).toBeGreaterThan(0);
  });

  test("an answer in time stops the clock of the limit", async () => {
    const { page, answered } = await ask({ timeLimit: 60_000 });
    type(page.input, "68");
    press(page.input, "Enter");
    expect(await answered).toMatchObject({ answer: 68, timed_out: false });
  });

  test.each([
    [true, texts.right],
    [false, texts.wrong],
  ])("in practice it says whether the answer was right (%s) and waits for Enter", async (right, text) => {
    const { page, answered, verdict } = await ask({ isRight: async () => right });
    type(page.input, "68");
    press(page.input, "Enter");
    expect(await isOpen(answered)).toBe(true);
    expect(verdict.textContent).toContain(text);
    press(page.input, "Enter");
    expect(await answered).toMatchObject({ answer: 68 });
  });

  test("the time of the answer ends before the feedback", async () => {
    const { page, answered } = await ask({ isRight: async () => true });
    const now = performance.now();
    type(page.input, "68");
    press(page.input, "Enter", { at: now + 10 });
    expect(await isOpen(answered)).toBe(true);
    press(page.input, "Enter", { at: now + 500_000 });
    expect((await answered).ms).toBeLessThan(400_000);
  });

  test("without an answer from the server it goes on without feedback", async () => {
    const { page, answered } = await ask({ isRight: async () => null });
    type(page.input, "68");
    press(page.input, "Enter");
    expect(await answered).toMatchObject({ answer: 68 });
  });

  test("practice says that the time was over", async () => {
    const { page, answered, verdict } = await ask({ isRight: async () => true, timeLimit: 30 });
    expect(await isOpen(answered)).toBe(true);
    expect(verdict.textContent).toContain(texts.timeOver);
    press(page.input, "Enter");
    expect(await answered).toMatchObject({ answer: null, timed_out: true });
  });
});

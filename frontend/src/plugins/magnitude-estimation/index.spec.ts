import { describe, expect, test } from "vitest";
import { drafts } from "../../page/drafts";
import { find, isFinished, press, simulateTrial, startTrial, type } from "../trial-harness";
import MagnitudeEstimation from "./index";

const TARGET = {
  kind: "target",
  text: "The harvest failed because the rain came late.",
  modulus_text: "The meeting was moved because of that.",
  allow_zero: false,
  index: 3,
  total: 144,
  carried: { modulus_number: 10 },
};

async function start(changes: Record<string, unknown> = {}) {
  const trial = await startTrial(MagnitudeEstimation, { ...TARGET, ...changes });
  const input = find<HTMLInputElement>(trial.display, "input");
  return { trial, input, message: find(trial.display, "[role=alert]") };
}

describe("magnitude estimation", () => {
  test("the modulus and its number stand above the sentence", async () => {
    const { trial } = await start();
    expect(find(trial.display, ".modulus").textContent).toContain(TARGET.modulus_text);
    expect(find(trial.display, ".modulus-number").textContent).toBe("Your number: 10");
    const positions = find(trial.display, ".modulus").compareDocumentPosition(find(trial.display, ".stimulus"));
    expect(positions & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  test("the modulus number is written as people of the language write it", async () => {
    const { trial } = await start({ carried: { modulus_number: 1.5 }, language: "de" });
    expect(find(trial.display, ".modulus-number").textContent).toBe("Ihre Zahl: 1,5");
  });

  test("copying is refused and counted where the study says so, and nowhere else", async () => {
    for (const refuse_copying of [true, false]) {
      const { trial, input } = await start({ refuse_copying });
      const copy = new Event("copy", { bubbles: true, cancelable: true });
      find(trial.display, ".stimulus").dispatchEvent(copy);
      expect(copy.defaultPrevented).toBe(refuse_copying);
      expect(find(trial.display, ".sheet").classList.contains("not-copied")).toBe(refuse_copying);
      type(input, "5");
      press(input, "Enter");
      expect((await trial.finished).payload.copy_attempts).toBe(refuse_copying ? 1 : undefined);
    }
  });

  test("a number that was typed before the page was loaded again is there again, and is no edit", async () => {
    drafts.begin("study/P1/3");
    type((await start()).input, "1");
    drafts.begin("study/P1/3");
    const { trial, input } = await start();
    expect(input.value).toBe("1");
    type(input, "15");
    press(input, "Enter");
    expect((await trial.finished).payload).toMatchObject({ typed: "15", number: 15, edits: 0 });
    expect(drafts.restored).toBe(true);
    drafts.end();
  });

  test("the field has the focus, a label, and no hint of a scale", async () => {
    const { trial, input } = await start();
    expect(document.activeElement).toBe(input);
    expect(find(trial.display, "label").getAttribute("for")).toBe(input.id);
    expect(input.placeholder).toBe("");
    expect(input.inputMode).toBe("decimal");
    expect(input.autocomplete).toBe("off");
  });

  test("a sentence is shown as text, whatever it holds", async () => {
    const { trial } = await start({ text: "<img src=x onerror=alert(1)> & <b>bold</b>" });
    expect(find(trial.display, ".stimulus").textContent).toBe("<img src=x onerror=alert(1)> & <b>bold</b>");
    expect(trial.display.querySelector("img, b")).toBeNull();
  });

  test("Enter submits what was typed, with the number, the modulus number and the times of the events", async () => {
    const { trial, input } = await start();
    const now = performance.now();
    press(input, "1", { at: now + 400.125 });
    type(input, "12,5");
    press(input, "Enter", { at: now + 2000.0625 });
    const data = await trial.finished;
    const onset = data.onset_ms ?? Number.NaN;
    expect(data.payload).toEqual({
      typed: "12,5",
      number: 12.5,
      modulus_number: 10,
      first_key_ms: now + 400.125 - onset,
      edits: 0,
      refused: [],
    });
    expect(data.rt_ms).toBe(now + 2000.0625 - onset);
    expect(data.clock).toBe("animation-frame");
  });

  test("the button submits too", async () => {
    const { trial, input } = await start();
    type(input, "7");
    find(trial.display, "button").click();
    expect((await trial.finished).payload.number).toBe(7);
  });

  test("a refused attempt keeps what was typed, says why, and is recorded", async () => {
    const { trial, input, message } = await start();
    type(input, "-4");
    press(input, "Enter");
    expect(await isFinished(trial)).toBe(false);
    expect(message.textContent).toBe("That is a negative number. Please use any number above 0.");
    expect(input.value).toBe("-4");
    expect(input.getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(input);
    type(input, "good");
    press(input, "Enter");
    expect(message.textContent).toContain("not a number");
    type(input, "4");
    press(input, "Enter");
    expect((await trial.finished).payload).toMatchObject({ number: 4, refused: ["-4", "good"] });
  });

  test("an empty answer is refused", async () => {
    const { trial, input, message } = await start();
    press(input, "Enter");
    expect(await isFinished(trial)).toBe(false);
    expect(message.textContent).toBe("Please type a number.");
  });

  test.each<KeyboardEventInit>([{ isComposing: true }, { keyCode: 229 }])(
    "Enter that ends a composition (%o) submits nothing, and the next one does",
    async (composition) => {
      const { trial, input } = await start();
      type(input, "１２");
      input.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...composition }),
      );
      expect(await isFinished(trial)).toBe(false);
      press(input, "Enter");
      expect((await trial.finished).payload).toMatchObject({ typed: "１２", number: 12 });
    },
  );

  test.each([
    [true, true],
    [false, false],
  ])("with allow_zero %s a 0 is accepted: %s", async (allow_zero, accepted) => {
    const { trial, input } = await start({ allow_zero });
    type(input, "0");
    press(input, "Enter");
    expect(await isFinished(trial)).toBe(accepted);
  });

  test("where 0 is allowed, the refusal of a negative number says so", async () => {
    const { input, message } = await start({ allow_zero: true });
    type(input, "-1");
    press(input, "Enter");
    expect(message.textContent).toBe("That is a negative number. Please use 0 or any number above it.");
  });

  test("edits count what was taken away or replaced, not what was added", async () => {
    const { trial, input } = await start();
    for (const text of ["1", "12", "1", "15", "9"]) type(input, text);
    press(input, "Enter");
    expect((await trial.finished).payload.edits).toBe(2);
  });

  test("a key that is held down from the trial before answers nothing", async () => {
    const { trial, input } = await start();
    type(input, "5");
    press(input, "Enter", { repeat: true });
    expect(await isFinished(trial)).toBe(false);
  });

  test("pressing Enter twice answers once", async () => {
    const { trial, input } = await start();
    type(input, "5");
    const now = performance.now();
    press(input, "Enter", { at: now + 100 });
    press(input, "Enter", { at: now + 200 });
    const data = await trial.finished;
    expect((data.rt_ms ?? 0) + (data.onset_ms ?? 0)).toBeCloseTo(now + 100, 6);
  });

  test("the modulus itself has no modulus above it, may not be 0, and is carried on", async () => {
    const { trial, input } = await start({ kind: "modulus", allow_zero: true, carried: {} });
    expect(trial.display.querySelector(".modulus")).toBeNull();
    type(input, "0");
    press(input, "Enter");
    expect(await isFinished(trial)).toBe(false);
    type(input, "50");
    press(input, "Enter");
    const { payload } = await trial.finished;
    expect(payload.modulus_number).toBeNull();
    expect(MagnitudeEstimation.carried({ kind: "modulus" }, payload)).toEqual({ modulus_number: 50 });
    expect(MagnitudeEstimation.carried({ kind: "target" }, payload)).toEqual({});
  });

  test("a simulation yields what a participant might", async () => {
    const data = await simulateTrial(MagnitudeEstimation, TARGET);
    expect(data.payload).toMatchObject({ modulus_number: 10, edits: 0, refused: [] });
    expect(data.payload.number).toBeGreaterThan(0);
    expect(data.payload.typed).toBe(String(data.payload.number));
    expect(data.rt_ms).toBeGreaterThan(0);
  });
});

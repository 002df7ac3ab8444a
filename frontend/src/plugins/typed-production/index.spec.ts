import { describe, expect, test, vi } from "vitest";
import { clock } from "../../timing/clock";
import { find, isFinished, press, type StartedTrial, simulateTrial, startTrial } from "../trial-harness";
import TypedProduction from "./index";
import { productionMessagesIn } from "./messages";

// jsdom plays nothing: every sound began half a second ago.
const stop = vi.hoisted(() => vi.fn());
vi.mock("../../media/playing", () => ({
  play: () => ({ onset: () => performance.now() - 500, latency: 20, duration: 400, ended: Promise.resolve(), stop }),
}));
vi.mock("../../media/loader", () => ({ media: { sound: async () => ({}) } }));

const texts = productionMessagesIn("en");
const GAP = {
  kind: "target",
  task: "completion",
  prompt: "",
  text: "She spread the ___ with butter.",
  segments: ["She spread the ", " with butter."],
  image: null,
  fields: 1,
  one_word: true,
  length_unit: "characters",
  minimum_length: 1,
  maximum_length: 0,
  may_be_empty: true,
  time_limit_ms: null,
  keystroke_log: false,
  index: 3,
  total: 24,
};
const TWO = { ...GAP, segments: ["She spread the ", " with a ", "."], fields: 2 };
const CUES = { ...GAP, task: "association", text: "butter", segments: [], fields: 3, one_word: false };

function fields(trial: StartedTrial): HTMLInputElement[] {
  return [...trial.display.querySelectorAll<HTMLInputElement>("input, textarea")];
}

function type(field: Element | undefined, text: string, at?: number): void {
  if (field === undefined) throw new Error("There is no such field.");
  (field as HTMLInputElement).value = text;
  const event = new InputEvent("input", { bubbles: true });
  if (at !== undefined) Object.defineProperty(event, "timeStamp", { value: at });
  field.dispatchEvent(event);
}

function message(trial: StartedTrial): string {
  return find(trial.display, "[role=alert]").textContent ?? "";
}

describe("typed production", () => {
  test("the field stands in the gap, has a name and the focus, and Enter submits", async () => {
    const trial = await startTrial(TypedProduction, GAP);
    const [field] = fields(trial);
    expect(find(trial.display, ".stimulus").textContent).toBe("She spread the  with butter.");
    expect(field?.parentElement?.className).toContain("stimulus");
    expect(field?.getAttribute("aria-label")).toBe(texts.gap);
    expect(document.activeElement).toBe(field);
    expect(trial.display.textContent).toContain(texts.prompts.completion);
    const now = performance.now();
    type(field, "b", now + 100);
    type(field, "bread ", now + 600);
    press(field as HTMLInputElement, "Enter", { at: now + 900 });
    const data = await trial.finished;
    const [response] = data.payload.responses as { typed: string; first_key_ms: number; typing_ms: number }[];
    expect(response?.typed).toBe("bread ");
    expect(response?.typing_ms).toBeCloseTo(500, 6);
    expect((data.rt_ms ?? 0) - (response?.first_key_ms ?? 0)).toBeCloseTo(800, 6);
    expect(data.payload).toMatchObject({ timed_out: false, paste_attempts: 0, copy_attempts: 0, focus_losses: 0 });
    expect(data.events).toEqual([]);
  });

  test("a key before the onset counts as pressed at it, so that no part outlasts the whole", async () => {
    const trial = await startTrial(TypedProduction, GAP);
    const [field] = fields(trial);
    const now = performance.now();
    type(field, "b", now - 5000);
    type(field, "bread", now + 300);
    press(field as HTMLInputElement, "Enter", { at: now + 310 });
    const data = await trial.finished;
    const [response] = data.payload.responses as { first_key_ms: number }[];
    expect(response?.first_key_ms).toBe(0);
    expect((data.rt_ms ?? 0) - (data.payload.typing_ms as number)).toBeCloseTo(10, 6);
  });

  test("Enter leads from field to field and submits from the last; the log says which field", async () => {
    const trial = await startTrial(TypedProduction, { ...TWO, keystroke_log: true });
    const [first, second] = fields(trial);
    expect(first?.getAttribute("aria-label")).toBe(texts.gapOf(1, 2));
    type(first, "bread");
    press(first as HTMLInputElement, "Enter");
    expect(await isFinished(trial)).toBe(false);
    expect(document.activeElement).toBe(second);
    type(second, "knife");
    press(second as HTMLInputElement, "Enter");
    const data = await trial.finished;
    expect((data.payload.responses as { typed: string }[]).map(({ typed }) => typed)).toEqual(["bread", "knife"]);
    expect(data.events?.flat()).toMatchObject([
      { field: 1, typed: "bread" },
      { field: 2, typed: "knife" },
    ]);
  });

  test("a cue has its fields below it, each with a label", async () => {
    const trial = await startTrial(TypedProduction, CUES);
    expect(find(trial.display, ".stimulus").textContent).toBe("butter");
    const labels = [...trial.display.querySelectorAll("label")].map((label) => label.textContent);
    expect(labels).toEqual([1, 2, 3].map((number) => texts.answerOf(number, 3)));
    for (const field of fields(trial)) type(field, "bread");
    find(trial.display, "button").click();
    expect((await trial.finished).payload.responses).toHaveLength(3);
  });

  test("the prompt of the study is the label of the only field", async () => {
    const trial = await startTrial(TypedProduction, { ...CUES, fields: 1, prompt: "Which word?" });
    const label = find<HTMLLabelElement>(trial.display, "label");
    expect([label.textContent, label.htmlFor]).toEqual(["Which word?", fields(trial)[0]?.id]);
  });

  test.each([
    [{}, "rye bread", texts.severalWords],
    [{ minimum_length: 3 }, "a", texts.tooShort.characters(3)],
    [{ maximum_length: 3 }, "bread", texts.tooLong.characters(3)],
    [{ one_word: false, length_unit: "words", minimum_length: 2 }, "bread", texts.tooShort.words(2)],
    [{ may_be_empty: false }, "", texts.empty],
  ])("%j refuses %j with its reason, and what was typed stays", async (changes, typed, reason) => {
    const trial = await startTrial(TypedProduction, { ...GAP, ...changes });
    const [field] = fields(trial);
    type(field, typed);
    press(field as HTMLInputElement, "Enter");
    expect(await isFinished(trial)).toBe(false);
    expect(message(trial)).toBe(reason);
    expect(field?.value).toBe(typed);
    expect(field?.getAttribute("aria-invalid")).toBe("true");
    type(field, "rye");
    expect(message(trial)).toBe("");
  });

  test("an empty field needs a second press, not one that bounced", async () => {
    const trial = await startTrial(TypedProduction, GAP);
    const [field] = fields(trial);
    const now = performance.now();
    press(field as HTMLInputElement, "Enter", { at: now });
    press(field as HTMLInputElement, "Enter", { at: now + 90 });
    expect(await isFinished(trial)).toBe(false);
    expect(message(trial)).toBe(texts.emptyAllowed);
    expect(find(trial.display, "button").textContent).toBe(texts.nothing);
    press(field as HTMLInputElement, "Enter", { at: now + 1000 });
    expect((await trial.finished).payload.responses).toEqual([
      { typed: "", first_key_ms: null, typing_ms: 0, edits: 0 },
    ]);
  });

  test("when the time is over, what has been typed is the answer, however short", async () => {
    const trial = await startTrial(TypedProduction, { ...GAP, minimum_length: 4, time_limit_ms: 150 });
    const [field] = fields(trial);
    type(field, "br");
    const data = await trial.finished;
    expect(data.payload).toMatchObject({ timed_out: true, responses: [{ typed: "br" }] });
    expect(data.rt_ms).toBeGreaterThan(0);
    expect(field?.readOnly).toBe(true);
  });

  test("pasting and copying are refused, said and counted", async () => {
    const trial = await startTrial(TypedProduction, TWO);
    const [first, second] = fields(trial);
    first?.dispatchEvent(new Event("paste", { bubbles: true, cancelable: true }));
    second?.dispatchEvent(new Event("drop", { bubbles: true, cancelable: true }));
    expect(message(trial)).toBe(texts.pasteRefused);
    second?.dispatchEvent(new Event("copy", { bubbles: true, cancelable: true }));
    expect(message(trial)).toBe(texts.copyRefused);
    for (const field of [first, second]) type(field, "x");
    find(trial.display, "button").click();
    expect((await trial.finished).payload).toMatchObject({ paste_attempts: 1, drop_attempts: 1, copy_attempts: 1 });
  });

  test("a picture is what is timed, with its size and its alternative text", async () => {
    const show = vi.spyOn(clock, "show");
    const image = { kind: "image", url: "/media/hammer.png", width: 400, height: 300, alt: "A drawing" };
    const trial = await startTrial(TypedProduction, { ...CUES, task: "naming", text: null, image, fields: 1 });
    const shown = find<HTMLImageElement>(trial.display, "img");
    expect(show.mock.calls.at(-1)?.[0].stimulus).toBe(shown);
    expect([shown.alt, shown.width, shown.height]).toEqual(["A drawing", 400, 300]);
    expect(trial.display.querySelector(".stimulus")).toBeNull();
    type(fields(trial)[0], "hammer");
    find(trial.display, "button").click();
    expect((await trial.finished).payload.responses).toMatchObject([{ typed: "hammer" }]);
  });

  test("a sound begins with its question, is heard again while one types, and ends with the answer", async () => {
    const audio = { kind: "audio", url: "/media/rain.mp3", duration_ms: 400, replay: true };
    const trial = await startTrial(TypedProduction, { ...CUES, task: "naming", text: null, audio, fields: 1 });
    const [field] = fields(trial);
    type(field, "ra");
    const again = find(trial.display, ".sound-again button");
    const held = new MouseEvent("mousedown", { bubbles: true, cancelable: true });
    again.dispatchEvent(held);
    expect(held.defaultPrevented, "the field keeps the focus").toBe(true);
    again.click();
    type(field, "rain");
    press(field as HTMLInputElement, "Enter");
    const { payload } = await trial.finished;
    expect(payload).toMatchObject({ plays: 2, audio_latency_ms: 20, responses: [{ typed: "rain" }] });
    expect(stop).toHaveBeenCalledTimes(2);
    const silent = await simulateTrial(TypedProduction, { ...CUES, audio });
    expect(silent.payload).toMatchObject({ plays: 0 });
    expect((await simulateTrial(TypedProduction, CUES)).payload).not.toHaveProperty("plays");
  });

  test("a text is shown as text, whatever it holds", async () => {
    const text = "<img src=x onerror=alert(1)> & <b>bold</b>";
    const trial = await startTrial(TypedProduction, { ...CUES, text });
    expect(find(trial.display, ".stimulus").textContent).toBe(text);
    expect(trial.display.querySelector("img, b")).toBeNull();
    await clock.nextFrame();
  });

  test.each([GAP, TWO, CUES, { ...GAP, length_unit: "words", one_word: false, minimum_length: 3 }])(
    "a simulation yields what the trial takes",
    async (params) => {
      const data = await simulateTrial(TypedProduction, params);
      expect(data.payload.responses).toHaveLength(params.fields);
      expect(data.rt_ms).toBeGreaterThan(data.payload.typing_ms as number);
    },
  );
});

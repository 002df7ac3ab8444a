import { beforeEach, describe, expect, test } from "vitest";
import { find, press } from "../trial-harness";
import { recallMessagesIn } from "./messages";
import { RecallBox } from "./recall-box";

const texts = recallMessagesIn("en");
let display: HTMLElement;

beforeEach(() => {
  display = document.createElement("main");
  document.body.replaceChildren(display);
});

async function ask() {
  const recallBox = new RecallBox(texts, "1 of 32");
  let answered: ReturnType<RecallBox["ask"]> | null = null;
  await new Promise<void>((resolve) => {
    answered = recallBox.ask(display, resolve);
  });
  if (answered === null) throw new Error("The box was not shown.");
  const { box, button } = recallBox;
  return { answered: answered as ReturnType<RecallBox["ask"]>, box, button, message: find(display, "[role=alert]") };
}

function type(box: HTMLTextAreaElement, text: string, at?: number): void {
  box.value = text;
  const event = new InputEvent("input", { bubbles: true });
  if (at !== undefined) Object.defineProperty(event, "timeStamp", { value: at });
  box.dispatchEvent(event);
}

function isOpen(answered: Promise<unknown>): Promise<boolean> {
  const open = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(true), 60);
  });
  return Promise.race([answered.then(() => false), open]);
}

function refused(target: EventTarget, event: Event): boolean {
  return !target.dispatchEvent(event);
}

describe("the recall box", () => {
  test("it has a label and the focus, and nothing helps with typing", async () => {
    const { box } = await ask();
    expect(find<HTMLLabelElement>(display, "label").htmlFor).toBe(box.id);
    expect(document.activeElement).toBe(box);
    const unaided = ["autocomplete", "autocorrect", "autocapitalize", "spellcheck", "writingsuggestions", "translate"];
    expect(unaided.map((name) => box.getAttribute(name))).toEqual(["off", "off", "off", "false", "false", "no"]);
  });

  test.each([{}, { ctrlKey: true }])("Enter submits %j, with text and times", async (modifiers) => {
    const { answered, box } = await ask();
    const now = performance.now();
    press(box, "T", { at: now + 500 });
    type(box, "T", now + 501);
    type(box, "The", now + 901);
    const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...modifiers });
    Object.defineProperty(enter, "timeStamp", { value: now + 1500 });
    expect(refused(box, enter)).toBe(true);
    const answer = await answered;
    expect(answer).toMatchObject({ recall: "The", edits: 0, submitted: now + 1500 });
    expect(answer.typing_ms).toBeCloseTo(400, 6);
    expect(answer.submitted - answer.onset.time - (answer.first_key_ms ?? 0)).toBeCloseTo(1000, 6);
  });

  test("keys before the box was seen count as pressed at its onset, so that no part outlasts the whole", async () => {
    const { answered, box } = await ask();
    const now = performance.now();
    press(box, "T", { at: now - 5000 });
    type(box, "T", now - 5000);
    type(box, "The", now + 500);
    press(box, "Enter", { at: now + 510 });
    const answer = await answered;
    const rt = answer.submitted - answer.onset.time;
    expect(answer).toMatchObject({ recall: "The", first_key_ms: 0 });
    expect(answer.typing_ms).toBeCloseTo(rt - 10, 6);
  });

  test("the button submits, and spaces are kept as they were typed", async () => {
    const { answered, box, button } = await ask();
    type(box, " The  dog ");
    button.click();
    expect((await answered).recall).toBe(" The  dog ");
  });

  test("there are no lines: Shift and Enter do nothing, Enter of a keyboard on the screen submits", async () => {
    const { answered, box } = await ask();
    type(box, "The dog");
    expect(refused(box, new KeyboardEvent("keydown", { key: "Enter", shiftKey: true, cancelable: true }))).toBe(true);
    expect(await isOpen(answered)).toBe(true);
    expect(refused(box, new InputEvent("beforeinput", { inputType: "insertLineBreak", cancelable: true }))).toBe(true);
    expect((await answered).recall).toBe("The dog");
  });

  test("an empty box needs a second press, not one that bounced", async () => {
    const { answered, box, button, message } = await ask();
    const now = performance.now();
    press(box, "Enter", { at: now });
    press(box, "Enter", { at: now + 90 });
    expect(await isOpen(answered)).toBe(true);
    expect(message.textContent).toBe(texts.recallEmpty);
    expect(button.textContent).toBe(texts.recallNothing);
    press(box, "Enter", { at: now + 1000 });
    expect(await answered).toMatchObject({ recall: "", first_key_ms: null, typing_ms: 0, edits: 0 });
  });

  test("who types after all is asked again when the box is emptied", async () => {
    const { answered, box, button, message } = await ask();
    const now = performance.now();
    press(box, "Enter", { at: now });
    type(box, "a");
    expect(message.textContent).toBe("");
    expect(button.textContent).toBe(texts.goOn);
    type(box, "  ");
    press(box, "Enter", { at: now + 5000 });
    expect(await isOpen(answered)).toBe(true);
  });

  test("a key that is held down from the page before submits nothing", async () => {
    const { answered, box } = await ask();
    type(box, "a");
    press(box, "Enter", { repeat: true });
    expect(await isOpen(answered)).toBe(true);
  });

  test("pasting is refused, said and counted, however it comes", async () => {
    const { answered, box, button, message } = await ask();
    type(box, "mine");
    expect(refused(box, new Event("paste", { cancelable: true }))).toBe(true);
    expect(message.textContent).toBe(texts.pasteRefused);
    const inserted = new InputEvent("beforeinput", { inputType: "insertFromPaste", cancelable: true });
    expect(refused(box, inserted)).toBe(true);
    button.click();
    expect(await answered).toMatchObject({ recall: "mine", paste_attempts: 2, drop_attempts: 0, edits: 0 });
  });

  test("dropping is refused, said and counted", async () => {
    const { answered, box, button, message } = await ask();
    type(box, "mine");
    expect(refused(box, new Event("drop", { cancelable: true }))).toBe(true);
    expect(message.textContent).toBe(texts.pasteRefused);
    button.click();
    expect(await answered).toMatchObject({ recall: "mine", paste_attempts: 0, drop_attempts: 1 });
  });

  test("a shortcut is not the first key", async () => {
    const { answered, box, button } = await ask();
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "v", ctrlKey: true }));
    const now = performance.now();
    type(box, "a", now + 400);
    button.click();
    const answer = await answered;
    expect((answer.first_key_ms ?? 0) + answer.onset.time).toBeCloseTo(now + 400, 6);
  });

  test("Enter that ends a composition submits nothing", async () => {
    const { answered, box } = await ask();
    type(box, "あめ");
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, cancelable: true }));
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, cancelable: true }));
    expect(await isOpen(answered)).toBe(true);
  });

  test("what is being composed is one change when it is done, and no edit", async () => {
    const { answered, box, button } = await ask();
    box.dispatchEvent(new CompositionEvent("compositionstart"));
    for (const text of ["a", "あ", "あm", "あめ", "雨"]) type(box, text);
    box.dispatchEvent(new CompositionEvent("compositionend"));
    type(box, "雨が");
    button.click();
    const answer = await answered;
    expect(answer).toMatchObject({ recall: "雨が", edits: 0 });
    expect(answer.log.flat().map((event) => event.typed)).toEqual(["雨", "が"]);
  });

  test("half a character never reaches the server", async () => {
    const { answered, box, button } = await ask();
    type(box, "a\ud83d b");
    button.click();
    expect((await answered).recall).toBe("a\ufffd b");
  });
});

import { beforeEach, describe, expect, type Mock, test, vi } from "vitest";
import { GuardedField, UNAIDED } from "./guarded-field";

let input: HTMLInputElement;
let heard: { entered: Mock<(time: number) => void>; changed: Mock<() => void>; refused: Mock<() => void> };
let guarded: GuardedField<HTMLInputElement>;

beforeEach(() => {
  input = document.createElement("input");
  document.body.replaceChildren(input);
  heard = { entered: vi.fn(), changed: vi.fn(), refused: vi.fn() };
  guarded = new GuardedField(input, heard, 2);
});

function at(event: Event, time: number): Event {
  Object.defineProperty(event, "timeStamp", { value: time });
  return event;
}

function type(text: string, time: number): void {
  input.value = text;
  input.dispatchEvent(at(new InputEvent("input", { bubbles: true }), time));
}

describe("a field into which people type", () => {
  test("browsers are asked to help with nothing", () => {
    expect(Object.values(UNAIDED).every((value) => ["off", "false", "no"].includes(value))).toBe(true);
  });

  test("the first key is the first that writes, and one before the onset counts as pressed at it", () => {
    input.dispatchEvent(at(new KeyboardEvent("keydown", { key: "Shift" }), 90));
    input.dispatchEvent(at(new KeyboardEvent("keydown", { key: "v", ctrlKey: true }), 95));
    expect(guarded.firstKeyFrom(0)).toBeNull();
    input.dispatchEvent(at(new KeyboardEvent("keydown", { key: "a" }), 100));
    input.dispatchEvent(at(new KeyboardEvent("keydown", { key: "b" }), 200));
    expect(guarded.firstKeyFrom(40)).toBe(60);
    expect(guarded.firstKeyFrom(150)).toBe(0);
  });

  test("a keyboard on a screen tells of no keys: its first change is the first key", () => {
    type("a", 120);
    expect(guarded.firstKeyFrom(100)).toBe(20);
  });

  test("a word that is composed is typed from its first sign to its last, and is one change", () => {
    input.dispatchEvent(new CompositionEvent("compositionstart"));
    type("b", 1000);
    type("br", 1200);
    type("bread", 1900);
    input.dispatchEvent(at(new CompositionEvent("compositionend"), 2000));
    expect(guarded.typing.durationFrom(0)).toBe(1000);
    expect(guarded.typing.batches().flat()).toEqual([
      { type: "typing", field: 2, t_ms: 2000, from: 0, removed: 0, typed: "bread" },
    ]);
    expect(guarded.typing.edits).toBe(0);
  });

  test("what is composed still when the time is over is taken as it stands", () => {
    input.dispatchEvent(new CompositionEvent("compositionstart"));
    type("br", 1200);
    guarded.close(5000);
    expect(guarded.text).toBe("br");
    expect(input.readOnly).toBe(true);
    expect(guarded.typing.lastChange).toBe(1200);
  });

  test("Enter is told, from keys and from a screen, and not from a composition or a key that is held", () => {
    const presses: KeyboardEventInit[] = [
      { key: "Enter", isComposing: true },
      { key: "Enter", repeat: true },
      { key: "Enter", shiftKey: true },
      { key: "Enter" },
    ];
    for (const press of presses) input.dispatchEvent(new KeyboardEvent("keydown", { ...press, cancelable: true }));
    expect(heard.entered).toHaveBeenCalledTimes(1);
    input.dispatchEvent(new InputEvent("beforeinput", { inputType: "insertLineBreak", cancelable: true }));
    expect(heard.entered).toHaveBeenCalledTimes(2);
  });

  test.each([
    ["paste", new Event("paste", { cancelable: true })],
    ["drop", new Event("drop", { cancelable: true })],
    ["paste", new InputEvent("beforeinput", { inputType: "insertFromPaste", cancelable: true })],
    ["drop", new InputEvent("beforeinput", { inputType: "insertFromDrop", cancelable: true })],
  ])("a %s is refused and counted", (what, event) => {
    expect(input.dispatchEvent(event)).toBe(false);
    expect([guarded.pasteAttempts, guarded.dropAttempts]).toEqual(what === "paste" ? [1, 0] : [0, 1]);
    expect(heard.refused).toHaveBeenCalledTimes(1);
  });
});

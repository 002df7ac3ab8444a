import { describe, expect, test } from "vitest";
import { type Commands, commandOf } from "./keyboard";

const DIGITS = new Map([
  ["0", "0"],
  ["3", "3"],
]);

function press(init: KeyboardEventInit & { on?: Element }, { letters = true, settling = false } = {}) {
  const names = ["save", "previous", "undo", "marks", "suggest", "pause", "help", "note"] as const;
  const called: string[] = [];
  const commands = Object.fromEntries(names.map((name) => [name, () => called.push(name)])) as unknown as Commands;
  const event = new KeyboardEvent("keydown", init);
  const target = init.on ?? document.body;
  target.dispatchEvent(event);
  const all: Commands = {
    ...commands,
    toggle: (code) => called.push(`code ${code}`),
    takeFrom: settling ? (coder) => called.push(`coder ${coder}`) : null,
  };
  commandOf(event, DIGITS, all, { letters })?.();
  return called;
}

describe("keys of the workspace", () => {
  test.each([
    ["3", ["code 3"]],
    ["9", []],
    ["Enter", ["save"]],
    ["Backspace", ["previous"]],
    ["u", ["undo"]],
    ["U", ["undo"]],
    ["d", ["marks"]],
    ["s", ["suggest"]],
    ["n", ["note"]],
    ["p", ["pause"]],
    ["?", ["help"]],
    ["a", []],
    ["Tab", []],
    ["x", []],
  ])("%s", (key, expected) => {
    expect(press({ key })).toEqual(expected);
  });

  test("digits work where a layout gives them only with Shift, and on the number pad", () => {
    expect(press({ key: '"', code: "Digit3" })).toEqual(["code 3"]);
    expect(press({ key: "End", code: "Numpad0" })).toEqual(["code 0"]);
    expect(press({ key: "#", code: "Digit3", shiftKey: true })).toEqual([]);
  });

  test("letters and digits can be switched off; Enter and Backspace stay", () => {
    expect(["3", "u", "?"].flatMap((key) => press({ key }, { letters: false }))).toEqual([]);
    expect(["Enter", "Backspace"].flatMap((key) => press({ key }, { letters: false }))).toEqual(["save", "previous"]);
  });

  test("Enter on a button or a link is for that button or link", () => {
    const button = document.createElement("button");
    document.body.append(button);
    expect(press({ key: "Enter", on: button })).toEqual([]);
    expect(press({ key: "3", on: button })).toEqual(["code 3"]);
    button.remove();
  });

  test("where disagreements are settled, a letter takes over the codes of a coder", () => {
    expect(press({ key: "b" }, { settling: true })).toEqual(["coder 1"]);
  });
});

/** What each key does. Digits and letters can be switched off, for people who dictate or use a screen reader's letters. */

import { partOrNull } from "./shown";

/** What the keys and the buttons of the page can ask for. */
export interface Commands {
  readonly toggle: (code: string) => void;
  readonly save: () => void;
  readonly previous: () => void;
  readonly undo: () => void;
  readonly marks: () => void;
  readonly suggest: () => void;
  readonly pause: () => void;
  readonly help: () => void;
  readonly note: () => void;
  readonly takeFrom: ((coder: number) => void) | null;
}

const LETTERS: Readonly<Record<string, keyof Omit<Commands, "toggle" | "takeFrom">>> = {
  d: "marks",
  n: "note",
  p: "pause",
  s: "suggest",
  u: "undo",
  "?": "help",
};

/** What a key means while a text is on the screen; null where it means nothing to the page. */
export function commandOf(
  event: KeyboardEvent,
  digits: ReadonlyMap<string, string>,
  commands: Commands,
  { letters = true } = {},
): (() => void) | null {
  const isControl = event.target instanceof Element && event.target.closest("button, a, summary") !== null;
  if (event.key === "Enter") return isControl ? null : commands.save;
  if (event.key === "Backspace") return commands.previous;
  if (!letters) return null;
  const code = digits.get(event.key) ?? digits.get(digitOf(event));
  if (code !== undefined) return () => commands.toggle(code);
  const name = LETTERS[event.key.toLowerCase()];
  if (name !== undefined) return commands[name];
  const { takeFrom } = commands;
  if (takeFrom !== null && /^[a-c]$/i.test(event.key)) {
    return () => takeFrom(event.key.toUpperCase().charCodeAt(0) - 65);
  }
  return null;
}

/** The digit of a key where the layout gives it only with Shift, as in France. */
function digitOf(event: KeyboardEvent): string {
  if (event.shiftKey) return "";
  return /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1] ?? "";
}

/** Writes the digit of each code next to it. */
export function showDigits(boxes: readonly HTMLInputElement[], digits: ReadonlyMap<string, string>): void {
  const keyOf = new Map([...digits].map(([key, code]) => [code, key]));
  for (const box of boxes) {
    const key = keyOf.get(box.value);
    const shown = box.closest("label")?.querySelector("kbd");
    if (!shown || key === undefined) continue;
    shown.textContent = key;
    shown.hidden = false;
    shown.classList.toggle("same", key === box.value);
    box.setAttribute("aria-keyshortcuts", key);
  }
}

/** Calls `action` where the button of that name is pressed, and `afterPointer` where it was pressed by a pointer. */
export function onButton(name: string, action: () => void, afterPointer: () => void = () => {}): void {
  partOrNull(`button-${name}`)?.addEventListener("click", (event) => {
    action();
    if (event.detail > 0) afterPointer();
  });
}

/**
 * A field into which people type, and nothing else does: pasting, dropping, completion, correction and translation are
 * refused or switched off, and what was tried is counted. Takes note of the first key and of every change.
 */

import { drafts } from "../page/drafts";
import { Typing } from "./typing";

/** Browsers and their extensions that correct, complete, translate or suggest are asked not to. */
export const UNAIDED = {
  autocomplete: "off",
  autocorrect: "off",
  autocapitalize: "off",
  spellcheck: "false",
  translate: "no",
  writingsuggestions: "false",
  "data-gramm": "false",
  "data-gramm_editor": "false",
  "data-enable-grammarly": "false",
  "data-lt-active": "false",
  "data-ms-editor": "false",
} as const;

export interface FieldListener {
  /** Enter was pressed, on keys or on a screen. */
  entered(time: number): void;
  /** The text has changed. */
  changed(): void;
  /** Something was to be pasted or dropped. */
  refused(): void;
}

export class GuardedField<Field extends HTMLInputElement | HTMLTextAreaElement> {
  readonly typing: Typing;
  firstKey: number | null = null;
  pasteAttempts = 0;
  dropAttempts = 0;
  private isComposing = false;
  private lastInput: number | null = null;

  /** `number` is the place of the field among several, for the log. */
  constructor(
    readonly field: Field,
    private readonly listener: FieldListener,
    number?: number,
  ) {
    this.typing = new Typing(number);
    this.typing.putBack(drafts.keep(field), performance.now());
    field.addEventListener("keydown", (event) => this.pressed(event as KeyboardEvent));
    field.addEventListener("beforeinput", (event) => this.beforeInput(event as InputEvent));
    field.addEventListener("input", (event) => this.changed(event));
    field.addEventListener("compositionstart", () => {
      this.isComposing = true;
    });
    field.addEventListener("compositionend", (event) => {
      this.isComposing = false;
      this.typing.changed(field.value, event.timeStamp);
    });
    field.addEventListener("paste", (event) => this.refusePaste(event));
    field.addEventListener("drop", (event) => this.refuseDrop(event));
  }

  /** What was typed, as it can be stored. */
  get text(): string {
    return storable(this.field.value);
  }

  get isEmpty(): boolean {
    return this.field.value.trim() === "";
  }

  /** From an onset to the first key. The field takes keys a little before it is seen: they count as pressed at its onset. */
  firstKeyFrom(onset: number): number | null {
    return this.firstKey === null ? null : Math.max(0, this.firstKey - onset);
  }

  /** Accepts no more input; unfinished composition is recorded as it is. */
  close(time: number): void {
    this.typing.changed(this.field.value, this.lastInput ?? time);
    this.field.readOnly = true;
  }

  private pressed(event: KeyboardEvent): void {
    // Safari ends a composition before it tells of the Enter that ended it; only the key code still says so.
    if (event.isComposing || event.keyCode === 229) {
      this.firstKey ??= event.timeStamp;
    } else if (event.key === "Enter") {
      event.preventDefault();
      // A key that is still held down from the page before must not answer this one.
      if (!event.repeat && !event.shiftKey) this.listener.entered(event.timeStamp);
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.repeat) {
      this.firstKey ??= event.timeStamp;
    }
  }

  private beforeInput(event: InputEvent): void {
    switch (event.inputType) {
      // Keyboards on a screen tell of Enter in this way alone.
      case "insertLineBreak":
      case "insertParagraph":
        event.preventDefault();
        this.listener.entered(event.timeStamp);
        break;
      // Clipboards of such keyboards put their text in without asking the page to paste.
      case "insertFromPaste":
      case "insertFromPasteAsQuotation":
        this.refusePaste(event);
        break;
      case "insertFromDrop":
        this.refuseDrop(event);
        break;
    }
  }

  private changed(event: Event): void {
    this.firstKey ??= event.timeStamp;
    this.lastInput = event.timeStamp;
    // What is being composed changes with every key; it counts when it is done, and has begun when it began.
    if (this.isComposing) this.typing.began(event.timeStamp);
    else this.typing.changed(this.field.value, event.timeStamp);
    this.listener.changed();
  }

  private refusePaste(event: Event): void {
    event.preventDefault();
    this.pasteAttempts += 1;
    this.listener.refused();
  }

  private refuseDrop(event: Event): void {
    event.preventDefault();
    this.dropAttempts += 1;
    this.listener.refused();
  }
}

/** No database holds NUL characters or halves of characters. */
function storable(text: string): string {
  return text.replace(/[\p{Cs}\0]/gu, "\ufffd");
}

/** Says something in an alert, anew where the same was said before: it is emptied first, so that it is read out again. */
export function say(alert: HTMLElement, text: string): void {
  if (text === "" && alert.textContent === "") return;
  alert.textContent = "";
  alert.textContent = text;
}

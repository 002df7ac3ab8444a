/**
 * The box in which the sentence is typed from memory. Enter submits, as it did for the problems before: a sentence has no
 * lines. An empty box needs a second press. Whatever would put a text there without typing is refused and counted.
 */

import { element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import { clock, type Onset } from "../clock";
import type { RecallMessages } from "./messages";
import { Typing, type TypingEvent } from "./typing";

export interface RecallAnswer {
  readonly recall: string;
  readonly submitted: number;
  readonly onset: Onset;
  readonly first_key_ms: number | null;
  readonly typing_ms: number;
  readonly edits: number;
  readonly paste_attempts: number;
  readonly drop_attempts: number;
  readonly log: readonly (readonly TypingEvent[])[];
}

const LONGEST_RECALL = 10_000;
/** Two presses within this time are one that bounced, or Enter of the last problem pressed twice. */
const SECOND_PRESS = 600;
/** Browsers and their extensions that correct, complete, translate or suggest are asked not to. */
const UNAIDED = {
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
};

export class RecallBox {
  readonly box: HTMLTextAreaElement;
  readonly button: HTMLButtonElement;
  private readonly message = element("p", { class: "message", role: "alert", id: "recall-message" });
  private readonly typing = new Typing();
  private readonly answered: Promise<number>;
  private resolve: (time: number) => void = () => {};
  private firstKey: number | null = null;
  private pasteAttempts = 0;
  private dropAttempts = 0;
  private emptyPressed: number | null = null;
  private isComposing = false;
  private isDone = false;

  constructor(
    private readonly texts: RecallMessages,
    private readonly where: string,
  ) {
    this.box = element("textarea", {
      id: "recall",
      rows: "4",
      maxlength: String(LONGEST_RECALL),
      enterkeyhint: "done",
      "aria-describedby": `recall-how ${this.message.id}`,
      ...UNAIDED,
    });
    this.button = element("button", { type: "button", class: "primary" }, texts.goOn);
    this.answered = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.listen();
  }

  /** Shows the box. `onShown` is called when it can be typed into. */
  async ask(display: HTMLElement, onShown: () => void): Promise<RecallAnswer> {
    const prompt = element("p", { class: "prompt" }, element("label", { for: this.box.id }, this.texts.recallPrompt));
    const page = sheet({
      name: "recall",
      content: [
        element("p", { class: "label where" }, this.where),
        prompt,
        this.box,
        element("p", { class: "quiet", id: "recall-how" }, this.texts.recallHow),
        this.message,
      ],
      actions: element("p", { class: "actions" }, this.button),
    });
    const showing = await clock.show({ draw: () => display.replaceChildren(page), stimulus: prompt });
    this.box.focus({ preventScroll: true });
    onShown();
    const submitted = await this.answered;
    const onset = await showing.onset({ before: submitted });
    return {
      recall: storable(this.box.value),
      submitted,
      onset,
      // The box takes keys a little before it is seen: they count as pressed at its onset, and typing from there.
      first_key_ms: this.firstKey === null ? null : Math.max(0, this.firstKey - onset.time),
      typing_ms: this.typing.durationFrom(onset.time),
      edits: this.typing.edits,
      paste_attempts: this.pasteAttempts,
      drop_attempts: this.dropAttempts,
      log: this.typing.batches(),
    };
  }

  sayCopyRefused(): void {
    this.say(this.texts.copyRefused);
  }

  private listen(): void {
    const { box } = this;
    box.addEventListener("keydown", (event) => this.pressed(event));
    box.addEventListener("beforeinput", (event) => this.beforeInput(event));
    box.addEventListener("input", (event) => this.changed(event));
    box.addEventListener("compositionstart", () => {
      this.isComposing = true;
    });
    box.addEventListener("compositionend", (event) => {
      this.isComposing = false;
      this.typing.changed(box.value, event.timeStamp);
    });
    box.addEventListener("paste", (event) => this.refusePaste(event));
    box.addEventListener("drop", (event) => this.refuseDrop(event));
    this.button.addEventListener("click", (event) => this.submit(event.timeStamp));
  }

  private pressed(event: KeyboardEvent): void {
    // Safari ends a composition before it tells of the Enter that ended it; only the key code still says so.
    if (event.isComposing || event.keyCode === 229) {
      this.firstKey ??= event.timeStamp;
    } else if (event.key === "Enter") {
      event.preventDefault();
      // A key that is still held down from the page before must not answer this one.
      if (!event.repeat && !event.shiftKey) this.submit(event.timeStamp);
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
        this.submit(event.timeStamp);
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
    this.emptyPressed = null;
    this.say("");
    this.button.textContent = this.texts.goOn;
    // What is being composed changes with every key; it counts when it is done.
    if (!this.isComposing) this.typing.changed(this.box.value, event.timeStamp);
  }

  private refusePaste(event: Event): void {
    event.preventDefault();
    this.pasteAttempts += 1;
    this.say(this.texts.pasteRefused);
  }

  private refuseDrop(event: Event): void {
    event.preventDefault();
    this.dropAttempts += 1;
    this.say(this.texts.pasteRefused);
  }

  private submit(time: number): void {
    if (this.isDone) return;
    if (this.box.value.trim() === "") {
      if (this.emptyPressed === null || time - this.emptyPressed < SECOND_PRESS) {
        this.emptyPressed ??= time;
        if (this.message.textContent !== this.texts.recallEmpty) this.say(this.texts.recallEmpty);
        this.button.textContent = this.texts.recallNothing;
        this.box.focus();
        return;
      }
    }
    this.isDone = true;
    this.typing.changed(this.box.value, this.typing.lastChange ?? time);
    this.box.readOnly = true;
    this.button.disabled = true;
    this.resolve(time);
  }

  private say(text: string): void {
    if (text === "" && this.message.textContent === "") return;
    // Emptied first, so that the same refusal is read out again.
    this.message.textContent = "";
    this.message.textContent = text;
  }
}

/** No database holds NUL characters or halves of characters. */
function storable(text: string): string {
  return text.replace(/[\p{Cs}\0]/gu, "\ufffd");
}

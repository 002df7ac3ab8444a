/**
 * The box in which the sentence is typed from memory. Enter submits, as it did for the problems before: a sentence has no
 * lines. An empty box needs a second press. Whatever would put a text there without typing is refused and counted.
 */

import { buttonSaying, element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import { clock, type Onset } from "../../timing/clock";
import { Seen } from "../../timing/view";
import { GuardedField, say, UNAIDED } from "../../typing/guarded-field";
import type { TypingEvent } from "../../typing/typing";
import type { RecallMessages } from "./messages";

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
  /** How many of prompt and box had not been in the window as a whole. */
  readonly outOfView: number;
}

const LONGEST_RECALL = 10_000;
/** Two presses within this time are one that bounced, or Enter of the last problem pressed twice. */
const SECOND_PRESS = 600;

export class RecallBox {
  readonly box: HTMLTextAreaElement;
  readonly button: HTMLButtonElement;
  private readonly guarded: GuardedField<HTMLTextAreaElement>;
  private readonly message = element("p", { class: "message", role: "alert", id: "recall-message" });
  private readonly answered: Promise<number>;
  private resolve: (time: number) => void = () => {};
  private emptyPressed: number | null = null;
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
    this.button = buttonSaying(texts.goOn);
    this.answered = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.guarded = new GuardedField(this.box, {
      entered: (time) => this.submit(time),
      changed: () => this.changed(),
      refused: () => say(this.message, texts.pasteRefused),
    });
    this.button.addEventListener("click", (event) => this.submit(event.timeStamp));
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
      actions: [this.button],
    });
    const seen = new Seen([prompt, this.box]);
    const showing = await clock.show({ draw: seen.drawing(() => display.replaceChildren(page)), stimulus: prompt });
    this.box.focus({ preventScroll: true });
    onShown();
    const submitted = await this.answered;
    const outOfView = seen.end();
    const onset = await showing.onset({ before: submitted });
    const { typing } = this.guarded;
    return {
      recall: this.guarded.text,
      submitted,
      onset,
      // Typing, too, counts from the onset.
      first_key_ms: this.guarded.firstKeyFrom(onset.time),
      typing_ms: typing.durationFrom(onset.time),
      edits: typing.edits,
      paste_attempts: this.guarded.pasteAttempts,
      drop_attempts: this.guarded.dropAttempts,
      log: typing.batches(),
      outOfView,
    };
  }

  sayCopyRefused(): void {
    say(this.message, this.texts.copyRefused);
  }

  private changed(): void {
    this.emptyPressed = null;
    say(this.message, "");
    this.button.textContent = this.texts.goOn;
  }

  private submit(time: number): void {
    if (this.isDone) return;
    if (this.guarded.isEmpty) {
      if (this.emptyPressed === null || time - this.emptyPressed < SECOND_PRESS) {
        this.emptyPressed ??= time;
        if (this.message.textContent !== this.texts.recallEmpty) say(this.message, this.texts.recallEmpty);
        this.button.textContent = this.texts.recallNothing;
        this.box.focus();
        return;
      }
    }
    this.isDone = true;
    this.guarded.close(time);
    this.button.disabled = true;
    this.resolve(time);
  }
}

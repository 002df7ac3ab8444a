/**
 * The page of a trial: prompt, picture, sound or text, and the fields, which stand in the gaps of a text that has any. Enter leads
 * to the next field and submits from the last. An empty field is taken at the second press where the study allows it.
 */

import { buttonSaying, element, textSpan } from "../../page/blocks";
import type { TrialMedia } from "../../page/media";
import { sheet } from "../../page/sheet";
import { clock, type Onset } from "../../timing/clock";
import { Seen } from "../../timing/view";
import { GuardedField, say, UNAIDED } from "../../typing/guarded-field";
import { durationOf, Typing, type TypingEvent } from "../../typing/typing";
import { type LengthFault, lengthFault, MOST_CHARACTERS } from "./lengths";
import type { ProductionMessages } from "./messages";
import type { ProductionParams } from "./params";

export interface FieldAnswer {
  readonly typed: string;
  readonly first_key_ms: number | null;
  readonly typing_ms: number;
  readonly edits: number;
}

export interface GivenAnswers {
  readonly responses: readonly FieldAnswer[];
  readonly typing_ms: number;
  readonly timed_out: boolean;
  readonly paste_attempts: number;
  readonly drop_attempts: number;
  readonly submitted: number;
  readonly onset: Onset;
  readonly log: readonly (readonly TypingEvent[])[];
  /** How many of picture, text and fields had not been in the window as a whole. */
  readonly outOfView: number;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Two presses within this time are one that bounced. */
const SECOND_PRESS = 600;

export class AnswerPage {
  readonly button: HTMLButtonElement;
  readonly inputs: readonly TextField[];
  private readonly fields: readonly GuardedField<TextField>[];
  private readonly message = element("p", { class: "message", role: "alert", id: "production-message" });
  private readonly answered: Promise<number>;
  private resolve: (time: number) => void = () => {};
  private emptyPressed: number | null = null;
  private isDone = false;
  private timedOut = false;

  constructor(
    private readonly trial: ProductionParams,
    private readonly texts: ProductionMessages,
    private readonly where: string,
    private readonly media: TrialMedia,
  ) {
    this.button = buttonSaying(texts.goOn);
    this.answered = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.inputs = Array.from({ length: trial.fields }, (_, index) => this.input(index));
    this.fields = this.inputs.map((input, index) => this.guarded(input, index));
    this.button.addEventListener("click", (event) => this.submit(event.timeStamp));
  }

  /** Shows the page. `onShown` is called when it can be typed into. */
  async ask(display: HTMLElement, onShown: () => void): Promise<GivenAnswers> {
    const { page, stimulus, text } = this.page();
    const seen = new Seen([...this.media.elements, text, ...this.inputs]);
    const draw = seen.drawing(this.media.drawing(() => display.replaceChildren(page)));
    const showing = await clock.show({ draw, stimulus });
    this.inputs[0]?.focus({ preventScroll: true });
    const timer = this.startTimeLimit();
    onShown();
    const submitted = await this.answered;
    if (timer !== null) clearTimeout(timer);
    const outOfView = seen.end();
    const onset = await showing.onset({ before: submitted });
    const typings = this.fields.map(({ typing }) => typing);
    return {
      responses: this.fields.map((field) => ({
        typed: field.text,
        first_key_ms: field.firstKeyFrom(onset.time),
        typing_ms: field.typing.durationFrom(onset.time),
        edits: field.typing.edits,
      })),
      typing_ms: durationOf(typings, onset.time),
      timed_out: this.timedOut,
      paste_attempts: this.fields.reduce((sum, field) => sum + field.pasteAttempts, 0),
      drop_attempts: this.fields.reduce((sum, field) => sum + field.dropAttempts, 0),
      submitted,
      onset,
      log: Typing.batchesOf(typings),
      outOfView,
    };
  }

  sayCopyRefused(): void {
    say(this.message, this.texts.copyRefused);
  }

  private page(): { page: HTMLElement; stimulus: HTMLElement; text: HTMLElement } {
    const { trial, texts } = this;
    const isGapped = trial.segments.length > 0;
    const isSingle = trial.fields === 1 && !isGapped;
    const words = trial.prompt === "" ? texts.prompts[trial.task] : trial.prompt;
    const prompt = isSingle
      ? element("p", { class: "prompt" }, element("label", { for: fieldId(0) }, words))
      : element("p", { class: "prompt", id: "production-prompt" }, words);
    const text = isGapped ? this.gappedText() : trial.text === null ? null : stimulusOf(trial.text);
    const how = [trial.one_word ? texts.oneWord : "", trial.fields > 1 ? texts.nextField : "", texts.finish];
    const page = sheet({
      name: `typed-production ${trial.task}`,
      content: [
        element("p", { class: "label where" }, this.where),
        prompt,
        ...this.media.elements,
        ...(text === null ? [] : [text]),
        ...(isGapped ? [] : [this.stacked()]),
        element("p", { class: "quiet", id: "production-how" }, how.filter((part) => part !== "").join(" ")),
        this.message,
      ],
      actions: [this.button],
    });
    return { page, stimulus: this.media.stimulus(text ?? prompt), text: text ?? prompt };
  }

  /** The text with the fields in its gaps. */
  private gappedText(): HTMLElement {
    const parts: (Node | string)[] = [];
    for (const [index, segment] of this.trial.segments.entries()) {
      const input = this.inputs[index - 1];
      if (input !== undefined) parts.push(input);
      parts.push(segment);
    }
    return element("p", { class: "stimulus gapped" }, ...parts);
  }

  private stacked(): HTMLElement {
    const { trial, texts } = this;
    if (trial.fields === 1) return element("div", { class: "answers" }, ...this.inputs);
    const lines = this.inputs.map((input, index) =>
      element("label", { class: "answer" }, textSpan(texts.answerOf(index + 1, trial.fields)), input),
    );
    return element("div", { class: "answers", role: "group", "aria-labelledby": "production-prompt" }, ...lines);
  }

  private input(index: number): TextField {
    const { trial, texts } = this;
    const isGapped = trial.segments.length > 0;
    const attributes = {
      id: fieldId(index),
      maxlength: String(MOST_CHARACTERS),
      enterkeyhint: index + 1 < trial.fields ? "next" : "done",
      "aria-describedby": `${isGapped ? "production-prompt " : ""}production-how ${this.message.id}`,
      ...UNAIDED,
    };
    if (isGapped) {
      const label = trial.fields === 1 ? texts.gap : texts.gapOf(index + 1, trial.fields);
      return element("input", { ...attributes, type: "text", class: widthOf(trial), "aria-label": label });
    }
    if (trial.one_word || trial.task === "naming" || trial.task === "association") {
      return element("input", { ...attributes, type: "text", class: widthOf(trial) });
    }
    return element("textarea", { ...attributes, rows: trial.fields === 1 ? "4" : "2" });
  }

  private guarded(input: TextField, index: number): GuardedField<TextField> {
    return new GuardedField(
      input,
      {
        entered: (time) => this.entered(index, time),
        changed: () => this.changed(),
        refused: () => say(this.message, this.texts.pasteRefused),
      },
      this.trial.fields === 1 ? undefined : index + 1,
    );
  }

  private startTimeLimit(): ReturnType<typeof setTimeout> | null {
    const limit = this.trial.time_limit_ms;
    if (limit === null) return null;
    return setTimeout(() => {
      if (this.isDone) return;
      this.timedOut = true;
      this.finish(performance.now());
    }, limit);
  }

  private entered(index: number, time: number): void {
    const next = this.inputs[index + 1];
    if (next === undefined) this.submit(time);
    else next.focus();
  }

  private changed(): void {
    this.emptyPressed = null;
    for (const input of this.inputs) input.removeAttribute("aria-invalid");
    say(this.message, "");
    this.button.textContent = this.texts.goOn;
  }

  private submit(time: number): void {
    if (this.isDone) return;
    for (const [index, field] of this.fields.entries()) {
      const fault = lengthFault(field.text, this.trial);
      if (fault !== null) {
        this.refuse(index, this.reason(fault));
        return;
      }
    }
    const empty = this.fields.findIndex((field) => field.isEmpty);
    if (empty >= 0 && (this.emptyPressed === null || time - this.emptyPressed < SECOND_PRESS)) {
      this.emptyPressed ??= time;
      if (this.message.textContent !== this.texts.emptyAllowed) say(this.message, this.texts.emptyAllowed);
      this.button.textContent = this.texts.nothing;
      this.focusForSecondPress(empty);
      return;
    }
    this.finish(time);
  }

  /** Enter must submit from where the focus is; with several fields that is the last one, or the button. */
  private focusForSecondPress(empty: number): void {
    if (this.fields.length === 1) this.inputs[empty]?.focus();
    else this.button.focus();
  }

  private refuse(index: number, reason: string): void {
    say(this.message, reason);
    this.inputs[index]?.setAttribute("aria-invalid", "true");
    this.inputs[index]?.focus();
  }

  private reason(fault: LengthFault): string {
    const { trial, texts } = this;
    switch (fault) {
      case "empty":
        return texts.empty;
      case "several-words":
        return texts.severalWords;
      case "too-short":
        return texts.tooShort[trial.length_unit](trial.minimum_length);
      case "too-long":
        return texts.tooLong[trial.length_unit](trial.maximum_length);
    }
  }

  private finish(time: number): void {
    this.isDone = true;
    for (const field of this.fields) field.close(time);
    this.button.disabled = true;
    this.resolve(time);
  }
}

function fieldId(index: number): string {
  return `production-${index + 1}`;
}

function widthOf(trial: ProductionParams): string {
  return trial.one_word ? "word" : "phrase";
}

function stimulusOf(text: string): HTMLElement {
  return element("p", { class: "stimulus" }, text);
}

/** One rating question on the page: a field for a free number, a scale of points, or a slider. */

import type { Messages } from "../languages/messages";
import { element, textSpan } from "../page/blocks";
import { NumberField } from "../page/number-field";
import type { RatingMessages } from "./messages";
import { type MarkedSpan, type RatingQuestion, SLIDER_MAXIMUM } from "./question";

/** An answer with the time stamp of the event that gave it last. */
export interface GivenAnswer {
  readonly rating: number | null;
  readonly time: number | null;
  readonly changes: number;
  readonly typed: string | null;
  /** Marked errors, given the onset of the page. */
  readonly spans?: (onset: number) => readonly MarkedSpan[];
}

export interface FieldOptions {
  readonly question: RatingQuestion;
  readonly id: string;
  readonly messages: Messages;
  readonly texts: RatingMessages;
  readonly confirm: (time: number) => void;
}

export type FieldMaker = (options: FieldOptions) => RatingField;

const LEFT_OUT: GivenAnswer = { rating: null, time: null, changes: 0, typed: null };

export abstract class RatingField {
  abstract readonly element: HTMLElement;
  readonly question: RatingQuestion;

  constructor(protected readonly options: FieldOptions) {
    this.question = options.question;
  }

  abstract get isAnswered(): boolean;
  abstract focus(): void;
  /** What is answered, or null where that will not do; the field then says why. */
  abstract check(time: number): GivenAnswer | null;
  /** Answers as a participant would; for simulations. */
  abstract fill(rating: number, spans?: readonly MarkedSpan[]): void;

  /** Leaves the rest of the page unchanged. */
  close(): void {}

  /** Answers by a key that was pressed anywhere on the page; false where the key means nothing here. */
  answerByKey(_key: string, _time: number): boolean {
    return false;
  }

  protected legend(): HTMLElement {
    const { question, texts } = this.options;
    const mark = question.required ? [] : [element("span", { class: "optional" }, ` (${texts.optional})`)];
    const text = textSpan(question.text, { class: "rating-text" });
    text.append(...mark);
    return text;
  }
}

/** The field of a question of any kind but error spans, which only some sessions load. */
export function ratingField(options: FieldOptions): RatingField {
  switch (options.question.kind) {
    case "magnitude":
      return new MagnitudeField(options);
    case "scale":
      return new ScaleField(options);
    default:
      return new SliderField(options);
  }
}

class MagnitudeField extends RatingField {
  readonly element: HTMLElement;
  private readonly field: NumberField;

  constructor(options: FieldOptions) {
    super(options);
    const { question, texts, messages, id, confirm } = options;
    const optional = question.required ? "" : ` (${texts.optional})`;
    this.field = new NumberField({ label: `${question.text}${optional}`, allowZero: false, messages, id, confirm });
    const hint = element("p", { class: "quiet", id: `${id}-hint` }, texts.anyNumber);
    this.field.input.setAttribute("aria-describedby", `${hint.id} ${id}-message`);
    this.field.input.before(hint);
    this.element = this.field.element;
    this.element.classList.add("rating");
  }

  get isAnswered(): boolean {
    return this.field.input.value.trim() !== "";
  }

  focus(): void {
    this.field.input.focus({ preventScroll: true });
  }

  check(time: number): GivenAnswer | null {
    if (!this.isAnswered && !this.question.required) {
      this.field.clear();
      return LEFT_OUT;
    }
    const answer = this.field.check(time);
    if (answer === null) return null;
    return { rating: answer.number, time: answer.lastChange, changes: answer.edits, typed: answer.typed };
  }

  fill(rating: number): void {
    this.field.input.value = String(rating);
    this.field.input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}

/** What scales and sliders share: a group with a legend, a message, and a count of the changes. */
abstract class ChosenField extends RatingField {
  readonly element: HTMLElement;
  protected readonly message: HTMLElement;
  protected rating: number | null = null;
  private time: number | null = null;
  protected changes = 0;

  constructor(options: FieldOptions) {
    super(options);
    const { id, question } = options;
    this.message = element("p", { class: "message", role: "alert", id: `${id}-message` });
    this.element = element(
      "fieldset",
      { class: `field rating ${question.kind}`, "aria-describedby": this.message.id },
      element("legend", {}, this.legend()),
    );
  }

  protected abstract readonly missing: string;

  get isAnswered(): boolean {
    return this.rating !== null;
  }

  protected choose(rating: number, time: number): void {
    this.rating = rating;
    this.time = time;
    this.message.textContent = "";
  }

  check(): GivenAnswer | null {
    if (this.rating === null && this.question.required) {
      // Emptied first, so that the same refusal is read out again.
      this.message.textContent = "";
      this.message.textContent = this.missing;
      return null;
    }
    return { rating: this.rating, time: this.time, changes: this.changes, typed: null };
  }

  /** The answer between the labels of its ends, or alone where there are none. */
  protected betweenEnds(answer: HTMLElement): HTMLElement {
    const { labels, points } = this.question;
    if (labels.length !== 2 || points === 2) return answer;
    const end = (place: "low" | "high", label = "") =>
      textSpan(label, { class: `end ${place}`, "aria-hidden": "true" });
    return element("div", { class: "between-ends" }, end("low", labels[0]), answer, end("high", labels[1]));
  }
}

class ScaleField extends ChosenField {
  protected override readonly missing: string;
  private readonly radios: readonly HTMLInputElement[];

  constructor(options: FieldOptions) {
    super(options);
    const { id } = options;
    const { points, labels } = this.question;
    this.missing = options.texts.chooseAPoint;
    const worded = labels.length === points;
    this.radios = Array.from({ length: points }, (_, index) => {
      const label = worded ? labels[index] : index === 0 ? labels[0] : index === points - 1 ? labels[1] : undefined;
      return element("input", {
        type: "radio",
        name: id,
        value: String(index + 1),
        "aria-label": label === undefined ? String(index + 1) : `${index + 1}, ${label}`,
      });
    });
    const choices = this.radios.map((radio, index) =>
      element(
        "label",
        {},
        radio,
        element("span", { class: "point" }, String(index + 1)),
        ...(worded ? [textSpan(labels[index] ?? "", { class: "word" })] : []),
      ),
    );
    const line = element("div", { class: worded ? "points worded" : "points" }, ...choices);
    line.style.setProperty("--points", String(points));
    this.element.append(this.betweenEnds(line), this.message);
    line.addEventListener("change", (event) => {
      const radio = this.radios.find((candidate) => candidate.checked);
      if (radio !== undefined) this.take(Number(radio.value), event.timeStamp);
    });
  }

  private take(point: number, time: number): void {
    if (this.isAnswered && this.rating !== point) this.changes += 1;
    this.choose(point, time);
  }

  focus(): void {
    (this.radios.find((radio) => radio.checked) ?? this.radios[0])?.focus();
  }

  override answerByKey(key: string, time: number): boolean {
    const point = key === "0" ? 10 : Number(key);
    const radio = this.radios[point - 1];
    if (radio === undefined) return false;
    radio.checked = true;
    this.take(point, time);
    return true;
  }

  fill(rating: number): void {
    this.radios[rating - 1]?.click();
  }
}

class SliderField extends ChosenField {
  protected override readonly missing: string;
  private readonly slider: HTMLInputElement;
  private rest: number | null = null;

  constructor(options: FieldOptions) {
    super(options);
    const { id, texts } = options;
    const { labels, text } = this.question;
    this.missing = texts.touchTheSlider;
    const ends = labels.length === 2 ? ` (${labels[0]} – ${labels[1]})` : "";
    // Without a handle there is nothing that could be taken for a middling answer.
    this.slider = element("input", {
      id,
      type: "range",
      min: "0",
      max: String(SLIDER_MAXIMUM),
      step: "1",
      class: "untouched",
      "aria-label": `${text}${ends}`,
      "aria-valuetext": texts.notAnswered,
      "aria-describedby": this.message.id,
    });
    this.slider.value = String(SLIDER_MAXIMUM / 2);
    this.element.append(this.betweenEnds(this.slider), this.message);
    this.slider.addEventListener("input", (event) => this.moved(event.timeStamp));
    // A click in the very middle changes no value, so there is no input event.
    this.slider.addEventListener("click", (event) => this.settled(event.timeStamp));
    this.slider.addEventListener("change", (event) => this.settled(event.timeStamp));
  }

  /** Counts one change where the handle has come to rest, however far it was drawn. */
  private settled(time: number): void {
    this.moved(time);
    if (this.rating === this.rest) return;
    if (this.rest !== null) this.changes += 1;
    this.rest = this.rating;
  }

  private moved(time: number): void {
    const value = this.slider.valueAsNumber;
    if (this.isAnswered && value === this.rating) return;
    this.slider.classList.remove("untouched");
    this.slider.removeAttribute("aria-valuetext");
    this.choose(value, time);
  }

  focus(): void {
    this.slider.focus();
  }

  fill(rating: number): void {
    this.slider.value = String(rating);
    this.slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}

/** Questions on scales: one of points, several of them in a matrix, a slider. */

import { element, textSpan } from "../../page/blocks";
import { type AnswerValue, type Item, type Points, SLIDER_MAXIMUM, USUAL_POINTS } from "./question";
import { BoxedField, type FieldOptions, radio } from "./question-field";
import { type ScaleMessages, scaleMessagesIn } from "./scale-messages";

/** The labels of all points: words where there is one for each, else those of the ends. */
function labelOf(labels: readonly string[], points: number, point: number): string | undefined {
  if (labels.length === points) return labels[point - 1];
  if (labels.length !== 2) return undefined;
  return point === 1 ? labels[0] : point === points ? labels[1] : undefined;
}

interface Line {
  readonly radios: readonly HTMLInputElement[];
  readonly element: HTMLElement;
}

function lineOfPoints(name: string, points: number, labels: readonly string[], options: { what?: string }): Line {
  const worded = labels.length === points && points > 2 && options.what === undefined;
  const radios = Array.from({ length: points }, (_, index) => {
    const label = labelOf(labels, points, index + 1);
    const said = [options.what, String(index + 1), label].filter((part) => part !== undefined);
    return radio(name, String(index + 1), { "aria-label": said.join(", ") });
  });
  const shown = radios.map((input, index) =>
    element(
      "label",
      {},
      input,
      element("span", { class: "point", "aria-hidden": "true" }, String(index + 1)),
      ...(worded ? [textSpan(labels[index] ?? "", { class: "word", "aria-hidden": "true" })] : []),
    ),
  );
  const line = element("div", { class: worded ? "points worded" : "points" }, ...shown);
  line.style.setProperty("--points", String(points));
  return { radios, element: line };
}

function betweenEnds(labels: readonly string[], answer: HTMLElement): HTMLElement {
  if (labels.length !== 2) return answer;
  const end = (place: "low" | "high", label = "") => textSpan(label, { class: `end ${place}`, "aria-hidden": "true" });
  return element("div", { class: "between-ends" }, end("low", labels[0]), answer, end("high", labels[1]));
}

function chosen(radios: readonly HTMLInputElement[]): number | null {
  const found = radios.find((input) => input.checked);
  return found === undefined ? null : Number(found.value);
}

abstract class FieldOnScale extends BoxedField {
  protected readonly own: ScaleMessages;

  constructor(options: FieldOptions) {
    super(options, "fieldset");
    this.own = scaleMessagesIn(options.language);
  }
}

class ScaleField extends FieldOnScale {
  protected readonly controls: readonly HTMLInputElement[];

  constructor(options: FieldOptions) {
    super(options);
    const { points = USUAL_POINTS, labels = [], label } = this.question;
    this.element.classList.add("rating");
    const line = lineOfPoints(this.id, points, labels, {});
    this.controls = line.radios;
    this.assemble(element("legend", {}, label), betweenEnds(labels, line.element), ...this.declineBox());
  }

  get value(): AnswerValue {
    return this.isDeclined ? null : chosen(this.controls);
  }

  protected get isEmpty(): boolean {
    return chosen(this.controls) === null;
  }

  protected override get missing(): string {
    return this.question.required ? this.own.chooseAPoint : this.messages.answerOrDecline;
  }

  focus(): void {
    (this.controls.find((input) => input.checked) ?? this.controls[0])?.focus();
  }

  fill(value: AnswerValue): void {
    if (value === null) this.decline();
    else this.controls[Number(value) - 1]?.click();
  }
}

class MatrixField extends FieldOnScale {
  protected readonly controls: readonly HTMLInputElement[];
  private readonly lines: readonly { readonly item: Item; readonly radios: readonly HTMLInputElement[] }[];

  constructor(options: FieldOptions) {
    super(options);
    const { points = USUAL_POINTS, labels = [], items = [], label } = this.question;
    const lines = items.map((item, at) => {
      const line = lineOfPoints(`${this.id}-${at}`, points, labels, { what: item.label });
      return { item, ...line };
    });
    this.lines = lines;
    this.controls = lines.flatMap((line) => line.radios);
    const rows = lines.map((line) =>
      element(
        "div",
        { class: "matrix-row", role: "radiogroup", "aria-label": line.item.label },
        textSpan(line.item.label, { class: "matrix-item" }),
        line.element,
      ),
    );
    const table = element("div", { class: "matrix-rows" }, ...this.heads(points, labels), ...rows);
    table.style.setProperty("--points", String(points));
    this.assemble(element("legend", {}, label), table, ...this.declineBox());
  }

  get value(): AnswerValue {
    if (this.isDeclined || this.isEmpty) return null;
    return this.points;
  }

  protected get isEmpty(): boolean {
    return this.lines.every((line) => chosen(line.radios) === null);
  }

  protected override get missing(): string {
    return this.question.required ? this.own.chooseEveryPoint(this.lines.length) : this.messages.answerOrDecline;
  }

  protected override faultOfAnswer(): string | null {
    const missing = this.lines.filter((line) => chosen(line.radios) === null).length;
    return missing > 0 && this.question.required ? this.own.chooseEveryPoint(missing) : null;
  }

  focus(): void {
    const open = this.lines.find((line) => chosen(line.radios) === null);
    (open?.radios[0] ?? this.controls[0])?.focus();
  }

  fill(value: AnswerValue): void {
    if (value === null || typeof value !== "object") {
      this.decline();
      return;
    }
    for (const line of this.lines) line.radios[Number((value as Points)[line.item.name]) - 1]?.click();
  }

  private get points(): Points {
    return Object.fromEntries(this.lines.map((line) => [line.item.name, chosen(line.radios)]));
  }

  /** What the points mean, above the lines; read out with every point. */
  private heads(points: number, labels: readonly string[]): HTMLElement[] {
    if (labels.length === 0) return [];
    const words = Array.from({ length: points }, (_, index) => textSpan(labelOf(labels, points, index + 1) ?? ""));
    const worded = labels.length === points;
    return [
      element(
        "div",
        { class: worded ? "matrix-heads worded" : "matrix-heads", "aria-hidden": "true" },
        element("span", { class: "matrix-item" }),
        element("div", { class: "points" }, ...words),
      ),
    ];
  }
}

class SliderField extends FieldOnScale {
  protected readonly controls: readonly HTMLInputElement[];
  private readonly slider: HTMLInputElement;
  private isTouched = false;

  constructor(options: FieldOptions) {
    super(options);
    const { labels = [], label } = this.question;
    this.element.classList.add("rating");
    const ends = labels.length === 2 ? ` (${labels[0]} – ${labels[1]})` : "";
    // Without a handle there is nothing that could be taken for a middling answer.
    this.slider = element("input", {
      type: "range",
      min: "0",
      max: String(SLIDER_MAXIMUM),
      step: "1",
      class: "untouched",
      "aria-label": `${label}${ends}`,
      "aria-valuetext": this.own.notAnswered,
      "aria-describedby": this.described,
    });
    this.slider.value = String(SLIDER_MAXIMUM / 2);
    this.controls = [this.slider];
    for (const type of ["input", "change"]) this.slider.addEventListener(type, () => this.moved());
    // A click in the very middle changes no value, so there is no input event.
    this.slider.addEventListener("click", () => {
      if (!this.isTouched) this.slider.dispatchEvent(new Event("change", { bubbles: true }));
    });
    this.assemble(element("legend", {}, label), betweenEnds(labels, this.slider), ...this.declineBox());
  }

  get value(): AnswerValue {
    return this.isDeclined || this.isEmpty ? null : this.slider.valueAsNumber;
  }

  protected get isEmpty(): boolean {
    return !this.isTouched;
  }

  protected override get missing(): string {
    return this.question.required ? this.own.touchTheSlider : this.messages.answerOrDecline;
  }

  focus(): void {
    this.slider.focus();
  }

  fill(value: AnswerValue): void {
    if (value === null) {
      this.decline();
      return;
    }
    this.slider.value = String(value);
    this.slider.dispatchEvent(new Event("change", { bubbles: true }));
  }

  private moved(): void {
    this.isTouched = true;
    this.slider.classList.remove("untouched");
    this.slider.removeAttribute("aria-valuetext");
  }
}

export const SCALE_FIELDS = { scale: ScaleField, matrix: MatrixField, slider: SliderField };

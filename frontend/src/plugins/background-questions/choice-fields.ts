/** Questions with choices: one of them, or several. */

import { element, textSpan } from "../../page/blocks";
import { type AnswerValue, mayDecline, shownChoice } from "./question";
import { BoxedField, type FieldOptions, QuestionField, radio } from "./question-field";

const MOST_RADIO_BUTTONS = 7;

export function choiceField(options: FieldOptions): QuestionField {
  const few = (options.question.choices ?? []).length <= MOST_RADIO_BUTTONS;
  return few ? new RadioField(options) : new SelectField(options);
}

class RadioField extends QuestionField {
  protected readonly controls: readonly HTMLInputElement[];
  private readonly declined: HTMLInputElement | null;

  constructor(options: FieldOptions) {
    super(options, "fieldset");
    const choices = this.question.choices ?? [];
    this.element.classList.add("choices");
    this.controls = choices.map((choice) => radio(this.id, choice));
    this.declined = mayDecline(this.question) ? radio(this.id, "") : null;
    const labels = this.controls.map((input, at) =>
      element("label", {}, input, textSpan(shownChoice(this.question, choices[at] ?? ""))),
    );
    if (this.declined) {
      labels.push(element("label", {}, this.declined, textSpan(this.messages.preferNotToSay)));
    }
    this.assemble(element("legend", {}, this.question.label), ...labels);
  }

  get value(): AnswerValue {
    return this.controls.find((input) => input.checked)?.value ?? null;
  }

  protected get isEmpty(): boolean {
    return this.value === null;
  }

  protected get isDeclined(): boolean {
    return this.declined?.checked ?? false;
  }

  focus(): void {
    this.controls[0]?.focus();
  }

  fill(value: AnswerValue): void {
    const meant = value === null ? this.declined : this.controls.find((input) => input.value === value);
    meant?.click();
  }
}

class SelectField extends QuestionField {
  protected readonly controls: readonly HTMLSelectElement[];
  private readonly select: HTMLSelectElement;
  private readonly declined: HTMLOptionElement | null;

  constructor(options: FieldOptions) {
    super(options, "div");
    this.select = element("select", { id: this.id, "aria-describedby": this.described });
    this.select.append(
      element("option", { value: "", disabled: true, selected: true, hidden: true }, this.messages.pleaseChoose),
    );
    for (const choice of this.question.choices ?? []) {
      this.select.append(element("option", { value: choice }, shownChoice(this.question, choice)));
    }
    this.declined = mayDecline(this.question) ? element("option", {}, this.messages.preferNotToSay) : null;
    if (this.declined) this.select.append(this.declined);
    this.controls = [this.select];
    this.assemble(element("label", { for: this.id }, this.question.label), this.select);
  }

  get value(): AnswerValue {
    return this.isDeclined || this.isEmpty ? null : this.select.value;
  }

  protected get isEmpty(): boolean {
    return this.select.value === "";
  }

  protected get isDeclined(): boolean {
    return this.declined?.selected ?? false;
  }

  focus(): void {
    this.select.focus();
  }

  fill(value: AnswerValue): void {
    if (value !== null) this.select.value = String(value);
    else if (this.declined) this.declined.selected = true;
    this.select.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

export class SeveralField extends BoxedField {
  protected readonly controls: readonly HTMLInputElement[];

  constructor(options: FieldOptions) {
    super(options, "fieldset");
    const choices = this.question.choices ?? [];
    this.element.classList.add("choices");
    this.controls = choices.map((choice) => element("input", { type: "checkbox", value: choice }));
    const labels = this.controls.map((input, at) =>
      element("label", {}, input, textSpan(shownChoice(this.question, choices[at] ?? ""))),
    );
    this.assemble(element("legend", {}, this.question.label), ...labels, ...this.declineBox());
  }

  get value(): AnswerValue {
    if (this.isDeclined || this.isEmpty) return null;
    return this.controls.filter((input) => input.checked).map((input) => input.value);
  }

  protected get isEmpty(): boolean {
    return !this.controls.some((input) => input.checked);
  }

  protected override get missing(): string {
    return this.question.required ? this.texts.chooseOne : this.messages.answerOrDecline;
  }

  focus(): void {
    this.controls[0]?.focus();
  }

  fill(value: AnswerValue): void {
    if (value === null) this.decline();
    else if (Array.isArray(value)) {
      for (const input of this.controls) if (value.includes(input.value) !== input.checked) input.click();
    }
  }
}

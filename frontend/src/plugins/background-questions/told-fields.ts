/** A statement to be ticked, and information that asks nothing. */

import { element, textSpan } from "../../page/blocks";
import type { AnswerValue } from "./question";
import { type FieldOptions, QuestionField } from "./question-field";

export class StatementField extends QuestionField {
  protected readonly controls: readonly HTMLInputElement[];
  protected readonly isDeclined = false;
  private readonly box: HTMLInputElement;

  constructor(options: FieldOptions) {
    super(options, "div");
    this.box = element("input", { type: "checkbox", id: this.id, "aria-describedby": this.described });
    this.controls = [this.box];
    const words = textSpan(this.question.label);
    this.assemble(element("label", { class: "decline", for: this.id }, this.box, words));
  }

  get value(): AnswerValue {
    return this.box.checked;
  }

  protected get isEmpty(): boolean {
    return !this.box.checked;
  }

  protected override get missing(): string {
    return this.texts.statementNeeded;
  }

  focus(): void {
    this.box.focus();
  }

  fill(value: AnswerValue): void {
    if (Boolean(value) !== this.box.checked) this.box.click();
  }
}

/** Paragraphs between the questions; a blank line begins a new one. */
export class InformationField extends QuestionField {
  protected readonly controls: readonly Element[] = [];
  protected readonly isEmpty = false;
  protected readonly isDeclined = false;
  readonly value = null;

  constructor(options: FieldOptions) {
    super(options, "div");
    const [first = "", ...rest] = this.question.label.split(/\n\s*\n/u);
    this.assemble(element("p", {}, first), ...rest.map((paragraph) => element("p", {}, paragraph)));
  }

  focus(): void {}

  fill(): void {}
}

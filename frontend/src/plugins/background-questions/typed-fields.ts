/** Questions whose answers are typed: texts, numbers, a year of birth. */

import { plainDigits } from "../../languages/digits";
import { readNumber, writeNumber } from "../../languages/number";
import { element, textSpan } from "../../page/blocks";
import { drafts } from "../../page/drafts";
import { type AnswerValue, FIRST_YEAR, LONGEST_LONG_TEXT, LONGEST_TEXT } from "./question";
import { BoxedField, type FieldOptions } from "./question-field";

export class TextField extends BoxedField {
  protected readonly controls: readonly (HTMLInputElement | HTMLTextAreaElement)[];
  protected readonly input: HTMLInputElement | HTMLTextAreaElement;

  constructor(options: FieldOptions, attributes: Record<string, string> = {}) {
    super(options, "div");
    const given = { id: this.id, autocomplete: "off", "aria-describedby": this.described };
    this.input =
      this.question.kind === "long-text"
        ? element("textarea", { ...given, rows: "5", maxlength: String(LONGEST_LONG_TEXT) })
        : element("input", { ...given, type: "text", maxlength: String(LONGEST_TEXT), ...attributes });
    drafts.keep(this.input);
    this.controls = [this.input];
    const label = element("label", { for: this.id }, this.question.label);
    this.assemble(label, this.withUnit(), ...this.declineBox());
  }

  get value(): AnswerValue {
    return this.isDeclined || this.isEmpty ? null : this.typed;
  }

  protected get isEmpty(): boolean {
    return this.typed === "";
  }

  protected get typed(): string {
    return this.input.value.trim();
  }

  focus(): void {
    this.input.focus();
  }

  fill(value: AnswerValue): void {
    if (value === null) {
      this.decline();
      return;
    }
    this.input.value = String(value);
    this.input.dispatchEvent(new InputEvent("input", { bubbles: true }));
    this.input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  private withUnit(): HTMLElement {
    const { unit } = this.question;
    if (!unit) return this.input;
    const shown = textSpan(unit, { class: "unit", id: `${this.id}-unit` });
    this.input.setAttribute("aria-describedby", `${shown.id} ${this.described}`);
    return element("div", { class: "with-unit" }, this.input, shown);
  }
}

export class NumberField extends TextField {
  constructor(private readonly options: FieldOptions) {
    super(options, { inputmode: "decimal" });
  }

  override get value(): AnswerValue {
    if (this.isDeclined || this.isEmpty || this.faultOfAnswer() !== null) return null;
    return readNumber(this.typed, { allowZero: true }).number;
  }

  protected override faultOfAnswer(): string | null {
    const { number } = readNumber(this.typed, { allowZero: true });
    if (number === null) return this.messages.numberNeeded;
    const { minimum, maximum } = this.question;
    const tooLow = minimum !== undefined && number < minimum;
    const tooHigh = maximum !== undefined && number > maximum;
    if (!tooLow && !tooHigh) return null;
    const low = minimum === undefined ? null : writeNumber(minimum, this.options.language);
    const high = maximum === undefined ? null : writeNumber(maximum, this.options.language);
    if (low !== null && high !== null) return this.texts.numberFrom(low, high);
    return low !== null ? this.texts.numberAtLeast(low) : this.texts.numberAtMost(high ?? "");
  }
}

export class YearField extends TextField {
  constructor(options: FieldOptions) {
    super(options, { inputmode: "numeric", placeholder: "" });
  }

  override get value(): AnswerValue {
    return this.isDeclined || this.isEmpty || this.faultOfAnswer() !== null ? null : Number(plainDigits(this.typed));
  }

  protected override faultOfAnswer(): string | null {
    const last = new Date().getUTCFullYear();
    const typed = plainDigits(this.typed);
    const year = /^[0-9]{4}$/u.test(typed) ? Number(typed) : 0;
    return FIRST_YEAR <= year && year <= last ? null : this.texts.yearNeeded(FIRST_YEAR, last);
  }
}

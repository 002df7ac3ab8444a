/** One question: a choice, a text or a number, each with the way to decline it where it is not required. */

import type { Messages } from "../../languages/messages";
import { readNumber } from "../../languages/number";
import { element } from "../../page/blocks";

export interface Question {
  readonly name: string;
  readonly label: string;
  readonly kind: "choice" | "text" | "number";
  readonly choices?: readonly string[];
  readonly required: boolean;
  readonly help?: string;
}

export type AnswerValue = string | number | null;
export type Answers = Record<string, AnswerValue>;

const MOST_RADIO_BUTTONS = 7;
const LONGEST_TEXT = 500;

export class QuestionField {
  readonly element: HTMLElement;
  readonly name: string;
  private readonly message: HTMLElement;
  private readonly controls: readonly (HTMLInputElement | HTMLSelectElement)[];
  private readonly declined: HTMLInputElement | HTMLOptionElement | null;

  constructor(private readonly options: { question: Question; index: number; messages: Messages }) {
    const { question, index, messages } = options;
    const id = `question-${index}`;
    this.name = question.name;
    this.message = element("p", { class: "message", id: `${id}-message`, role: "alert" });
    const help = question.help ? [element("p", { class: "quiet help", id: `${id}-help` }, question.help)] : [];
    const described = [...help.map((node) => node.id), this.message.id].join(" ");
    if (question.kind === "choice" && (question.choices ?? []).length <= MOST_RADIO_BUTTONS) {
      const radios = (question.choices ?? []).map((choice) => radio(id, choice));
      const decline = question.required ? null : radio(id, "");
      this.controls = radios;
      this.declined = decline;
      const labels = radios.map((input, at) =>
        element("label", {}, input, element("span", {}, question.choices?.[at] ?? "")),
      );
      if (decline) labels.push(element("label", {}, decline, element("span", {}, messages.preferNotToSay)));
      this.element = element(
        "fieldset",
        { class: "field choices", "aria-describedby": described },
        element("legend", {}, question.label),
        ...help,
        ...labels,
        this.message,
      );
    } else if (question.kind === "choice") {
      const select = element("select", { id, "aria-describedby": described });
      select.append(
        element("option", { value: "", disabled: true, selected: true, hidden: true }, messages.pleaseChoose),
      );
      for (const choice of question.choices ?? []) select.append(element("option", { value: choice }, choice));
      const decline = question.required ? null : element("option", {}, messages.preferNotToSay);
      if (decline) select.append(decline);
      this.controls = [select];
      this.declined = decline;
      this.element = element("div", { class: "field" }, label(id, question), ...help, select, this.message);
    } else {
      const input = element("input", {
        id,
        type: "text",
        autocomplete: "off",
        maxlength: String(LONGEST_TEXT),
        "aria-describedby": described,
        ...(question.kind === "number" ? { inputmode: "decimal" } : {}),
      });
      const decline = question.required ? null : element("input", { type: "checkbox" });
      decline?.addEventListener("change", () => {
        input.disabled = decline.checked;
      });
      this.controls = [input];
      this.declined = decline;
      const tick = decline
        ? [element("label", { class: "decline" }, decline, element("span", {}, messages.preferNotToSay))]
        : [];
      this.element = element("div", { class: "field" }, label(id, question), ...help, input, ...tick, this.message);
    }
  }

  /** The answer, null where it was declined. */
  get value(): AnswerValue {
    if (this.isDeclined) return null;
    const typed = this.typed;
    return this.options.question.kind === "number" ? readNumber(typed, { allowZero: true }).number : typed;
  }

  /** Whether the answer will do; says what is missing where it will not. */
  check(): boolean {
    const fault = this.fault();
    this.message.textContent = fault ?? "";
    for (const control of this.controls) control.toggleAttribute("aria-invalid", fault !== null);
    return fault === null;
  }

  focus(): void {
    this.controls[0]?.focus();
  }

  /** Fills the field in, for simulations. */
  fill(value: AnswerValue): void {
    if (value === null) {
      if (this.declined instanceof HTMLOptionElement) this.declined.selected = true;
      else if (this.declined) this.declined.checked = true;
      return;
    }
    for (const control of this.controls) {
      if (control instanceof HTMLInputElement && control.type === "radio") control.checked = control.value === value;
      else control.value = String(value);
    }
  }

  private get isDeclined(): boolean {
    if (this.declined instanceof HTMLOptionElement) return this.declined.selected;
    return this.declined?.checked ?? false;
  }

  private get typed(): string {
    const chosen = this.controls.find(
      (control) => !(control instanceof HTMLInputElement) || control.type !== "radio" || control.checked,
    );
    return chosen?.value.trim() ?? "";
  }

  private fault(): string | null {
    const { question, messages } = this.options;
    if (this.isDeclined) return null;
    if (this.typed === "") return question.required ? messages.answerNeeded : messages.answerOrDecline;
    if (question.kind === "number" && this.value === null) return messages.numberNeeded;
    return null;
  }
}

function radio(name: string, value: string): HTMLInputElement {
  return element("input", { type: "radio", name, value });
}

function label(id: string, question: Question): HTMLElement {
  return element("label", { for: id }, question.label);
}

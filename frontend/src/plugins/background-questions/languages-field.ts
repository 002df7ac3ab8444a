/** The languages that somebody knows: one row for each, with age, years and self-rated skills. */

import { readNumber } from "../../languages/number";
import { buttonSaying, element } from "../../page/blocks";
import { type LanguageMessages, languageMessagesIn } from "./language-messages";
import { type AnswerValue, type Language, MAX_LANGUAGES, MOST_SKILL, OLDEST, SKILLS } from "./question";
import { BoxedField, type FieldOptions } from "./question-field";

const LONGEST_NAME = 100;

interface Row {
  readonly element: HTMLElement;
  readonly language: HTMLInputElement;
  readonly age: HTMLInputElement;
  readonly years: HTMLInputElement;
  readonly skills: Readonly<Record<string, HTMLSelectElement>>;
  readonly title: HTMLElement;
  readonly remove: HTMLButtonElement;
}

export class LanguagesField extends BoxedField {
  private readonly list = element("div", { class: "languages-rows" });
  private readonly add: HTMLButtonElement;
  private rows: readonly Row[] = [];
  private made = 0;
  private readonly own: LanguageMessages;

  constructor(options: FieldOptions) {
    super(options, "fieldset");
    this.own = languageMessagesIn(options.language);
    this.add = buttonSaying(this.own.addLanguage, "plain");
    this.add.addEventListener("click", () => {
      this.addRow().language.focus();
      this.changed();
    });
    this.assemble(element("legend", {}, this.question.label), this.list, this.add, ...this.declineBox());
    this.addRow();
  }

  get value(): AnswerValue {
    if (this.isDeclined || this.isEmpty) return null;
    return this.rows.filter((row) => !isBlank(row)).map(languageOf);
  }

  protected get controls(): readonly Element[] {
    return this.rows.map((row) => row.language);
  }

  protected get isEmpty(): boolean {
    return this.rows.every(isBlank);
  }

  protected override faultOfAnswer(): string | null {
    const given = this.rows.filter((row) => !isBlank(row));
    if (given.some((row) => row.language.value.trim() === "")) return this.own.languageNeeded;
    const numbers = given.flatMap((row) => [row.age, row.years]);
    return numbers.every((input) => input.value.trim() === "" || numberIn(input) !== null)
      ? null
      : this.own.ageNeeded(OLDEST);
  }

  focus(): void {
    this.rows[0]?.language.focus();
  }

  fill(value: AnswerValue): void {
    if (!Array.isArray(value)) {
      this.decline();
      return;
    }
    for (const [at, language] of (value as readonly Language[]).entries()) {
      const row = this.rows[at] ?? this.addRow();
      row.language.value = language.language;
      row.age.value = language.age === null ? "" : String(language.age);
      row.years.value = language.years === null ? "" : String(language.years);
      for (const skill of SKILLS) {
        const select = row.skills[skill];
        if (select) select.value = String(language.skills[skill] ?? "");
      }
    }
    this.changed();
  }

  private addRow(): Row {
    this.made += 1;
    const id = `${this.id}-language-${this.made}`;
    const language = field(`${id}-name`, { maxlength: String(LONGEST_NAME), autocapitalize: "words" });
    const age = field(`${id}-age`, { inputmode: "numeric", class: "short" });
    const years = field(`${id}-years`, { inputmode: "decimal", class: "short" });
    const skills = Object.fromEntries(SKILLS.map((skill) => [skill, this.skillSelect(`${id}-${skill}`)]));
    const title = element("p", { class: "label" });
    const remove = element("button", { type: "button", class: "plain" });
    const row: Row = { element: element("div", { class: "language" }), language, age, years, skills, title, remove };
    remove.addEventListener("click", () => this.removeRow(row));
    const { own } = this;
    row.element.append(
      title,
      labelled(own.language, language),
      labelled(own.ageOfAcquisition, age),
      labelled(own.yearsOfUse, years),
      element("p", { class: "quiet" }, own.skillScale),
      element(
        "div",
        { class: "skills" },
        ...SKILLS.map((skill) => labelled(own.skill[skill], skills[skill] as HTMLSelectElement)),
      ),
      remove,
    );
    this.rows = [...this.rows, row];
    this.list.append(row.element);
    this.number();
    return row;
  }

  private removeRow(row: Row): void {
    this.rows = this.rows.filter((other) => other !== row);
    row.element.remove();
    this.number();
    (this.rows.at(-1)?.language ?? this.add).focus();
    this.changed();
  }

  private number(): void {
    for (const [at, row] of this.rows.entries()) {
      row.title.textContent = this.own.languageNumber(at + 1);
      row.remove.textContent = this.own.removeLanguage(at + 1);
      row.remove.hidden = this.rows.length === 1;
    }
    this.add.hidden = this.rows.length >= MAX_LANGUAGES;
  }

  private changed(): void {
    this.element.dispatchEvent(new Event("change", { bubbles: true }));
  }

  private skillSelect(id: string): HTMLSelectElement {
    const none = element("option", { value: "" }, "–");
    const points = Array.from({ length: MOST_SKILL + 1 }, (_, point) =>
      element("option", { value: String(point) }, String(point)),
    );
    return element("select", { id }, none, ...points);
  }
}

function field(id: string, attributes: Record<string, string>): HTMLInputElement {
  return element("input", { type: "text", id, autocomplete: "off", ...attributes });
}

function labelled(text: string, control: HTMLInputElement | HTMLSelectElement): HTMLElement {
  return element("div", { class: "language-field" }, element("label", { for: control.id }, text), control);
}

function isBlank(row: Row): boolean {
  const typed = [row.language, row.age, row.years].some((input) => input.value.trim() !== "");
  return !typed && Object.values(row.skills).every((select) => select.value === "");
}

function numberIn(input: HTMLInputElement): number | null {
  const { number } = readNumber(input.value, { allowZero: true });
  return number !== null && number <= OLDEST ? number : null;
}

function languageOf(row: Row): Language {
  const skills = Object.entries(row.skills).map(([skill, select]) => [
    skill,
    select.value === "" ? null : Number(select.value),
  ]);
  return {
    language: row.language.value.trim(),
    age: numberIn(row.age),
    years: numberIn(row.years),
    skills: Object.fromEntries(skills),
  };
}

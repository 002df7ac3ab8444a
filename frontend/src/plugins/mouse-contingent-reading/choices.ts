/** Questions with choices on a page of their own, before or after a text. */

import { buttonSaying, element, textSpan } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import { clock, type Onset } from "../../timing/clock";
import { Seen } from "../../timing/view";

export interface ChoiceQuestion {
  readonly prompt: string;
  readonly choices: readonly string[];
}

export interface ChoicesPage {
  readonly heading: string;
  readonly text: string;
  readonly questions: readonly ChoiceQuestion[];
  readonly button: string;
  readonly pleaseChoose: string;
}

export interface ChoicesOutcome {
  /** For each question which of its choices, from 0. */
  readonly chosen: readonly number[];
  readonly onset: Onset;
  readonly submitted: number;
  /** How many questions and choices had not been in the window as a whole. */
  readonly outOfView: number;
}

/** Resolves when every question has an answer and the page was confirmed. */
export async function askChoices(
  display: HTMLElement,
  page: ChoicesPage,
  onPage: (choose: (choices: readonly number[]) => void) => void,
): Promise<ChoicesOutcome> {
  const button = buttonSaying(page.button);
  const fields = page.questions.map((question, index) => new ChoiceField(question, index));
  const heading = element("h2", { tabindex: "-1" }, page.heading);
  const text = page.text === "" ? [] : [element("p", { class: "quiet" }, page.text)];
  const whole = sheet({
    name: "questions reading-questions",
    content: [heading, ...text, ...fields.map((field) => field.element)],
    actions: [button],
  });
  const submitted = new Promise<number>((resolve) => {
    const submit = (time: number) => {
      const open = fields.filter((field) => !field.check(page.pleaseChoose));
      if (open.length === 0) resolve(time);
      else open[0]?.focus();
    };
    button.addEventListener("click", (event) => submit(event.timeStamp));
    whole.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.repeat || !(event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      submit(event.timeStamp);
    });
  });
  const stimulus = whole.querySelector("legend");
  const seen = new Seen([...whole.querySelectorAll("legend, label")]);
  const showing = await clock.show({ draw: seen.drawing(() => display.replaceChildren(whole)), stimulus });
  heading.focus({ preventScroll: true });
  onPage((choices) => {
    for (const [index, field] of fields.entries()) field.choose(choices[index] ?? 0);
    button.click();
  });
  const time = await submitted;
  const outOfView = seen.end();
  button.disabled = true;
  const onset = await showing.onset({ before: time });
  return { chosen: fields.map((field) => field.chosen), onset, submitted: time, outOfView };
}

class ChoiceField {
  readonly element: HTMLElement;
  private readonly radios: readonly HTMLInputElement[];
  private readonly message: HTMLElement;

  constructor(question: ChoiceQuestion, index: number) {
    const name = `choice-${index}`;
    this.message = element("p", { class: "message", id: `${name}-message`, role: "alert" });
    this.radios = question.choices.map((_, at) => element("input", { type: "radio", name, value: String(at) }));
    const labels = this.radios.map((radio, at) => element("label", {}, radio, textSpan(question.choices[at] ?? "")));
    this.element = element(
      "fieldset",
      { class: "field choices", "aria-describedby": this.message.id },
      element("legend", {}, question.prompt),
      ...labels,
      this.message,
    );
  }

  get chosen(): number {
    return this.radios.findIndex((radio) => radio.checked);
  }

  check(pleaseChoose: string): boolean {
    const answered = this.chosen >= 0;
    this.message.textContent = answered ? "" : pleaseChoose;
    return answered;
  }

  choose(choice: number): void {
    const radio = this.radios[choice];
    if (radio !== undefined) radio.checked = true;
  }

  focus(): void {
    this.radios[0]?.focus();
  }
}

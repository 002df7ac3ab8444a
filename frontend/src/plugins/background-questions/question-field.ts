/** What the fields of all kinds of questions share: label, help, message, the way to decline, and times. */

import type { Messages } from "../../languages/messages";
import { element, textSpan } from "../../page/blocks";
import type { QuestionMessages } from "./messages";
import { type AnswerTime, type AnswerValue, mayDecline, type Question } from "./question";

export interface FieldOptions {
  readonly question: Question;
  readonly index: number;
  readonly messages: Messages;
  readonly texts: QuestionMessages;
  readonly language: string;
}

export abstract class QuestionField {
  readonly element: HTMLElement;
  readonly name: string;
  readonly question: Question;
  protected readonly id: string;
  protected readonly messages: Messages;
  protected readonly texts: QuestionMessages;
  protected readonly message: HTMLElement;
  /** What the field is described by: its help and its message. */
  protected readonly described: string;
  private readonly help: readonly HTMLElement[];
  private first: number | null = null;
  private last: number | null = null;
  private changes = 0;

  constructor({ question, index, messages, texts }: FieldOptions, container: "div" | "fieldset") {
    this.question = question;
    this.name = question.name;
    this.messages = messages;
    this.texts = texts;
    this.id = `question-${index}`;
    this.message = element("p", { class: "message", id: `${this.id}-message`, role: "alert" });
    this.help = question.help ? [element("p", { class: "quiet help", id: `${this.id}-help` }, question.help)] : [];
    this.described = [...this.help.map((node) => node.id), this.message.id].join(" ");
    this.element = element(container, { class: `field ${question.kind}` });
    this.element.addEventListener("input", (event) => this.touched(event.timeStamp));
    this.element.addEventListener("change", (event) => {
      this.touched(event.timeStamp);
      this.changes += 1;
      // What was said about an answer no longer holds once it is another one.
      if (this.message.textContent !== "" && this.fault() === null) this.say(null);
    });
  }

  /** The answer; null where there is none, or it was declined. */
  abstract get value(): AnswerValue;
  abstract focus(): void;
  /** Answers as a participant would; for simulations. */
  abstract fill(value: AnswerValue): void;
  protected abstract get isEmpty(): boolean;
  protected abstract get isDeclined(): boolean;
  protected abstract readonly controls: readonly Element[];
  /** What is wrong with an answer that is there. */
  protected faultOfAnswer(): string | null {
    return null;
  }

  /** Whether the answer will do; says what is missing where it will not. */
  check(): boolean {
    const fault = this.fault();
    this.say(fault);
    return fault === null;
  }

  /** When the field was answered, since the onset; nothing where nobody touched it. */
  time(onset: number): AnswerTime | null {
    if (this.first === null || this.last === null) return null;
    return {
      first_ms: Math.max(0, this.first - onset),
      last_ms: Math.max(0, this.last - onset),
      changes: Math.max(1, this.changes),
    };
  }

  /** Puts the question together: label, help, answer, message. */
  protected assemble(label: HTMLElement, ...answer: readonly HTMLElement[]): void {
    if (!this.question.required && !mayDecline(this.question) && this.question.kind !== "information") {
      label.append(element("span", { class: "optional" }, ` (${this.texts.optional})`));
    }
    this.element.append(label, ...this.help, ...answer, this.message);
    if (this.element instanceof HTMLFieldSetElement) this.element.setAttribute("aria-describedby", this.described);
  }

  protected get missing(): string {
    return this.question.required ? this.messages.answerNeeded : this.messages.answerOrDecline;
  }

  private fault(): string | null {
    if (this.isDeclined) return null;
    if (!this.isEmpty) return this.faultOfAnswer();
    return this.question.required || mayDecline(this.question) ? this.missing : null;
  }

  private say(fault: string | null): void {
    this.message.textContent = fault ?? "";
    for (const control of this.controls) {
      if (fault === null) control.removeAttribute("aria-invalid");
      else control.setAttribute("aria-invalid", "true");
    }
  }

  private touched(time: number): void {
    this.first ??= time;
    this.last = time;
  }
}

/** A field whose "prefer not to say" is a box under the answer, which the box then closes. */
export abstract class BoxedField extends QuestionField {
  private box: HTMLInputElement | null = null;

  protected get isDeclined(): boolean {
    return this.box?.checked ?? false;
  }

  /** The box with its label; nothing where the question cannot be declined. */
  protected declineBox(): HTMLElement[] {
    if (!mayDecline(this.question)) return [];
    const box = element("input", { type: "checkbox", "data-decline": true });
    box.addEventListener("change", () => this.close(box.checked));
    this.box = box;
    return [element("label", { class: "decline" }, box, textSpan(this.messages.preferNotToSay))];
  }

  protected decline(): void {
    if (this.box === null) return;
    this.box.checked = true;
    this.close(true);
  }

  private close(closed: boolean): void {
    for (const control of this.element.querySelectorAll<HTMLInputElement>("input, select, textarea, button")) {
      if (control !== this.box) control.disabled = closed;
    }
  }
}

export function radio(name: string, value: string, attributes: Record<string, string> = {}): HTMLInputElement {
  return element("input", { type: "radio", name, value, ...attributes });
}

/**
 * The field in which a participant types a free number, with the button that submits it. What is typed stays when it is
 * refused, the refusal says why, and every refused attempt is recorded. Nothing in the field hints at a scale.
 */

import type { Messages } from "../languages/messages";
import { readNumber } from "../languages/number";
import { buttonSaying, element } from "./blocks";
import { drafts } from "./drafts";

export interface NumberAnswer {
  readonly typed: string;
  readonly number: number;
  /** Time stamps of the events, on the clock of the onset. */
  readonly submitted: number;
  readonly firstKey: number | null;
  readonly lastChange: number | null;
  /** How often something typed was taken away or replaced. */
  readonly edits: number;
  readonly refused: readonly string[];
}

export interface NumberFieldOptions {
  readonly label: string;
  readonly allowZero: boolean;
  readonly messages: Messages;
  /** Needed where a page has several fields. */
  readonly id?: string;
  /** What Enter does where the field does not submit by itself. */
  readonly confirm?: (time: number) => void;
}

/** Longer than any number that is accepted, so that a number that is too long is refused with a reason. */
const LONGEST_TYPED = 60;
const MOST_REFUSALS_RECORDED = 50;

export class NumberField {
  /** Label, field and message. */
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly button: HTMLButtonElement;
  readonly answer: Promise<NumberAnswer>;
  private readonly message = element("p", { class: "message", role: "alert" });
  private readonly refused: string[] = [];
  private firstKey: number | null = null;
  private lastChange: number | null = null;
  private edits = 0;
  private previous = "";
  private resolve: (answer: NumberAnswer) => void = () => {};
  private answered = false;

  constructor(private readonly options: NumberFieldOptions) {
    const id = options.id ?? "number";
    this.message.id = `${id}-message`;
    this.input = element("input", {
      id,
      type: "text",
      inputmode: "decimal",
      enterkeyhint: "done",
      autocomplete: "off",
      autocorrect: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: String(LONGEST_TYPED),
      "aria-describedby": this.message.id,
    });
    this.button = buttonSaying(options.messages.submit);
    this.element = element(
      "div",
      { class: "field number" },
      element("label", { for: id }, options.label),
      this.input,
      this.message,
    );
    this.answer = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.previous = drafts.keep(this.input);
    this.input.addEventListener("keydown", (event) => this.pressed(event));
    this.input.addEventListener("input", (event) => this.changed(event));
    this.button.addEventListener("click", (event) => this.submit(event.timeStamp));
  }

  /** What is in the field, or null where it is refused; the refusal is then said and recorded. */
  check(time: number): NumberAnswer | null {
    const typed = this.input.value;
    const reading = readNumber(typed, { allowZero: this.options.allowZero });
    if (reading.number === null) {
      if (this.refused.length < MOST_REFUSALS_RECORDED) this.refused.push(typed);
      this.refuse(this.refusalText(reading.reason));
      return null;
    }
    this.clear();
    return {
      typed,
      number: reading.number,
      submitted: time,
      firstKey: this.firstKey,
      lastChange: this.lastChange,
      edits: this.edits,
      refused: this.refused,
    };
  }

  /** Takes a refusal back: another field of the page may still be refused. */
  clear(): void {
    this.input.removeAttribute("aria-invalid");
    this.message.textContent = "";
  }

  private pressed(event: KeyboardEvent): void {
    // Safari ends a composition before it tells of the Enter that ended it; only the key code still says so.
    const endsComposition = event.isComposing || (event.key === "Enter" && event.keyCode === 229);
    // A key that is still held down from the trial before must not answer this one.
    if (endsComposition || event.repeat) {
      if (event.repeat && event.key === "Enter") event.preventDefault();
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      (this.options.confirm ?? this.submit)(event.timeStamp);
    } else if (event.key.length === 1 || event.key === "Unidentified") {
      this.firstKey ??= event.timeStamp;
    }
  }

  private changed(event: Event): void {
    // Keyboards on a screen and dictation change the field without a key.
    this.firstKey ??= event.timeStamp;
    this.lastChange = event.timeStamp;
    if (!this.input.value.startsWith(this.previous)) this.edits += 1;
    this.previous = this.input.value;
  }

  private readonly submit = (time: number): void => {
    if (this.answered) return;
    const answer = this.check(time);
    if (answer === null) return;
    this.answered = true;
    this.button.disabled = true;
    this.input.readOnly = true;
    this.resolve(answer);
  };

  private refusalText(reason: keyof Messages["numberRefused"]): string {
    const { messages, allowZero } = this.options;
    return reason === "negative" && allowZero ? messages.negativeZeroAllowed : messages.numberRefused[reason];
  }

  private refuse(text: string): void {
    this.input.setAttribute("aria-invalid", "true");
    // Emptied first, so that the same refusal is read out again.
    this.message.textContent = "";
    this.message.textContent = text;
    this.input.focus();
  }
}

/** The parts of a payload that every number field yields. */
export function numberPayload(answer: NumberAnswer, onset: number) {
  return {
    typed: answer.typed,
    number: answer.number,
    // A key pressed in the very frame of the onset counts as pressed at it.
    first_key_ms: answer.firstKey === null ? null : Math.max(0, answer.firstKey - onset),
    edits: answer.edits,
    refused: [...answer.refused],
  };
}

/** Types a number into the field and submits it, as a participant would. For simulations. */
export function typeNumber(field: NumberField, typed: string): void {
  field.input.value = typed;
  field.input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.button.click();
}

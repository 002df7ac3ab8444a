/** One problem between sentence and recall: a whole number is typed, Enter submits. Right answers are known to the server alone. */

import { buttonSaying, element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import { clock } from "../../timing/clock";
import { answerFrom, LONGEST_ANSWER } from "./answer";
import type { RecallMessages } from "./messages";
import type { Problem } from "./params";

export interface ProblemAnswer {
  readonly typed: string;
  readonly answer: number | null;
  readonly ms: number;
  readonly first_key_ms: number | null;
  readonly timed_out: boolean;
}

export interface ProblemOptions {
  readonly display: HTMLElement;
  readonly problem: Problem;
  readonly where: string;
  readonly texts: RecallMessages;
  readonly timeLimit: number | null;
  /** Says whether an answer is right, null where nobody can say; absent where the trial gives no feedback. */
  readonly isRight: ((answer: number) => Promise<boolean | null>) | null;
}

interface Given {
  readonly typed: string;
  readonly answer: number | null;
  readonly time: number;
}

/** Nobody waits longer than this for feedback. */
const PATIENCE = 1500;

export class ProblemPage {
  readonly input: HTMLInputElement;
  readonly button: HTMLButtonElement;
  /** 1 where the problem was not in the window as a whole when it came up. */
  outOfView = 0;
  private readonly message = element("p", { class: "message", role: "alert", id: "answer-message" });
  private readonly verdict = element("p", { class: "verdict", role: "status" });
  private firstKey: number | null = null;
  private pressed: (time: number) => void = () => {};

  constructor(private readonly options: ProblemOptions) {
    const { problem, texts } = options;
    const mayBeNegative = problem.operator !== "+" && problem.b > problem.a;
    this.input = element("input", {
      id: "answer",
      type: "text",
      // Number pads on a screen have no minus.
      inputmode: mayBeNegative ? "text" : "numeric",
      enterkeyhint: "done",
      autocomplete: "off",
      autocorrect: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: String(LONGEST_ANSWER),
      "aria-describedby": this.message.id,
    });
    this.button = buttonSaying(texts.goOn);
    this.input.addEventListener("keydown", (event) => this.keyPressed(event));
    this.input.addEventListener("input", (event) => {
      this.firstKey ??= event.timeStamp;
    });
    this.button.addEventListener("click", (event) => this.pressed(event.timeStamp));
  }

  async ask(): Promise<ProblemAnswer> {
    const { display, timeLimit, isRight } = this.options;
    const stimulus = this.problemLine();
    const page = this.page(stimulus);
    const draw = () => display.replaceChildren(page);
    const showing = await clock.show({ draw, stimulus, whole: [stimulus, this.input] });
    this.input.focus({ preventScroll: true });
    const given = await this.given(timeLimit);
    const onset = await showing.onset({ before: given.time });
    this.outOfView = Number(onset.inView === false);
    if (isRight !== null) await this.giveFeedback(given, isRight);
    return {
      typed: given.typed,
      answer: given.answer,
      ms: Math.max(0, given.time - onset.time),
      first_key_ms: this.firstKey === null ? null : Math.max(0, this.firstKey - onset.time),
      timed_out: given.answer === null,
    };
  }

  private problemLine(): HTMLElement {
    const { a, operator, b } = this.options.problem;
    return element("p", { class: "problem" }, element("label", { for: this.input.id }, `${a} ${operator} ${b} =`));
  }

  private page(problem: HTMLElement): HTMLElement {
    const { where, texts } = this.options;
    return sheet({
      name: "recall-problem",
      content: [
        element("p", { class: "label where" }, where),
        element("p", { class: "prompt" }, texts.problemPrompt),
        element("div", { class: "field number problem-field" }, problem, this.input),
        element("div", { class: "problem-words" }, this.message, this.verdict),
      ],
      actions: [this.button],
    });
  }

  /** Resolves with an answer that can be read, or with none when the time is over. */
  private given(timeLimit: number | null): Promise<Given> {
    return new Promise((resolve) => {
      const timer = timeLimit === null ? null : setTimeout(() => finish(null, performance.now()), timeLimit);
      const finish = (answer: number | null, time: number) => {
        if (timer !== null) clearTimeout(timer);
        this.pressed = () => {};
        this.input.readOnly = true;
        resolve({ typed: this.input.value, answer, time });
      };
      this.pressed = (time) => {
        const answer = answerFrom(this.input.value);
        if (answer === null) this.refuse();
        else finish(answer, time);
      };
    });
  }

  private refuse(): void {
    const { texts } = this.options;
    this.input.setAttribute("aria-invalid", "true");
    // Emptied first, so that the same refusal is read out again.
    this.message.textContent = "";
    this.message.textContent = this.input.value.trim() === "" ? texts.answerEmpty : texts.answerNotWhole;
    this.input.focus();
  }

  private async giveFeedback(given: Given, isRight: (answer: number) => Promise<boolean | null>): Promise<void> {
    const { texts } = this.options;
    this.message.textContent = "";
    this.input.removeAttribute("aria-invalid");
    let verdict = texts.timeOver;
    if (given.answer !== null) {
      const right = await Promise.race([isRight(given.answer), nothingAfter(PATIENCE)]);
      if (right === null) return;
      this.verdict.classList.add(right ? "right" : "wrong");
      verdict = right ? texts.right : texts.wrong;
    }
    this.verdict.textContent = `${verdict} ${texts.pressEnter}`;
    await new Promise<void>((resolve) => {
      this.pressed = () => resolve();
    });
    this.pressed = () => {};
  }

  private keyPressed(event: KeyboardEvent): void {
    // Safari ends a composition before it tells of the Enter that ended it; only the key code still says so.
    const endsComposition = event.isComposing || (event.key === "Enter" && event.keyCode === 229);
    // A key that is still held down from the page before must not answer this one.
    if (endsComposition || event.repeat) {
      if (event.repeat && event.key === "Enter") event.preventDefault();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.pressed(event.timeStamp);
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      this.firstKey ??= event.timeStamp;
    }
  }
}

function nothingAfter(milliseconds: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), milliseconds);
  });
}

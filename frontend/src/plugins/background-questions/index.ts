import { type JsPsychPlugin, ParameterType } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { buttonSaying, element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import type { TrialData } from "../../server/contract";
import { clock, type Onset } from "../../timing/clock";
import { onsetData, type Shown, TimedPlugin, TRIAL_DATA } from "../plugin";
import type { Checks } from "./checks";
import { shownNames } from "./conditions";
import { loadFields, questionField } from "./fields";
import { questionMessagesIn } from "./messages";
import type { Answers, AnswerTime, Question } from "./question";
import type { QuestionField } from "./question-field";
import "./style.css";

const info = {
  name: "background-questions",
  version: "2.0.0",
  parameters: {
    title: { type: ParameterType.STRING, default: "" },
    /** Questions of all kinds; see `question.ts`. */
    questions: { type: ParameterType.COMPLEX, array: true, default: undefined },
    /** How often the questions are asked where check items are not answered as expected. */
    attempts: { type: ParameterType.INT, default: 1 },
    /** What is read again before another attempt: pages of blocks. */
    pages: { type: ParameterType.COMPLEX, array: true, default: [] },
    /** Digests of the expected answers, by the names of their columns. */
    checks: { type: ParameterType.OBJECT, default: {} },
    salt: { type: ParameterType.STRING, default: "" },
    language: { type: ParameterType.STRING, default: "en" },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

interface Attempt {
  readonly answers: Answers;
  readonly times: Record<string, AnswerTime>;
}

interface Asked extends Attempt {
  readonly shown: ReadonlySet<string>;
  readonly onset: Onset;
  readonly submitted: number;
}

/**
 * **background-questions**
 *
 * Questions of all kinds on one page. A question that is shown only after a certain answer comes and goes with it. With
 * several attempts the questions are asked again where a check item is not answered as expected, after the instructions
 * have been read once more. What is declined or left out is recorded as null, what was not shown not at all.
 */
export default class BackgroundQuestions extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  /** Loads the fields of rare kinds, and what several attempts need. */
  static async prepare(params: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    const several = params.some(({ attempts }) => Number(attempts ?? 1) > 1);
    const questions = params.flatMap((trial) => trial.questions as readonly Question[]);
    await Promise.all([loadFields(questions), several ? import("./attempts") : null]);
  }

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const questions = trial.questions as readonly Question[];
    const checks: Checks = { salt: trial.salt ?? "", digests: (trial.checks ?? {}) as Checks["digests"] };
    const attempts = Math.max(1, trial.attempts ?? 1);
    const again = attempts > 1 ? await import("./attempts") : null;
    let onFirstPage = onLoad;
    const onPage = () => {
      onFirstPage?.();
      onFirstPage = undefined;
    };
    const readAgain = () =>
      again?.readAgain(display, trial, (next) => {
        onPage();
        void this.answerIfSimulated(() => next.click());
      });
    // Loading the page again gives no further attempt.
    const earlier: Attempt[] = again?.earlierAttempts<Attempt>(checks.salt) ?? [];
    if (earlier.length > 0) await readAgain();
    let first: Onset | null = null;
    for (;;) {
      const asked = await this.ask(display, trial, onPage);
      first ??= asked.onset;
      const { answers, times } = asked;
      const isLast = earlier.length >= attempts - 1;
      if (again === null || isLast || again.failedChecks(questions, asked.shown, answers, checks).length === 0) {
        again?.keepAttempts(checks.salt, []);
        const payload = earlier.length > 0 ? { answers, times, earlier_attempts: earlier } : { answers, times };
        return { payload, rt_ms: asked.submitted - first.time, ...onsetData(first) };
      }
      earlier.push({ answers, times });
      again.keepAttempts(checks.salt, earlier);
      await readAgain();
    }
  }

  private async ask(display: HTMLElement, trial: Shown<Info>, onPage: () => void): Promise<Asked> {
    const messages = messagesIn(trial.language);
    const texts = questionMessagesIn(trial.language);
    const questions = trial.questions as readonly Question[];
    const fields = questions.map((question, index) =>
      questionField({ question, index, messages, texts, language: trial.language }),
    );
    const next = buttonSaying(messages.next);
    const heading = element("h2", { tabindex: "-1" }, trial.title || messages.questionsHeading);
    const page = sheet({
      name: "questions",
      content: [heading, ...fields.map((field) => field.element)],
      actions: [next],
    });
    // The answers of a page that is left when it is filled in by half would be gone.
    const askBeforeLeaving = (event: Event) => {
      if (page.isConnected) event.preventDefault();
    };
    let shown = update(questions, fields);
    for (const type of ["input", "change"]) {
      page.addEventListener(type, () => {
        shown = update(questions, fields);
        window.addEventListener("beforeunload", askBeforeLeaving);
      });
    }
    const submitted = new Promise<number>((resolve) => {
      const submit = (event: Event) => {
        const faulty = fields.filter((field) => shown.has(field.name) && !field.check());
        if (faulty.length === 0) resolve(event.timeStamp);
        else faulty[0]?.focus();
      };
      next.addEventListener("click", submit);
      page.addEventListener("keydown", (event) => {
        const inField = event.target instanceof HTMLInputElement && event.target.type === "text";
        // Safari has ended the composition when it says by which key.
        const isComposing = event.isComposing || event.keyCode === 229;
        if (event.key !== "Enter" || event.repeat || isComposing || !inField) return;
        event.preventDefault();
        submit(event);
      });
    });
    const showing = await clock.show({ draw: () => display.replaceChildren(page), stimulus: null });
    heading.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    onPage();
    void this.fillIfSimulated(questions, fields, next);
    const time = await submitted;
    next.disabled = true;
    const onset = await showing.onset({ before: time });
    const answered = fields.filter((field) => shown.has(field.name) && field.question.kind !== "information");
    const times = answered.map((field) => [field.name, field.time(onset.time)] as const);
    return {
      answers: Object.fromEntries(answered.map((field) => [field.name, field.value])),
      times: Object.fromEntries(times.filter((entry): entry is [string, AnswerTime] => entry[1] !== null)),
      shown,
      onset,
      submitted: time,
    };
  }

  private async fillIfSimulated(
    questions: readonly Question[],
    fields: readonly QuestionField[],
    next: HTMLButtonElement,
  ): Promise<void> {
    if (!this.simulated) return;
    const { simulatedAnswers } = await import("./simulated");
    await this.answerIfSimulated(() => {
      const answers = simulatedAnswers(questions, this.jsPsych);
      for (const field of fields) if (field.name in answers) field.fill(answers[field.name] ?? null);
      next.click();
    });
  }

  protected override async simulatedData(trial: Shown<Info>) {
    const { simulatedAnswers, simulatedTimes } = await import("./simulated");
    const answers = simulatedAnswers(trial.questions as readonly Question[], this.jsPsych);
    return {
      payload: { answers, times: simulatedTimes(answers) },
      rt_ms: this.jsPsych.randomization.sampleExGaussian(20000, 4000, 1 / 8000, true),
    };
  }
}

/** Shows the questions that the answers so far ask for, hides the others, and returns the names of those shown. */
function update(questions: readonly Question[], fields: readonly QuestionField[]): Set<string> {
  const answers = Object.fromEntries(fields.map((field) => [field.name, field.value]));
  const shown = shownNames(questions, answers);
  for (const field of fields) field.element.hidden = !shown.has(field.name);
  return shown;
}

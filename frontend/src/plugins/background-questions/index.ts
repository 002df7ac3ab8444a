import { type JsPsych, type JsPsychPlugin, ParameterType } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import type { TrialData } from "../../server/contract";
import { clock } from "../clock";
import { onsetData, type Shown, TimedPlugin, TRIAL_DATA } from "../plugin";
import { type Answers, type Question, QuestionField } from "./question-field";

const info = {
  name: "background-questions",
  version: "1.0.0",
  parameters: {
    title: { type: ParameterType.STRING, default: "" },
    /** Questions: name, label, kind, choices, required, help. */
    questions: { type: ParameterType.COMPLEX, array: true, default: undefined },
    language: { type: ParameterType.STRING, default: "en" },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **background-questions**
 *
 * Questions about the participant on one screen. What is not required can be declined, which is recorded as null.
 */
export default class BackgroundQuestions extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const messages = messagesIn(trial.language);
    const questions = trial.questions as readonly Question[];
    const fields = questions.map((question, index) => new QuestionField({ question, index, messages }));
    const next = element("button", { type: "button", class: "primary" }, messages.next);
    const heading = element("h2", { tabindex: "-1" }, trial.title || messages.questionsHeading);
    const page = sheet({
      name: "questions",
      content: [heading, ...fields.map((field) => field.element)],
      actions: element("p", { class: "actions" }, next),
    });
    const submitted = new Promise<number>((resolve) => {
      const submit = (event: Event) => {
        const faulty = fields.filter((field) => !field.check());
        if (faulty.length === 0) resolve(event.timeStamp);
        else faulty[0]?.focus();
      };
      next.addEventListener("click", submit);
      page.addEventListener("keydown", (event) => {
        const inField = event.target instanceof HTMLInputElement && event.target.type === "text";
        if (event.key !== "Enter" || event.repeat || !inField) return;
        event.preventDefault();
        submit(event);
      });
    });
    const showing = await clock.show({ draw: () => display.replaceChildren(page), stimulus: null });
    heading.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    onLoad?.();
    void this.answerIfSimulated(() => {
      const answers = simulatedAnswers(questions, this.jsPsych);
      for (const field of fields) field.fill(answers[field.name] ?? null);
      next.click();
    });
    const time = await submitted;
    next.disabled = true;
    const onset = await showing.onset({ before: time });
    const answers = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    return { payload: { answers }, rt_ms: time - onset.time, ...onsetData(onset) };
  }

  protected override simulatedData(trial: Shown<Info>) {
    return {
      payload: { answers: simulatedAnswers(trial.questions as readonly Question[], this.jsPsych) },
      rt_ms: this.jsPsych.randomization.sampleExGaussian(20000, 4000, 1 / 8000, true),
    };
  }
}

function simulatedAnswers(questions: readonly Question[], jsPsych: JsPsych): Answers {
  const chance = jsPsych.randomization;
  return Object.fromEntries(
    questions.map((question) => {
      if (!question.required && Math.random() < 0.1) return [question.name, null];
      if (question.kind === "choice")
        return [question.name, chance.sampleWithoutReplacement([...(question.choices ?? [])], 1)[0] ?? null];
      return [question.name, question.kind === "number" ? chance.randomInt(18, 70) : "simulated"];
    }),
  );
}

import { type JsPsychPlugin, ParameterType } from "jspsych";
import type { TrialData } from "../../server/contract";
import { clock } from "../../timing/clock";
import { outOfView } from "../../timing/view";
import { Watch } from "../../typing/watch";
import { onsetData, PLACE, type Shown, TimedPlugin, TRIAL_DATA, whereOf } from "../plugin";
import { type ProblemAnswer, ProblemPage } from "./arithmetic";
import { fillScreen } from "./full-screen";
import { type RecallMessages, recallMessagesIn } from "./messages";
import type { Problem, RecallParams } from "./params";
import { Presentation } from "./presentation";
import { type RecallAnswer, RecallBox } from "./recall-box";
import "./style.css";

const info = {
  name: "sentence-recall",
  version: "1.0.0",
  parameters: {
    text: { type: ParameterType.STRING, default: undefined },
    /** How many words the sentence has. */
    words: { type: ParameterType.INT, default: 0 },
    /** "whole" or "word-by-word". */
    presentation: { type: ParameterType.STRING, default: "whole" },
    ms_per_word: { type: ParameterType.INT, default: 500 },
    /** Whole sentences: how long they stay. */
    display_ms: { type: ParameterType.INT, default: undefined },
    /** Word by word: what is shown in turn. */
    segments: { type: ParameterType.STRING, array: true, default: [] },
    fixation_ms: { type: ParameterType.INT, default: 500 },
    blank_ms: { type: ParameterType.INT, default: 500 },
    /** Arithmetic problems in their order: a, operator, b. */
    problems: { type: ParameterType.COMPLEX, array: true, default: [] },
    /** Of each problem; null where there is none. */
    time_limit_ms: { type: ParameterType.INT, default: null },
    /** Whether the page says if an answer was right. */
    feedback: { type: ParameterType.BOOL, default: false },
    keystroke_log: { type: ParameterType.BOOL, default: false },
    full_screen: { type: ParameterType.BOOL, default: false },
    ...PLACE,
    /** Asks the server about an answer. */
    check: { type: ParameterType.FUNCTION, default: () => Promise.resolve(null) },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **sentence-recall**
 *
 * A sentence is shown for its time, whole or word by word. Arithmetic problems follow, then a box in which the sentence is
 * typed from memory. `onset_ms` is the onset of the sentence; `rt_ms` runs from the onset of the box to the submission.
 */
export default class SentenceRecall extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  override async trial(display: HTMLElement, shown: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const trial = shown as unknown as RecallParams;
    const texts = recallMessagesIn(trial.language);
    const watch = new Watch(display);
    window.scrollTo(0, 0);
    onLoad?.();
    const presentation = new Presentation(display, trial);
    await this.untilSentenceIsDue(display, trial, presentation);
    const sentence = await presentation.sentence();
    const problems = await this.askProblems(display, trial, texts);
    const answer = await this.askForRecall(display, trial, { texts, watch });
    watch.stop();
    const records = await sentence.records();
    const displays = records.map(({ onset: _onset, ...display }) => display);
    const hidden = outOfView(records.map(({ onset }) => onset)).length;
    const { recall, first_key_ms, typing_ms, edits, paste_attempts, drop_attempts } = answer;
    const payload = {
      displays,
      arithmetic: problems.answers,
      recall,
      first_key_ms,
      typing_ms,
      edits,
      paste_attempts,
      drop_attempts,
      copy_attempts: watch.copyAttempts,
      focus_losses: watch.focusLosses,
      full_screen_exits: watch.fullScreenExits,
    };
    return {
      payload,
      rt_ms: Math.max(0, answer.submitted - answer.onset.time),
      ...onsetData(records[0]?.onset ?? null, hidden + problems.outOfView + answer.outOfView),
      events: trial.keystroke_log ? answer.log : [],
    };
  }

  /** Shows the fixation cross, in full screen if the study requires it; leaving full screen during the cross restarts it. */
  private async untilSentenceIsDue(display: HTMLElement, trial: RecallParams, presentation: Presentation) {
    const texts = recallMessagesIn(trial.language);
    const wanted = trial.full_screen && !this.simulated;
    for (let again = false; ; again = true) {
      const filled = wanted && (await fillScreen(display, texts, { again: again || hasFilledScreen }));
      hasFilledScreen ||= filled;
      await presentation.fixation();
      if (!filled || document.fullscreenElement !== null) return;
    }
  }

  private async askProblems(
    display: HTMLElement,
    trial: RecallParams,
    texts: RecallMessages,
  ): Promise<{ readonly answers: readonly ProblemAnswer[]; readonly outOfView: number }> {
    const answers: ProblemAnswer[] = [];
    let outOfView = 0;
    for (const [index, problem] of trial.problems.entries()) {
      const isRight = async (answer: number) => rightIn(await trial.check({ problem: index, answer }));
      const page = new ProblemPage({
        display,
        problem,
        where: whereOf(trial),
        texts,
        timeLimit: trial.time_limit_ms,
        isRight: trial.feedback ? isRight : null,
      });
      void this.solveIfSimulated(page, problem);
      answers.push(await page.ask());
      outOfView += page.outOfView;
    }
    return { answers, outOfView };
  }

  private askForRecall(
    display: HTMLElement,
    trial: RecallParams,
    { texts, watch }: { readonly texts: RecallMessages; readonly watch: Watch },
  ): Promise<RecallAnswer> {
    const recallBox = new RecallBox(texts, whereOf(trial));
    watch.tellOfCopies(() => recallBox.sayCopyRefused());
    return recallBox.ask(display, () => void this.recallIfSimulated(recallBox, trial));
  }

  /** Types a result when the page is there, and presses on through the feedback. */
  private async solveIfSimulated(page: ProblemPage, problem: Problem): Promise<void> {
    if (!this.simulated) return;
    const { simulatedResult } = await import("./simulated");
    while (!page.button.isConnected) await clock.nextFrame();
    enter(page.input, String(simulatedResult(problem)));
    while (page.button.isConnected) await this.answerIfSimulated(() => page.button.click());
  }

  private async recallIfSimulated(recallBox: RecallBox, trial: RecallParams): Promise<void> {
    if (!this.simulated) return;
    const { simulatedRecall } = await import("./simulated");
    await this.answerIfSimulated(() => {
      enter(recallBox.box, simulatedRecall(trial) || trial.text);
      recallBox.button.click();
    });
  }

  protected override async simulatedData(trial: Shown<Info>) {
    const { simulatedTrial } = await import("./simulated");
    return simulatedTrial(trial as unknown as RecallParams, this.jsPsych);
  }
}

/** Whether full screen was entered before in this visit; if so, the participant has left it. */
let hasFilledScreen = false;

function rightIn(answer: Readonly<Record<string, unknown>> | null): boolean | null {
  return typeof answer?.correct === "boolean" ? answer.correct : null;
}

/** Puts a text into a field as typing does. */
function enter(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

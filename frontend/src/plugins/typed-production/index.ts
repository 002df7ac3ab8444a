import { type JsPsychPlugin, ParameterType } from "jspsych";
import { mediaOf, prepareMedia } from "../../page/media";
import type { TrialData } from "../../server/contract";
import { Watch } from "../../typing/watch";
import { onsetData, PLACE, type Shown, TimedPlugin, TRIAL_DATA, whereOf } from "../plugin";
import { AnswerPage } from "./answer-page";
import { productionMessagesIn } from "./messages";
import type { ProductionParams } from "./params";
import "./style.css";

const info = {
  name: "typed-production",
  version: "1.0.0",
  parameters: {
    /** "completion", "continuation", "association", "naming", "translation" or "paraphrase". */
    task: { type: ParameterType.STRING, default: "completion" },
    /** What is asked; empty for the sentence that suits the task. */
    prompt: { type: ParameterType.STRING, default: "" },
    /** Null if the picture or the sound has no text. */
    text: { type: ParameterType.STRING, default: null },
    /** The segments before, between and after the gaps. */
    segments: { type: ParameterType.STRING, array: true, default: [] },
    /** Null, or url, width, height and alt of a picture. */
    image: { type: ParameterType.COMPLEX, default: null },
    /** Null, or url, duration and replay of a sound. */
    audio: { type: ParameterType.COMPLEX, default: null },
    /** Null, or url, size and duration of a video. */
    video: { type: ParameterType.COMPLEX, default: null },
    fields: { type: ParameterType.INT, default: 1 },
    one_word: { type: ParameterType.BOOL, default: false },
    /** "characters" or "words". */
    length_unit: { type: ParameterType.STRING, default: "characters" },
    minimum_length: { type: ParameterType.INT, default: 1 },
    /** 0 for none. */
    maximum_length: { type: ParameterType.INT, default: 0 },
    may_be_empty: { type: ParameterType.BOOL, default: true },
    /** Null where there is none. */
    time_limit_ms: { type: ParameterType.INT, default: null },
    keystroke_log: { type: ParameterType.BOOL, default: false },
    ...PLACE,
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **typed-production**
 *
 * Gaps of a text, a cue, a picture, a sound or a sentence are answered by typing into one field or several. `onset_ms` is the onset
 * of text and picture; `rt_ms` runs from there to the submission, or to the end of the time limit.
 */
export default class TypedProduction extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;
  static readonly prepare = prepareMedia;

  override async trial(display: HTMLElement, shown: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const trial = shown as unknown as ProductionParams;
    const media = mediaOf(trial);
    await media.prepare();
    const watch = new Watch(display);
    window.scrollTo(0, 0);
    const page = new AnswerPage(trial, productionMessagesIn(trial.language), whereOf(trial), media);
    watch.tellOfCopies(() => page.sayCopyRefused());
    const given = await page.ask(display, () => {
      onLoad?.();
      void this.typeIfSimulated(page, trial);
    });
    watch.stop();
    const { responses, typing_ms, timed_out, paste_attempts, drop_attempts, onset } = given;
    const payload = {
      responses,
      typing_ms,
      timed_out,
      paste_attempts,
      drop_attempts,
      copy_attempts: watch.copyAttempts,
      focus_losses: watch.focusLosses,
      ...media.payload(onset.time),
    };
    return {
      payload,
      rt_ms: Math.max(0, given.submitted - onset.time),
      ...onsetData(onset, given.outOfView),
      events: trial.keystroke_log ? given.log : [],
    };
  }

  private async typeIfSimulated(page: AnswerPage, trial: ProductionParams): Promise<void> {
    if (!this.simulated) return;
    const { simulatedAnswer } = await import("./simulated");
    await this.answerIfSimulated(() => {
      for (const input of page.inputs) {
        input.value = simulatedAnswer(trial);
        input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }
      page.button.click();
    });
  }

  protected override async simulatedData(trial: Shown<Info>) {
    const { simulatedTrial } = await import("./simulated");
    return simulatedTrial(trial as unknown as ProductionParams, this.jsPsych);
  }
}

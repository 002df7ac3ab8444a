import { type JsPsych, type JsPsychPlugin, ParameterType } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { writeNumber } from "../../languages/number";
import { element } from "../../page/blocks";
import { NumberField, numberPayload, typeNumber } from "../../page/number-field";
import { sheet } from "../../page/sheet";
import type { TrialData } from "../../server/contract";
import { clock } from "../../timing/clock";
import { Seen } from "../../timing/view";
import { onsetData, PLACE, type Shown, TimedPlugin, TRIAL_DATA, whereLine } from "../plugin";

const info = {
  name: "line-length",
  version: "1.0.0",
  parameters: {
    /** Lengths of both lines as shares of the drawing width. */
    reference: { type: ParameterType.FLOAT, default: undefined },
    length: { type: ParameterType.FLOAT, default: undefined },
    reference_number: { type: ParameterType.FLOAT, default: undefined },
    ...PLACE,
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **line-length**
 *
 * A line gets a number in proportion to a reference line and its number: training in, and a check of, estimating ratios.
 */
export default class LineLength extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const messages = messagesIn(trial.language);
    const field = new NumberField({ label: messages.yourNumber, allowZero: false, messages });
    const lines = [line(messages.lineReference, trial.reference), line(messages.lineTarget, trial.length)];
    const page = sheet({
      name: "line-length",
      content: [
        element("h2", {}, messages.lineHeading),
        whereLine(trial),
        element("div", { class: "lines" }, ...lines),
        element(
          "p",
          { class: "prompt" },
          `${messages.lineNumberIs(writeNumber(trial.reference_number, trial.language))} ${messages.linePrompt}`,
        ),
        field.element,
      ],
      actions: [field.button],
    });
    // Element Timing reports texts and images, not lines: the frame clock times these.
    const seen = new Seen(lines);
    const showing = await clock.show({ draw: seen.drawing(() => display.replaceChildren(page)), stimulus: null });
    field.input.focus({ preventScroll: true });
    onLoad?.();
    void this.answerIfSimulated(() => typeNumber(field, String(simulatedNumber(trial, this.jsPsych))));
    const answer = await field.answer;
    const outOfView = seen.end();
    const onset = await showing.onset({ before: answer.submitted });
    return {
      payload: numberPayload(answer, onset.time),
      rt_ms: answer.submitted - onset.time,
      ...onsetData(onset, outOfView),
    };
  }

  protected override simulatedData(trial: Shown<Info>) {
    const number = simulatedNumber(trial, this.jsPsych);
    const rt = this.jsPsych.randomization.sampleExGaussian(3500, 700, 1 / 1500, true);
    const payload = { typed: String(number), number, first_key_ms: 0.7 * rt, edits: 0, refused: [] };
    return { payload, rt_ms: rt };
  }
}

function line(label: string, share: number): HTMLElement {
  const drawn = element("div", { class: "line" });
  drawn.style.inlineSize = `${100 * share}%`;
  return element("div", { class: "line-row", role: "img", "aria-label": label }, drawn);
}

function simulatedNumber(trial: Shown<Info>, jsPsych: JsPsych): number {
  const ratio = (trial.length / trial.reference) * Math.exp(jsPsych.randomization.sampleNormal(0, 0.1));
  return Math.max(0.1, Math.round(trial.reference_number * ratio * 10) / 10);
}

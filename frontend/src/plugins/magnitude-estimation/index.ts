import { type JsPsych, type JsPsychPlugin, ParameterType } from "jspsych";
import { type Messages, messagesIn } from "../../languages/messages";
import { writeNumber } from "../../languages/number";
import { element } from "../../page/blocks";
import { type ImageParam, mediaOf, picture, prepareMedia, simulatedMedia } from "../../page/media";
import { NumberField, numberPayload, typeNumber } from "../../page/number-field";
import { sheet } from "../../page/sheet";
import type { Carried, TrialData } from "../../server/contract";
import { clock } from "../../timing/clock";
import { Seen } from "../../timing/view";
import { Watch } from "../../typing/watch";
import { onsetData, PLACE, type Shown, TimedPlugin, TRIAL_DATA, whereLine } from "../plugin";

const info = {
  name: "magnitude-estimation",
  version: "1.0.0",
  parameters: {
    ...PLACE,
    /** "modulus" asks for the number of the reference sentence, "practice" and "target" for one relative to it. */
    kind: { type: ParameterType.STRING, default: undefined },
    text: { type: ParameterType.STRING, default: undefined },
    modulus_text: { type: ParameterType.STRING, default: "" },
    allow_zero: { type: ParameterType.BOOL, default: false },
    /** Whether copying from the page is refused and counted. */
    refuse_copying: { type: ParameterType.BOOL, default: false },
    /** A picture and a sound with or instead of the text, and the picture of the modulus. */
    image: { type: ParameterType.COMPLEX, default: null },
    audio: { type: ParameterType.COMPLEX, default: null },
    video: { type: ParameterType.COMPLEX, default: null },
    modulus_image: { type: ParameterType.COMPLEX, default: null },
    /** What is asked instead of how acceptable a sentence is. */
    question: { type: ParameterType.STRING, default: "" },
    /** What earlier trials leave for this one: `modulus_number`. */
    carried: { type: ParameterType.OBJECT, default: {} },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **magnitude-estimation**
 *
 * A sentence gets any positive number, in proportion to the number that the reference sentence (the modulus) got. The
 * modulus and its number stay on top. `rt_ms` runs from the onset of the sentence to the submission.
 */
export default class MagnitudeEstimation extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;
  static readonly prepare = prepareMedia;

  /** What an answered trial leaves for later ones. */
  static carried(params: Readonly<Record<string, unknown>>, payload: Readonly<Record<string, unknown>>): Carried {
    return params.kind === "modulus" ? { modulus_number: payload.number } : {};
  }

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const messages = messagesIn(trial.language);
    const field = new NumberField({ label: messages.yourNumber, allowZero: allowsZero(trial), messages });
    const text = element("p", { class: "stimulus" }, trial.text);
    const media = mediaOf(trial);
    await media.prepare();
    const judged = [...media.elements, ...(trial.text || media.elements.length === 0 ? [text] : [])];
    const watch = trial.refuse_copying ? new Watch(display) : null;
    const page = sheet({
      name: watch === null ? "magnitude-estimation" : "magnitude-estimation not-copied",
      content: [
        ...above(trial, messages),
        ...judged,
        element("p", { class: "prompt" }, promptOf(trial, messages)),
        field.element,
      ],
      actions: [field.button],
    });
    const seen = new Seen(judged);
    const showing = await clock.show({
      draw: seen.drawing(media.drawing(() => display.replaceChildren(page))),
      stimulus: media.stimulus(text),
    });
    field.input.focus({ preventScroll: true });
    onLoad?.();
    void this.answerIfSimulated(() => typeNumber(field, String(simulatedNumber(trial, this.jsPsych))));
    const answer = await field.answer;
    const outOfView = seen.end();
    const onset = await showing.onset({ before: answer.submitted });
    const number = { ...numberPayload(answer, onset.time), modulus_number: modulusNumber(trial) };
    watch?.stop();
    const copying = watch === null ? {} : { copy_attempts: watch.copyAttempts };
    const payload = { ...number, ...copying, ...media.payload(onset.time) };
    return { payload, rt_ms: answer.submitted - onset.time, ...onsetData(onset, outOfView) };
  }

  protected override simulatedData(trial: Shown<Info>) {
    const number = simulatedNumber(trial, this.jsPsych);
    const rt = this.jsPsych.randomization.sampleExGaussian(4000, 800, 1 / 2000, true);
    return {
      payload: {
        typed: String(number),
        number,
        first_key_ms: 0.7 * rt,
        edits: 0,
        refused: [],
        modulus_number: modulusNumber(trial),
        ...(trial.refuse_copying ? { copy_attempts: 0 } : {}),
        ...simulatedMedia(trial),
      },
      rt_ms: rt,
    };
  }
}

function above(trial: Shown<Info>, messages: Messages): HTMLElement[] {
  if (trial.kind === "modulus")
    return [element("h2", {}, trial.question ? messages.referenceHeading : messages.modulusHeading)];
  const number = modulusNumber(trial);
  return [
    element(
      "div",
      { class: "modulus" },
      element("p", { class: "label" }, trial.question ? messages.referenceLabel : messages.modulusLabel),
      element(
        "div",
        { class: "modulus-shown" },
        ...(trial.modulus_image ? [picture(trial.modulus_image as ImageParam, "modulus-picture")] : []),
        element("p", { class: "modulus-text" }, trial.modulus_text),
      ),
      element(
        "p",
        { class: "modulus-number" },
        `${messages.yourNumber}: `,
        element("strong", {}, number === null ? "–" : writeNumber(number, trial.language)),
      ),
    ),
    whereLine(trial),
  ];
}

function promptOf(trial: Shown<Info>, messages: Messages): string {
  if (trial.kind === "modulus") return trial.question ? messages.referencePrompt : messages.modulusPrompt;
  return trial.question || messages.targetPrompt;
}

/** The modulus is what others are measured by, so it is never 0. */
function allowsZero(trial: Shown<Info>): boolean {
  return trial.kind !== "modulus" && trial.allow_zero === true;
}

function modulusNumber(trial: Shown<Info>): number | null {
  const number = (trial.carried as Carried | undefined)?.modulus_number;
  return trial.kind !== "modulus" && typeof number === "number" ? number : null;
}

function simulatedNumber(trial: Shown<Info>, jsPsych: JsPsych): number {
  const ratio = Math.exp(jsPsych.randomization.sampleNormal(0, 0.4));
  return Math.max(0.1, Math.round((modulusNumber(trial) ?? 50) * ratio * 10) / 10);
}

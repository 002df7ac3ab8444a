import { type JsPsychPlugin, ParameterType } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import type { TrialData } from "../../server/contract";
import { clock, type Showing } from "../clock";
import { onsetData, type Shown, TimedPlugin, TRIAL_DATA } from "../plugin";
import { selfPacedMessagesIn } from "./messages";
import { askQuestion, type QuestionOutcome, type TextQuestion } from "./question";
import { pressSpace, SpaceBar } from "./space-bar";
import "./style.css";
import { ReadingWindow, type Region, type WindowKind } from "./window";

const info = {
  name: "self-paced-reading",
  version: "1.0.0",
  parameters: {
    /** "practice" or "target". */
    kind: { type: ParameterType.STRING, default: "target" },
    /** Regions in their order: text, words, before. */
    regions: { type: ParameterType.COMPLEX, array: true, default: undefined },
    /** "moving", "cumulative" or "centred". */
    window: { type: ParameterType.STRING, default: "moving" },
    /** Null, or a prompt with its choices in their order. */
    question: { type: ParameterType.COMPLEX, default: null },
    index: { type: ParameterType.INT, default: 1 },
    total: { type: ParameterType.INT, default: 1 },
    language: { type: ParameterType.STRING, default: "en" },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **self-paced-reading**
 *
 * A text is uncovered region by region with the space bar; a question may follow. Presses and onsets are counted from the
 * press that uncovers the first region. `rt_ms` runs from the onset of the first region to the last press, or to the
 * answer where there is a question.
 */
export default class SelfPacedReading extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const texts = selfPacedMessagesIn(trial.language);
    const regions = trial.regions as readonly Region[];
    const question = trial.question as TextQuestion | null;
    const reading = new ReadingWindow(regions, trial.window as WindowKind);
    const message = element("p", { class: "message", role: "alert" });
    const page = this.page(trial, reading, message);
    let touches = 0;
    reading.element.addEventListener("pointerdown", () => {
      touches += 1;
      message.textContent = texts.onlySpace;
    });
    const covered = await clock.show({
      draw: () => {
        display.replaceChildren(page);
        reading.pinAndCover();
      },
      stimulus: null,
    });
    const bar = new SpaceBar(page);
    window.scrollTo(0, 0);
    onLoad?.();
    const { presses, showings } = await this.read(reading, regions.length, bar);
    bar.release();
    const [begun, ended] = [presses[0] as number, presses[presses.length - 1] as number];
    const answer = question === null ? null : await this.answer(display, question, texts.answerWithKeys);
    const shown = await covered.onset({ before: begun });
    const onsets = await Promise.all(
      showings.map((showing, index) => showing.onset({ before: presses[index + 1] as number })),
    );
    const first = onsets[0];
    if (first === undefined) throw new Error("A text without regions cannot be read.");
    return {
      payload: {
        first_key_ms: Math.max(0, begun - shown.time),
        presses: presses.map((time) => time - begun),
        // A frame that was begun just before a press shows what the press asked for.
        onsets: onsets.map((onset, index) => Math.max(onset.time, presses[index] as number) - begun),
        frame_interval_ms: clock.frameInterval,
        touches,
        question: answer === null ? null : { choice: answer.choice, rt_ms: answer.rt_ms },
      },
      rt_ms: (answer?.answered ?? ended) - first.time,
      ...onsetData(first),
    };
  }

  private page(trial: Shown<Info>, reading: ReadingWindow, message: HTMLElement): HTMLElement {
    const messages = messagesIn(trial.language);
    const practice = trial.kind === "practice" ? `${messages.practice} · ` : "";
    return sheet({
      name: "self-paced-reading",
      content: [
        element("p", { class: "label where" }, `${practice}${messages.trialOf(trial.index, trial.total)}`),
        reading.element,
        message,
      ],
      actions: element("p", { class: "actions quiet" }, selfPacedMessagesIn(trial.language).pressSpace),
    });
  }

  private async read(reading: ReadingWindow, count: number, bar: SpaceBar) {
    const press = () => {
      const pressed = bar.next();
      void this.answerIfSimulated(pressSpace);
      return pressed;
    };
    const presses = [await press()];
    const showings: Showing[] = [];
    for (let index = 0; index < count; index += 1) {
      showings.push(await clock.show(reading.uncovering(index)));
      presses.push(await press());
    }
    return { presses, showings };
  }

  private answer(
    display: HTMLElement,
    question: TextQuestion,
    hint: (most: number) => string,
  ): Promise<QuestionOutcome> {
    return askQuestion(display, question, {
      hint: hint(question.choices.length),
      onPage: (choose) =>
        void this.answerIfSimulated(() => choose(this.jsPsych.randomization.randomInt(0, question.choices.length - 1))),
    });
  }

  protected override simulatedData(trial: Shown<Info>) {
    const chance = this.jsPsych.randomization;
    const question = trial.question as TextQuestion | null;
    const presses = [0];
    for (const _region of trial.regions as readonly Region[]) {
      presses.push((presses.at(-1) ?? 0) + chance.sampleExGaussian(320, 60, 1 / 80, true));
    }
    const answer =
      question === null
        ? null
        : {
            choice: chance.randomInt(0, question.choices.length - 1),
            rt_ms: chance.sampleExGaussian(1200, 200, 1 / 300, true),
          };
    return {
      payload: {
        first_key_ms: chance.sampleExGaussian(700, 100, 1 / 200, true),
        presses,
        onsets: presses.slice(0, -1).map((time, index) => Math.min(time + 12, presses[index + 1] ?? time)),
        frame_interval_ms: 1000 / 60,
        touches: 0,
        question: answer,
      },
      rt_ms: (presses.at(-1) ?? 0) + (answer?.rt_ms ?? 0),
    };
  }
}

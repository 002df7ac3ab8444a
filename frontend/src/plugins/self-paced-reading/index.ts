import { type JsPsychPlugin, ParameterType } from "jspsych";
import { element } from "../../page/blocks";
import { prepareLevels } from "../../page/levels";
import { sheet } from "../../page/sheet";
import type { TrialData } from "../../server/contract";
import { clock, type DisplayRecord, type DisplayStep, type Onset, type Showing } from "../../timing/clock";
import { outOfView } from "../../timing/view";
import { Watch } from "../../typing/watch";
import { onsetData, PLACE, type Shown, TimedPlugin, TRIAL_DATA, whereLine } from "../plugin";
import type { ToldBy } from "../question-rules";
import { askQuestion, questionPayload, simulatedQuestion, type TextQuestion } from "../text-question";
import { selfPacedMessagesIn } from "./messages";
import { pressSpace, SpaceBar } from "./space-bar";
import "./style.css";
import { ReadingWindow, type Region, type WindowKind } from "./window";

const info = {
  name: "self-paced-reading",
  version: "1.0.0",
  parameters: {
    /** Regions in their order: text, words, before. */
    regions: { type: ParameterType.COMPLEX, array: true, default: undefined },
    /** "moving", "cumulative" or "centred"; "rsvp": regions come by themselves. */
    window: { type: ParameterType.STRING, default: "moving" },
    /** By itself: how long a region stays, and how long nothing is there before the next. */
    region_ms: { type: ParameterType.INT, default: 300 },
    blank_ms: { type: ParameterType.INT, default: 0 },
    /** Null, or a prompt with its choices in their order. */
    question: { type: ParameterType.COMPLEX, default: null },
    /** Asks the server about an answer. */
    check: { type: ParameterType.FUNCTION, default: () => Promise.resolve(null) },
    ...PLACE,
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **self-paced-reading**
 *
 * A text is uncovered region by region with the space bar; a question may follow. Presses and onsets are counted from the
 * press that uncovers the first region. `rt_ms` runs from the onset of the first region to the last press, or to the
 * answer where there is a question. Where regions come by themselves, a press begins, and displays are counted from the
 * first onset.
 */
export default class SelfPacedReading extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;
  private touches = 0;

  static prepare(params: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    return prepareLevels(params.map(({ regions }) => regions));
  }

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const texts = selfPacedMessagesIn(trial.language);
    const regions = trial.regions as readonly Region[];
    const isRsvp = trial.window === "rsvp";
    const reading = new ReadingWindow(regions, isRsvp ? "centred" : (trial.window as WindowKind));
    const message = element("p", { class: "message", role: "alert" });
    const page = this.page(trial, reading, message);
    this.touches = 0;
    reading.element.addEventListener("pointerdown", () => {
      this.touches += 1;
      message.textContent = texts.onlySpace;
    });
    const covered = await clock.show({
      draw: () => {
        display.replaceChildren(page);
        window.scrollTo(0, 0);
        reading.pinAndCover();
      },
      stimulus: null,
    });
    const bar = new SpaceBar(page);
    const watch = new Watch(page);
    onLoad?.();
    if (isRsvp) return this.byItself(display, trial, { reading, bar, watch, covered });
    const { presses, showings, early, scrolled } = await this.read(reading, regions.length, { bar, covered });
    bar.release();
    watch.stop();
    const begun = presses[0] as number;
    const answer = await this.answer(display, trial, texts.answerWithKeys);
    const shown = await covered.onset({ before: begun });
    const onsets = await Promise.all(
      showings.map((showing, index) => showing.onset({ before: presses[index + 1] as number })),
    );
    const first = onsets[0] as Onset;
    return {
      payload: {
        first_key_ms: Math.max(0, begun - shown.time),
        presses: presses.map((time) => time - begun),
        // A frame that was begun just before a press shows what the press asked for.
        onsets: onsets.map((onset, index) => Math.max(onset.time, presses[index] as number) - begun),
        early,
        frame_interval_ms: clock.frameInterval,
        touches: this.touches,
        question: questionPayload(answer),
        copy_attempts: watch.copyAttempts,
        out_of_view: outOfView(onsets),
        brought_into_view: scrolled,
      },
      rt_ms: (answer?.answered ?? (presses.at(-1) as number)) - first.time,
      ...onsetData(first, outOfView(onsets).length + (answer?.outOfView ?? 0)),
    };
  }

  private page(trial: Shown<Info>, reading: ReadingWindow, message: HTMLElement): HTMLElement {
    return sheet({
      name: "self-paced-reading",
      content: [whereLine(trial), reading.element, message],
      actions: selfPacedMessagesIn(trial.language)[trial.window === "rsvp" ? "pressSpaceOnce" : "pressSpace"],
    });
  }

  /** Shows the regions one after the other, each for its time, after one press. */
  private async byItself(
    display: HTMLElement,
    trial: Shown<Info>,
    on: { reading: ReadingWindow; bar: SpaceBar; watch: Watch; covered: Showing },
  ): Promise<TrialData> {
    const pressed = on.bar.answerTo(on.covered);
    void this.answerIfSimulated(pressSpace);
    const { press, early } = await pressed;
    const begun = press.time;
    on.bar.release();
    const regions = trial.regions as readonly Region[];
    const steps = regions.flatMap((_region, index): DisplayStep[] => [
      { ...on.reading.uncovering(index), duration: trial.region_ms },
      ...(trial.blank_ms > 0 ? [{ ...on.reading.blank(), duration: trial.blank_ms }] : []),
    ]);
    const last = on.reading.blank();
    const shown = await clock.displaySequence({ steps, clear: last.draw, mark: last.stimulus });
    on.watch.stop();
    const records = await shown.records();
    const displays = records.filter((_record, index) => trial.blank_ms === 0 || index % 2 === 0);
    const answer = await this.answer(display, trial, selfPacedMessagesIn(trial.language).answerWithKeys);
    const covered = await on.covered.onset({ before: begun });
    const first = displays[0] as DisplayRecord;
    const zero = first.shown_ms;
    const onsets = displays.map(({ onset }) => onset);
    const inOrder = displaysInOrder(displays);
    return {
      payload: {
        first_key_ms: Math.max(0, begun - covered.time),
        displays: inOrder,
        early: [early],
        frame_interval_ms: clock.frameInterval,
        touches: this.touches,
        question: questionPayload(answer),
        copy_attempts: on.watch.copyAttempts,
        out_of_view: outOfView(onsets),
      },
      rt_ms: answer === null ? (inOrder.at(-1)?.gone_ms ?? 0) : answer.answered - zero,
      ...onsetData(first.onset, outOfView(onsets).length + (answer?.outOfView ?? 0)),
    };
  }

  private async read(reading: ReadingWindow, count: number, on: { bar: SpaceBar; covered: Showing }) {
    const presses: number[] = [];
    const early: number[] = [];
    const pressAt = async (shown: Showing) => {
      const pressed = on.bar.answerTo(shown);
      void this.answerIfSimulated(pressSpace);
      const answered = await pressed;
      presses.push(answered.press.time);
      early.push(answered.early);
    };
    await pressAt(on.covered);
    const showings: Showing[] = [];
    const scrolled: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const uncovering = reading.uncovering(index);
      const showing = await clock.show(uncovering);
      showings.push(showing);
      if (uncovering.hasScrolled()) scrolled.push(index + 1);
      await pressAt(showing);
    }
    return { presses, showings, early, scrolled };
  }

  private answer(display: HTMLElement, trial: Shown<Info>, hint: (most: number) => string) {
    const simulate = (answer: () => void) => void this.answerIfSimulated(answer);
    const { language, check } = trial as ToldBy;
    const by = { name: "self-paced-question", hint, simulate, language, check } as const;
    return askQuestion(display, trial.question as TextQuestion | null, by);
  }

  protected override simulatedData(trial: Shown<Info>) {
    const chance = this.jsPsych.randomization;
    const presses = [0];
    const regions = trial.regions as readonly Region[];
    let now = 0;
    for (const _region of regions) {
      now += chance.sampleExGaussian(320, 60, 1 / 80, true);
      presses.push(now);
    }
    const question = simulatedQuestion(trial.question as TextQuestion | null, chance);
    const isRsvp = trial.window === "rsvp";
    const one = trial.region_ms + trial.blank_ms;
    const displays = regions.map((_region, index) => ({
      shown_ms: index * one,
      gone_ms: index * one + trial.region_ms,
      dropped_frames: 0,
      doubtful: false,
    }));
    // Nobody presses twice within a frame.
    const onsets = presses.slice(0, -1).map((time) => time + 12);
    return {
      payload: {
        first_key_ms: chance.sampleExGaussian(700, 100, 1 / 200, true),
        ...(isRsvp ? { displays } : { presses, onsets }),
        frame_interval_ms: 1000 / 60,
        touches: 0,
        question,
      },
      rt_ms: (isRsvp ? regions.length * one : now) + (question?.rt_ms ?? 0),
    };
  }
}

/**
 * What is sent of regions that came by themselves, counted from the onset of the first. One that was reported late, before one
 * that was not reported, seems to come after it: then the later one is put off, and doubtful.
 */
export function displaysInOrder(
  records: readonly Pick<DisplayRecord, "shown_ms" | "gone_ms" | "dropped_frames" | "doubtful">[],
) {
  const zero = records[0]?.shown_ms ?? 0;
  let before = zero;
  return records.map((record) => {
    const shown = Math.max(before, record.shown_ms);
    const gone = Math.max(shown, record.gone_ms);
    before = shown;
    return {
      shown_ms: shown - zero,
      gone_ms: gone - zero,
      dropped_frames: record.dropped_frames,
      doubtful: record.doubtful || shown > record.shown_ms || gone > record.gone_ms,
    };
  });
}

import { type JsPsychPlugin, ParameterType } from "jspsych";
import { element, textSpan } from "../../page/blocks";
import { goesOn, sheet } from "../../page/sheet";
import type { TrialData } from "../../server/contract";
import { clock, type Showing } from "../../timing/clock";
import { outOfView } from "../../timing/view";
import { onsetData, PLACE, type Shown, TimedPlugin, TRIAL_DATA, whereLine } from "../plugin";
import { askQuestion, questionPayload, type TextQuestion } from "../text-question";
import { type Choice, Choosing, type Keys, pressKey, type Side } from "./choosing";
import { type MazeMessages, mazeMessagesIn } from "./messages";
import { PairOfWords } from "./pair";
import { simulatedMaze } from "./simulated";
import "./style.css";

const info = {
  name: "maze",
  version: "1.0.0",
  parameters: {
    /** Words or regions in their order: text, words, before. */
    regions: { type: ParameterType.COMPLEX, array: true, default: undefined },
    /** The distractor of each word. */
    distractors: { type: ParameterType.STRING, array: true, default: undefined },
    /** The side of each word: "left" or "right". The page must know it, as a wrong choice has an effect at once. */
    sides: { type: ParameterType.STRING, array: true, default: undefined },
    /** "end": a wrong choice ends the text. "redo": the pair is chosen from again. */
    after_error: { type: ParameterType.STRING, default: "end" },
    delay_ms: { type: ParameterType.INT, default: 1000 },
    /** Shown after a wrong choice; empty for the text of the language. */
    message: { type: ParameterType.STRING, default: "" },
    keys: { type: ParameterType.COMPLEX, default: { left: "e", right: "i" } },
    buttons: { type: ParameterType.BOOL, default: true },
    /** Null, or a prompt with its choices in their order. */
    question: { type: ParameterType.COMPLEX, default: null },
    ...PLACE,
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

const SHARE_RIGHT = 0.96;

interface ChosenPair {
  readonly showing: Showing;
  readonly tries: readonly Choice[];
  readonly isRight: boolean;
  readonly early: number;
}

/**
 * **maze**
 *
 * A text is read by choosing its words: each stands beside a distractor, on the left or on the right. A wrong choice ends
 * the text, or the pair is chosen from again. A question may follow a text that was read to its end. Times are counted
 * from the onset of the first pair; `rt_ms` runs from there to the last choice, or to the answer.
 */
export default class Maze extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const texts = mazeMessagesIn(trial.language);
    const keys = trial.keys as Keys;
    const pair = new PairOfWords({ label: texts.wordsToChoose, isTouched: trial.buttons, keys });
    const message = element("p", { class: "message maze-message", role: "alert" });
    const page = this.page(trial, pair, message, texts);
    const choosing = new Choosing(page, keys, trial.buttons ? pair.places : null);
    if (!trial.buttons) {
      pair.element.addEventListener("pointerdown", () => {
        message.textContent = texts.onlyKeys(keys.left.toUpperCase(), keys.right.toUpperCase());
      });
    }
    display.replaceChildren(page);
    window.scrollTo(0, 0);
    onLoad?.();
    const pairs = await this.read(trial, { page, pair, choosing, message, texts });
    choosing.release();
    const last = pairs[pairs.length - 1] as ChosenPair;
    const ended = (last.tries[last.tries.length - 1] as Choice).time;
    const messageMs = last.isRight ? null : (await this.endedByError(display, trial, texts)) - ended;
    const question = last.isRight ? (trial.question as TextQuestion | null) : null;
    const answer = await this.answer(display, question, texts.answerWithKeys);
    const onsets = await Promise.all(
      pairs.map(({ showing, tries }) => showing.onset({ before: (tries[0] as Choice).time })),
    );
    const first = onsets[0];
    if (first === undefined) throw new Error("A text without words cannot be read.");
    let before = first.time;
    return {
      payload: {
        pairs: pairs.map(({ tries, early }, index) => {
          // A frame that was begun just before a choice shows what the choice asked for.
          const onset = Math.max(onsets[index]?.time ?? before, before);
          before = (tries[tries.length - 1] as Choice).time;
          return {
            onset_ms: onset - first.time,
            tries: tries.map(({ time, side, input }) => ({ ms: time - first.time, side, input })),
            early,
          };
        }),
        frame_interval_ms: clock.frameInterval,
        message_ms: messageMs,
        question: questionPayload(answer),
        out_of_view: outOfView(onsets),
      },
      rt_ms: (answer?.answered ?? ended) - first.time,
      ...onsetData(first, outOfView(onsets).length + (answer?.outOfView ?? 0)),
    };
  }

  private page(trial: Shown<Info>, pair: PairOfWords, message: HTMLElement, texts: MazeMessages): HTMLElement {
    const hint = trial.buttons ? texts.chooseByTouch : texts.chooseByKeys;
    const { left, right } = trial.keys as Keys;
    return sheet({
      name: "maze",
      content: [whereLine(trial), pair.element, message],
      actions: [
        textSpan(hint(left.toUpperCase(), right.toUpperCase()), { class: trial.buttons ? "keys" : "" }),
        ...(trial.buttons ? [textSpan(texts.touchTheWord, { class: "without-keys" })] : []),
      ],
    });
  }

  private async read(
    trial: Shown<Info>,
    on: { page: HTMLElement; pair: PairOfWords; choosing: Choosing; message: HTMLElement; texts: MazeMessages },
  ): Promise<ChosenPair[]> {
    const regions = trial.regions as readonly { readonly text: string }[];
    const pairs: ChosenPair[] = [];
    for (const [index, region] of regions.entries()) {
      const side = trial.sides[index] as Side;
      const beside = trial.distractors[index] ?? "";
      const shown = side === "left" ? { left: region.text, right: beside } : { left: beside, right: region.text };
      const showing = await clock.show(on.pair.showing(shown));
      const made = [await this.choice(on.choosing, showing, trial.keys as Keys, side)];
      while (trial.after_error === "redo" && made[made.length - 1]?.choice.side !== side) {
        const again = await this.askAgain(trial, on);
        made.push(await this.choice(on.choosing, again, trial.keys as Keys, side));
      }
      const tries = made.map(({ choice }) => choice);
      on.message.textContent = "";
      const isRight = tries[tries.length - 1]?.side === side;
      pairs.push({ showing, tries, isRight, early: made.reduce((sum, { early }) => sum + early, 0) });
      if (!isRight) break;
    }
    return pairs;
  }

  /** Says that a choice was wrong, and waits until another one may be made. */
  private async askAgain(
    trial: Shown<Info>,
    on: { page: HTMLElement; choosing: Choosing; message: HTMLElement; texts: MazeMessages },
  ): Promise<Showing> {
    const draw = () => {
      on.message.textContent = trial.message || on.texts.tryAgain;
    };
    const said = await clock.show({ draw, stimulus: null });
    if (trial.delay_ms > 0) {
      await this.pause(on.page, trial.delay_ms);
      on.choosing.forget();
    }
    return said;
  }

  private choice(choosing: Choosing, shown: Showing, keys: Keys, right: Side) {
    const chosen = choosing.from(shown);
    void this.answerIfSimulated(() => {
      const isRight = this.jsPsych.randomization.sampleBernoulli(SHARE_RIGHT) === 1;
      pressKey(keys[isRight ? right : right === "left" ? "right" : "left"]);
    });
    return chosen;
  }

  /** Waits on the frames of the screen; a page that was left waits no longer. */
  private async pause(page: HTMLElement, milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    page.dataset.waiting = "";
    while (performance.now() < end && page.isConnected) await clock.nextFrame();
    delete page.dataset.waiting;
  }

  /** Says that the text has ended; resolves with the time at which the participant went on. */
  private async endedByError(display: HTMLElement, trial: Shown<Info>, texts: MazeMessages): Promise<number> {
    const button = element("button", { type: "button", class: "primary", disabled: true }, texts.nextText);
    const page = sheet({
      name: "maze-ended",
      content: [
        whereLine(trial),
        element("p", { class: "maze-ended-message", role: "alert" }, trial.message || texts.endedByError),
      ],
      actions: [button],
    });
    display.replaceChildren(page);
    await this.pause(page, trial.delay_ms);
    button.disabled = false;
    button.focus({ preventScroll: true });
    const gone = goesOn(button);
    void this.answerIfSimulated(() => button.click());
    return gone;
  }

  private answer(display: HTMLElement, question: TextQuestion | null, hint: (most: number) => string) {
    const simulate = (answer: () => void) => void this.answerIfSimulated(answer);
    return askQuestion(display, question, { name: "maze-question", hint, simulate });
  }

  protected override simulatedData(trial: Shown<Info>) {
    return simulatedMaze(this.jsPsych.randomization, {
      sides: trial.sides as readonly Side[],
      isRedone: trial.after_error === "redo",
      delay_ms: trial.delay_ms,
      question: trial.question as TextQuestion | null,
      shareRight: SHARE_RIGHT,
    });
  }
}

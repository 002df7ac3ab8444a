import { type JsPsychPlugin, ParameterType } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { buttonSaying, element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import { presses } from "../../presses/guard";
import type { TrialData } from "../../server/contract";
import { clock, type Showing } from "../../timing/clock";
import { Seen } from "../../timing/view";
import { typedBy } from "../../typing/typed-by";
import { onsetData, PLACE, type Shown, TimedPlugin, TRIAL_DATA, whereLine } from "../plugin";
import { type Answering, answeringFor, BEST, BETWEEN, type Task, WORST } from "./answering";
import { Cards } from "./cards";
import { messagesFor, soundMessagesIn } from "./messages";
import { isOfPictures, type Option } from "./options";
import "./style.css";

const info = {
  name: "comparison",
  version: "1.0.0",
  parameters: {
    /** "pair", "best-worst" or "ranking". */
    task: { type: ParameterType.STRING, default: "pair" },
    /** The texts in their places: { text, image, audio }, some of which may be missing. */
    options: { type: ParameterType.COMPLEX, array: true, default: undefined },
    /** The question above the texts; empty for the default question of the task. */
    question: { type: ParameterType.STRING, default: "" },
    /** What the texts were made from; may be empty. */
    context: { type: ParameterType.STRING, default: "" },
    /** Whether two texts may be called equal. */
    no_difference: { type: ParameterType.BOOL, default: false },
    ...PLACE,
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **comparison**
 *
 * Texts, pictures or sounds beside each other (below each other where the window is narrow), judged by buttons or digits: the better of two, the
 * best and the worst, or an order. Ranks are recorded by places, 1 for the best. `rt_ms` runs from the onset of the texts
 * to the confirmation, `answer_ms` to the last change of the answer.
 */
export default class Comparison extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  /** Loads what is said of pictures and sounds. */
  static async prepare(params: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    const shown = params.map(({ options }) => options as readonly Option[]);
    if (!shown.some((options) => isOfPictures(options) || hasSounds(options))) return;
    const { speakSeldom } = await import("../../languages/seldom");
    await speakSeldom();
  }

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const task = trial.task as Task;
    const options = trial.options as readonly Option[];
    const noDifference = trial.no_difference && task === "pair";
    const answering = answeringFor(task, options.length, noDifference);
    const texts = messagesFor(options, trial.language);
    const sounds = await soundsOf(options, texts.textNamed, trial.language);
    const cards = new Cards(options, answering, texts, noDifference, sounds?.buttons);
    const button = buttonSaying(messagesIn(trial.language).submit);
    const message = element("p", { class: "message", role: "alert" });
    const refused = presses.counting();
    const seen = new Seen(cards.articles);
    const showing = await clock.show({
      draw: seen.drawing(() => display.replaceChildren(this.page(trial, cards, message, button))),
      stimulus: cards.shown[0] ?? null,
    });
    const layout = cards.layout;
    const isComplete = () => {
      const unheard = sounds?.unheard ?? null;
      if (unheard !== null) {
        message.textContent = soundMessagesIn(trial.language).notHeard;
        unheard.focus();
      } else if (answering.ranks === null) message.textContent = texts.incomplete[task];
      else return true;
      return false;
    };
    const confirmed = this.confirmed(showing, { answering, cards, button, isComplete });
    display.querySelector<HTMLElement>("#comparison-question")?.focus({ preventScroll: true });
    onLoad?.();
    void this.answerIfSimulated(() => {
      for (const player of sounds?.buttons ?? []) player?.click();
      answering.fill(this.simulatedRanks(trial), performance.now());
      cards.update();
      button.click();
    });
    const { time, early } = await confirmed;
    const outOfView = seen.end();
    button.disabled = true;
    sounds?.end();
    const onset = await showing.onset({ before: answering.changedAt ?? time });
    return {
      payload: {
        ranks: answering.ranks ?? [],
        answer_ms: Math.max(0, (answering.changedAt ?? time) - onset.time),
        changes: answering.changes,
        layout,
        early: early + refused(),
        ...(sounds === null ? {} : { plays: sounds.plays }),
      },
      rt_ms: Math.max(0, time - onset.time),
      ...onsetData(onset, outOfView),
    };
  }

  private page(trial: Shown<Info>, cards: Cards, message: HTMLElement, button: HTMLElement): HTMLElement {
    const texts = messagesFor(trial.options as readonly Option[], trial.language);
    const task = trial.task as Task;
    const keys = [texts.keys[task], ...(cards.noDifference === null ? [] : [texts.keyOfNoDifference])].join(" ");
    return sheet({
      name: "comparison",
      content: [
        whereLine(trial),
        ...(trial.context ? [element("p", { class: "rating-context" }, trial.context)] : []),
        element("p", { id: "comparison-question", tabindex: "-1" }, trial.question || texts.questions[task]),
        element("div", { role: "group", "aria-labelledby": "comparison-question" }, cards.element),
        ...(cards.noDifference === null ? [] : [element("p", { class: "choose-row" }, cards.noDifference)]),
        message,
        element("p", { class: "quiet keys" }, keys),
      ],
      actions: [button],
    });
  }

  /** Resolves with the time stamp of the confirmation of a complete answer, and with how many keys came before the onset. */
  private confirmed(
    showing: Showing,
    on: {
      readonly answering: Answering;
      readonly cards: Cards;
      readonly button: HTMLButtonElement;
      readonly isComplete: () => boolean;
    },
  ): Promise<{ readonly time: number; readonly early: number }> {
    const { answering, cards, button, isComplete } = on;
    let early = 0;
    return new Promise((resolve) => {
      const confirm = (time: number) => {
        if (!isComplete()) return;
        document.removeEventListener("keydown", pressed);
        resolve({ time, early });
      };
      const pressed = (event: KeyboardEvent) => {
        if (!button.isConnected) {
          document.removeEventListener("keydown", pressed);
          return;
        }
        if (event.defaultPrevented || event.repeat || event.isComposing) return;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (showing.isPrecededBy(event.timeStamp)) {
          early += 1;
          event.preventDefault();
          return;
        }
        if (event.key === "Enter") {
          // On a button, Enter is a click already.
          if (event.target instanceof Element && event.target.closest("button, a") !== null) return;
          event.preventDefault();
          confirm(event.timeStamp);
        } else if (answerByKey(answering, event)) {
          event.preventDefault();
          cards.update();
        }
      };
      document.addEventListener("keydown", pressed);
      button.addEventListener("click", (event) => confirm(event.timeStamp));
    });
  }

  private simulatedRanks(trial: Shown<Info>): number[] {
    const chance = this.jsPsych.randomization;
    const places = (trial.options as readonly Option[]).map((_, place) => place);
    const order = chance.shuffle(places) as number[];
    if (trial.task === "best-worst") {
      return places.map((place) => (place === order[0] ? BEST : place === order.at(-1) ? WORST : BETWEEN));
    }
    if (trial.task === "pair" && trial.no_difference && Math.random() < 0.2) return places.map(() => BEST);
    return places.map((place) => order.indexOf(place) + 1);
  }

  protected override simulatedData(trial: Shown<Info>) {
    const answer_ms = this.jsPsych.randomization.sampleExGaussian(4000, 800, 1 / 1500, true);
    const options = trial.options as readonly Option[];
    const heard = hasSounds(options) ? { plays: options.map(({ audio }) => (audio ? 1 : 0)) } : {};
    return {
      payload: { ranks: this.simulatedRanks(trial), answer_ms, changes: 0, layout: "beside", ...heard },
      rt_ms: answer_ms + 400,
    };
  }
}

function hasSounds(options: readonly Option[]): boolean {
  return options.some(({ audio }) => audio);
}

/** The sounds of a trial with their buttons; null where it has none. */
async function soundsOf(options: readonly Option[], textNamed: (number: number) => string, language: string) {
  if (!hasSounds(options)) return null;
  const { ComparedSounds } = await import("./sounds");
  const sounds = options.map(({ audio }) => audio ?? null);
  return ComparedSounds.of(sounds, { play: soundMessagesIn(language).play, textNamed });
}

/** Answers by a key that was pressed anywhere on the page; false where it means nothing here. */
function answerByKey(answering: Answering, event: KeyboardEvent): boolean {
  const typed = typedBy(event);
  if (typed === "0") {
    answering.sayNoDifference(event.timeStamp);
    return true;
  }
  if (event.key === "Backspace") {
    answering.takeBack(event.timeStamp);
    return true;
  }
  const place = /^[1-9]$/.test(typed) ? Number(typed) - 1 : answering.places;
  if (place >= answering.places) return false;
  answering.sayNext(place, event.timeStamp);
  return true;
}

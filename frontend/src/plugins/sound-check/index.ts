import { type JsPsychPlugin, ParameterType } from "jspsych";
import { type PlayedSound, play, tones, unlock } from "../../media/playing";
import { buttonSaying, element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import type { TrialData } from "../../server/contract";
import { clock } from "../../timing/clock";
import { endOf } from "../end-of-sound";
import { onsetData, type Shown, TimedPlugin, TRIAL_DATA } from "../plugin";
import { type SoundCheckMessages, soundCheckMessagesIn } from "./messages";

const info = {
  name: "sound-check",
  version: "1.0.0",
  parameters: {
    /** How many tones there are in each round; the next round comes after a wrong answer. */
    tones: { type: ParameterType.INT, array: true, default: undefined },
    language: { type: ParameterType.STRING, default: "en" },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

const MOST_TONES = 6;
/** After this many consecutive failures to play, the question is asked anyway: "none" is a valid answer. */
const VAIN_PLAYS = 2;

/**
 * **sound-check**
 *
 * Tones to be counted: who counts them rightly has heard them. Pressing the button that plays them also lets the browser play
 * everything that follows. Where the browser plays nothing, the question comes after two vain presses.
 */
export default class SoundCheck extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;
  private showQuestion: () => void = () => {};

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const texts = soundCheckMessagesIn(trial.language);
    const rounds = trial.tones as readonly number[];
    const button = buttonSaying(texts.checkPlay);
    const message = element("p", { class: "message", role: "alert" });
    const question = element("div", { class: "sound-question" });
    const heading = element("h2", { tabindex: "-1" }, texts.checkHeading);
    const page = sheet({
      name: "sound-check",
      content: [heading, element("p", {}, texts.checkText), message, question],
      actions: [button],
    });
    const showing = await clock.show({ draw: () => display.replaceChildren(page), stimulus: heading });
    heading.focus({ preventScroll: true });
    onLoad?.();
    const heard: number[] = [];
    let plays = 0;
    let inVain = 0;
    let answered = 0;
    button.addEventListener("click", async () => {
      button.disabled = true;
      const count = rounds[heard.length] ?? 0;
      const sound = await this.played(count);
      if (sound === null && !this.simulated) {
        inVain += 1;
        message.textContent = texts.checkNotPlayed;
        if (inVain >= VAIN_PLAYS) this.showQuestion();
        button.disabled = false;
        return;
      }
      inVain = 0;
      plays += 1;
      message.textContent = "";
      this.showQuestion();
      if (sound !== null) await endOf(sound);
      button.disabled = false;
    });
    for (const count of rounds) {
      const answer = this.ask(question, texts);
      void this.answerIfSimulated(() => {
        button.click();
        this.showQuestion();
        question.querySelector<HTMLButtonElement>(`[data-count="${count}"]`)?.click();
      });
      const { number, time } = await answer;
      heard.push(number);
      answered = time;
      if (number === count) break;
      message.textContent = texts.checkWrong;
      question.replaceChildren();
      button.focus();
    }
    const onset = await showing.onset({ before: answered });
    const passed = heard.at(-1) === rounds[heard.length - 1];
    return { payload: { heard, plays, passed }, rt_ms: answered - onset.time, ...onsetData(onset) };
  }

  protected override simulatedData(trial: Shown<Info>) {
    const [first] = trial.tones as readonly number[];
    return { payload: { heard: [first ?? 0], plays: 1, passed: true }, rt_ms: 6_000 };
  }

  /** Plays the tones; null where the browser plays none. */
  private async played(count: number): Promise<PlayedSound | null> {
    try {
      return (await unlock()) ? play(tones(count)) : null;
    } catch {
      // A browser without sound, or one that takes it away.
      return null;
    }
  }

  /** Shows the question once the tones were played, and resolves with the number that was chosen. */
  private ask(question: HTMLElement, texts: SoundCheckMessages) {
    return new Promise<{ number: number; time: number }>((resolve) => {
      this.showQuestion = () => {
        const choices = Array.from({ length: MOST_TONES + 1 }, (_none, number) => {
          const label = number === 0 ? texts.checkNone : String(number);
          const choice = element("button", { type: "button", class: "plain", "data-count": String(number) }, label);
          choice.addEventListener("click", (event) => resolve({ number, time: event.timeStamp }));
          return choice;
        });
        question.replaceChildren(
          element("p", { class: "prompt", id: "sound-question" }, texts.checkQuestion),
          element(
            "div",
            { class: "sound-choices", role: "group", "aria-labelledby": "sound-question" },
            ...choices.slice(1),
            ...choices.slice(0, 1),
          ),
        );
      };
    });
  }
}

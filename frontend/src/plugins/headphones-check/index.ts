import { type JsPsychPlugin, ParameterType } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { play, soundContext, unlock } from "../../media/playing";
import { buttonSaying, element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import type { TrialData } from "../../server/contract";
import { clock } from "../../timing/clock";
import { endOf } from "../end-of-sound";
import { onsetData, type Shown, TimedPlugin, TRIAL_DATA } from "../plugin";
import { soundCheckMessagesIn } from "../sound-check/messages";
import { type HeadphonesMessages, headphonesMessagesIn } from "./messages";
import { sidesOf, type Tone } from "./tones";

const info = {
  name: "headphones-check",
  version: "1.0.0",
  parameters: {
    /** The orders of the three tones, for each round; the second round comes after too many wrong answers. */
    rounds: { type: ParameterType.COMPLEX, array: true, default: undefined },
    /** How many answers of a round have to be right. */
    needed: { type: ParameterType.INT, default: 5 },
    language: { type: ParameterType.STRING, default: "en" },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;
type Orders = readonly (readonly Tone[])[];

/** What the tones need of the page. */
interface Page {
  readonly button: HTMLButtonElement;
  /** Goes on without sound. */
  readonly without: HTMLButtonElement;
  readonly message: HTMLElement;
  readonly notPlayed: string;
}

/** After this many consecutive failures to play, participants may continue without sound. */
const VAIN_PLAYS = 2;

/**
 * **headphones-check**
 *
 * Which of three tones is the quietest? Through loudspeakers another one seems so (`tones.ts`). Whoever is wrong too often is
 * asked to put on headphones and tries once more. `chosen` has the places that were chosen, from 0, round by round. Where the
 * browser plays nothing, a button goes on without sound: then `chosen` is empty and `unplayed` true.
 */
export default class HeadphonesCheck extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  /** Loads the texts. */
  static async prepare(): Promise<void> {
    const { speakSeldom } = await import("../../languages/seldom");
    await speakSeldom();
  }

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const texts = headphonesMessagesIn(trial.language);
    const heading = element("h2", { tabindex: "-1" }, texts.heading);
    const where = element("p", { class: "label where" });
    const hint = element("p", {}, texts.text);
    const message = element("p", { class: "message", role: "alert" });
    const question = element("div", { class: "sound-question" });
    const button = buttonSaying(texts.play);
    const without = element("button", { type: "button", class: "plain", hidden: "" }, texts.withoutSound);
    const page = sheet({
      name: "sound-check",
      content: [where, heading, hint, message, question],
      actions: [button, without],
    });
    const rounds = trial.rounds as readonly Orders[];
    const notPlayed = soundCheckMessagesIn(trial.language).checkNotPlayed;
    const chosen: number[][] = [];
    where.textContent = messagesIn(trial.language).trialOf(1, rounds[0]?.length ?? 0);
    const showing = await clock.show({ draw: () => display.replaceChildren(page), stimulus: heading });
    heading.focus({ preventScroll: true });
    onLoad?.();
    let answered = 0;
    for (const orders of rounds) {
      const given: number[] = [];
      chosen.push(given);
      for (const order of orders) {
        where.textContent = messagesIn(trial.language).trialOf(given.length + 1, orders.length);
        const gaveUp = await this.played(order, { button, without, message, notPlayed });
        if (gaveUp !== null) {
          const onset = await showing.onset({ before: gaveUp });
          return { payload: { chosen: [], unplayed: true }, rt_ms: gaveUp - onset.time, ...onsetData(onset) };
        }
        const answer = await this.ask(question, texts, order);
        given.push(answer.place);
        answered = answer.time;
        question.replaceChildren();
        // A button that is disabled takes no focus.
        button.disabled = false;
        button.focus();
      }
      if (rightIn(orders, given) >= trial.needed) break;
      if (chosen.length < rounds.length) message.textContent = texts.again;
    }
    const onset = await showing.onset({ before: answered });
    return { payload: { chosen }, rt_ms: answered - onset.time, ...onsetData(onset) };
  }

  protected override simulatedData(trial: Shown<Info>) {
    const [orders = []] = trial.rounds as readonly Orders[];
    return { payload: { chosen: [orders.map((order) => order.indexOf("quiet"))] }, rt_ms: 45_000 };
  }

  /** Resolves with null when the tones were played to their end, or with the time at which somebody goes on without sound. */
  private played(order: readonly Tone[], page: Page): Promise<number | null> {
    const { button, without, message, notPlayed } = page;
    return new Promise((resolve) => {
      let inVain = 0;
      const over = (time: number | null) => {
        button.removeEventListener("click", pressed);
        without.removeEventListener("click", goOn);
        without.hidden = true;
        resolve(time);
      };
      const goOn = (event: Event) => over(event.timeStamp);
      const pressed = async () => {
        button.disabled = true;
        without.disabled = true;
        message.textContent = "";
        // A simulation does not wait for what it does not hear.
        if (this.simulated || (await isPlayed(order))) {
          over(null);
          return;
        }
        inVain += 1;
        message.textContent = notPlayed;
        without.hidden = inVain < VAIN_PLAYS;
        without.disabled = false;
        button.disabled = false;
        button.focus();
      };
      button.disabled = false;
      button.addEventListener("click", pressed);
      without.addEventListener("click", goOn);
      void this.answerIfSimulated(() => button.click());
    });
  }

  /** Asks once the tones are over, and resolves with the place that was chosen. */
  private ask(question: HTMLElement, texts: HeadphonesMessages, order: readonly Tone[]) {
    return new Promise<{ place: number; time: number }>((resolve) => {
      const choices = order.map((_tone, place) => {
        const choice = buttonSaying(texts.soundNamed(place + 1), "plain");
        choice.addEventListener("click", (event) => resolve({ place, time: event.timeStamp }));
        return choice;
      });
      const prompt = element("p", { class: "prompt", id: "headphones-question", tabindex: "-1" }, texts.question);
      question.replaceChildren(
        prompt,
        element("div", { class: "sound-choices", role: "group", "aria-labelledby": "headphones-question" }, ...choices),
      );
      prompt.focus({ preventScroll: true });
      void this.answerIfSimulated(() => choices[order.indexOf("quiet")]?.click());
    });
  }
}

/** How many answers name the tone that is the quietest over headphones. */
export function rightIn(orders: Orders, chosen: readonly number[]): number {
  return orders.filter((order, number) => order[chosen[number] ?? -1] === "quiet").length;
}

/** Plays the tones, and says whether they came to their end. */
async function isPlayed(order: readonly Tone[]): Promise<boolean> {
  try {
    const sound = (await unlock()) ? play(bufferOf(order)) : null;
    if (sound === null) return false;
    const isOver = await endOf(sound);
    if (!isOver) sound.stop();
    return isOver;
  } catch {
    // A browser without sound, or one that takes it away.
    return false;
  }
}

function bufferOf(order: readonly Tone[]): AudioBuffer {
  const sounds = soundContext();
  const [left, right] = sidesOf(order, sounds.sampleRate);
  const buffer = sounds.createBuffer(2, left.length, sounds.sampleRate);
  buffer.copyToChannel(left, 0);
  buffer.copyToChannel(right, 1);
  return buffer;
}

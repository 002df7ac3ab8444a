import { type JsPsychPlugin, ParameterType } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { buttonSaying, element, renderBlocks } from "../../page/blocks";
import { goesOn, sheet } from "../../page/sheet";
import type { Block, TrialData } from "../../server/contract";
import { clock, type Onset } from "../../timing/clock";
import { onsetData, type Shown, TimedPlugin, TRIAL_DATA } from "../plugin";

const info = {
  name: "pages",
  version: "1.0.0",
  parameters: {
    /** Pages of blocks. */
    pages: { type: ParameterType.COMPLEX, array: true, default: undefined },
    kind: { type: ParameterType.STRING, default: "instructions" },
    /** For how long each page stays at least. */
    minimum_ms: { type: ParameterType.INT, default: 0 },
    language: { type: ParameterType.STRING, default: "en" },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **pages**
 *
 * Texts to read, page by page, with a way back. Records how long each page was open, over all visits to it.
 */
export default class Pages extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const messages = messagesIn(trial.language);
    const pages = trial.pages as readonly (readonly Block[])[];
    const times = pages.map(() => 0);
    let page = 0;
    let turned = 0;
    let first: Onset | null = null;
    while (page < pages.length) {
      const next = buttonSaying(messages.next);
      const back = buttonSaying(messages.back, "plain");
      const text = element("div", { class: "text", tabindex: "-1" }, ...renderBlocks(pages[page] ?? []));
      const content: HTMLElement[] = [text];
      if (pages.length > 1) {
        content.unshift(element("p", { class: "label where" }, messages.pageOf(page + 1, pages.length)));
      }
      const actions = page > 0 ? [next, back] : [next];
      const turnedBack = new Promise<number>((resolve) => {
        back.addEventListener("click", (event) => resolve(event.timeStamp), { once: true });
      });
      const forward = goesOn(next).then((time) => ({ time, step: 1 }));
      const backward = turnedBack.then((time) => ({ time, step: -1 }));
      const whole = sheet({ name: "pages", content, actions });
      const drawn = await clock.show({ draw: () => display.replaceChildren(whole), stimulus: null });
      text.focus({ preventScroll: true });
      window.scrollTo(0, 0);
      if (first === null) onLoad?.();
      const left = trial.minimum_ms - (times[page] ?? 0);
      if (left > 0) holdBack(next, left, messages);
      void this.answerIfSimulated(() => setTimeout(() => next.click(), Math.max(0, left)));
      const turn = await Promise.race([forward, backward]);
      const onset = await drawn.onset({ before: turn.time });
      first ??= onset;
      turned = turn.time;
      times[page] = (times[page] ?? 0) + (turn.time - onset.time);
      page += turn.step;
    }
    return {
      payload: { page_ms: times },
      rt_ms: first === null ? null : turned - first.time,
      ...onsetData(first),
    };
  }

  protected override simulatedData(trial: Shown<Info>) {
    const times = (trial.pages as readonly unknown[]).map(() =>
      Math.max(trial.minimum_ms, this.jsPsych.randomization.sampleExGaussian(9000, 2000, 1 / 4000, true)),
    );
    return {
      payload: { page_ms: times },
      rt_ms: times.reduce((sum, time) => sum + time, 0),
    };
  }
}

/** Lets nobody go on before the time is over; those who hear the page are told when it is. */
function holdBack(next: HTMLButtonElement, ms: number, messages: { readonly next: string; readonly loading: string }) {
  next.disabled = true;
  next.textContent = messages.loading;
  next.parentElement?.setAttribute("aria-live", "polite");
  setTimeout(() => {
    next.disabled = false;
    next.textContent = messages.next;
  }, ms);
}

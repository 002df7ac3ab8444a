import { type JsPsychPlugin, ParameterType } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { buttonSaying, element, renderBlocks } from "../../page/blocks";
import { goesOn, sheet } from "../../page/sheet";
import type { Block, TrialData } from "../../server/contract";
import { clock } from "../../timing/clock";
import { onsetData, type Shown, TimedPlugin, TRIAL_DATA } from "../plugin";

const info = {
  name: "break",
  version: "1.0.0",
  parameters: {
    done: { type: ParameterType.INT, default: undefined },
    total: { type: ParameterType.INT, default: undefined },
    /** The instruction pages, to be read again. */
    pages: { type: ParameterType.COMPLEX, array: true, default: [] },
    language: { type: ParameterType.STRING, default: "en" },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **break**
 *
 * A pause of any length: where the participant is, that the answers are saved, and the instructions for who wants them.
 */
export default class Break extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const messages = messagesIn(trial.language);
    const pages = (trial.pages ?? []) as readonly (readonly Block[])[];
    const next = buttonSaying(messages.next);
    const reopen = element(
      "button",
      { type: "button", class: "plain", "aria-expanded": "false", "aria-controls": "instructions" },
      messages.readInstructionsAgain,
    );
    const instructions = element("div", { id: "instructions", class: "text reopened", hidden: true });
    instructions.append(...pages.flatMap((blocks) => renderBlocks(blocks)));
    const heading = element("h2", { tabindex: "-1" }, messages.breakHeading);
    let reopened = false;
    reopen.addEventListener("click", () => {
      instructions.hidden = !instructions.hidden;
      reopened = true;
      reopen.setAttribute("aria-expanded", String(!instructions.hidden));
      reopen.textContent = instructions.hidden ? messages.readInstructionsAgain : messages.hideInstructions;
    });
    const actions = pages.length > 0 ? [next, reopen] : [next];
    const page = sheet({
      name: "break",
      content: [
        heading,
        element("p", {}, messages.breakDone(trial.done, trial.total)),
        element("p", { class: "quiet keys" }, messages.breakHow),
        element("p", { class: "quiet without-keys" }, messages.breakHowByTouch),
        instructions,
      ],
      actions,
    });
    const ended = goesOn(next);
    const showing = await clock.show({ draw: () => display.replaceChildren(page), stimulus: null });
    heading.focus({ preventScroll: true });
    onLoad?.();
    void this.answerIfSimulated(() => next.click());
    const time = await ended;
    const onset = await showing.onset({ before: time });
    const duration = time - onset.time;
    return {
      payload: { duration_ms: duration, instructions_reopened: reopened },
      rt_ms: duration,
      ...onsetData(onset),
    };
  }

  protected override simulatedData() {
    const duration = this.jsPsych.randomization.sampleExGaussian(15000, 4000, 1 / 10000, true);
    return {
      payload: { duration_ms: duration, instructions_reopened: false },
      rt_ms: duration,
    };
  }
}

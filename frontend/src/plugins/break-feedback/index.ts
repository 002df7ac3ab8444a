import { ParameterType } from "jspsych";
import { textsOf } from "../../languages/messages";
import { writeNumber } from "../../languages/number";
import { speakSeldom } from "../../languages/seldom";
import type { english } from "../../languages/seldom/block-feedback";
import { element } from "../../page/blocks";
import type { Check, TrialData } from "../../server/contract";
import Break from "../break";
import type { Shown } from "../plugin";

const info = {
  ...Break.info,
  name: "break-feedback",
  parameters: {
    ...Break.info.parameters,
    /** What is said of the trials since the last break: "right", "time" or "both". */
    feedback: { type: ParameterType.STRING, default: undefined },
    /** After practice, which may come again. */
    practice: { type: ParameterType.BOOL, default: false },
    /** After the last trial of a task. */
    is_end: { type: ParameterType.BOOL, default: false },
    check: { type: ParameterType.FUNCTION, default: () => Promise.resolve(null) },
  },
} as const;

type Info = typeof info;

const textsIn = textsOf<typeof english>("block-feedback");
/** Answers of before may be on their way. A break that decides about practice goes on asking until it knows. */
const MOST_QUESTIONS = 12;
const BETWEEN_QUESTIONS_MS = 400;

/**
 * **break-feedback**
 *
 * A break that says how many answers were right since the last one, and how fast they were; after practice also whether it
 * comes again. The server says it, for the page does not know which answers are right. Nobody goes on before it is there.
 */
export default class BreakFeedback extends Break {
  static override readonly info = info as never;
  private skips: Promise<readonly number[]> = Promise.resolve([]);

  static prepare(): Promise<void> {
    return speakSeldom();
  }

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const data = await super.trial(display, trial as never, () => {
      const next = display.querySelector<HTMLButtonElement>("button.primary");
      const heading = display.querySelector<HTMLElement>("h2");
      if (next !== null && heading !== null) this.skips = tell(trial, next, heading);
      onLoad?.();
    });
    return { ...data, skips: await this.skips };
  }

  protected override answerIfSimulated(answer: () => void): Promise<void> {
    return super.answerIfSimulated(() => this.skips.then(answer));
  }
}

/** Asks, and says it below the heading. Resolves with the trials that are left out. */
async function tell(trial: Shown<Info>, next: HTMLButtonElement, heading: HTMLElement): Promise<readonly number[]> {
  const texts = textsIn(trial.language);
  const said = element("div", { class: "block-feedback", "aria-live": "polite" });
  const label = next.textContent;
  if (trial.practice) heading.textContent = texts.practiceHeading;
  if (trial.is_end) heading.textContent = texts.endHeading;
  heading.after(said);
  next.disabled = true;
  next.textContent = texts.counting;
  const { right, mean_ms, again, skips } = await answerTo(trial.check as Check, trial.practice);
  if (typeof right === "number") said.append(element("p", {}, texts.right(String(Math.round(100 * right)))));
  if (typeof mean_ms === "number") {
    const seconds = writeNumber(Number((mean_ms / 1000).toFixed(2)), trial.language);
    said.append(element("p", {}, texts.time(seconds)));
  }
  if (trial.practice) said.append(element("p", {}, again ? texts.again : texts.over));
  next.disabled = false;
  next.textContent = label;
  return (skips ?? []) as readonly number[];
}

async function answerTo(check: Check, decides: boolean): Promise<Readonly<Record<string, unknown>>> {
  for (let asked = 1; ; asked += 1) {
    const answer = await check({ problem: 0, answer: 0 });
    if (answer !== null) return answer;
    if (!decides && asked >= MOST_QUESTIONS) return {};
    await new Promise((resolve) => {
      setTimeout(resolve, BETWEEN_QUESTIONS_MS);
    });
  }
}

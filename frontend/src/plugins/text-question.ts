/** A question about a text that was read, answered by one key or click. Plugins share it. */

import type { JsPsych } from "jspsych";
import { element, textSpan } from "../page/blocks";
import { sheet } from "../page/sheet";
import { PressQueue } from "../presses/queue";
import { clock } from "../timing/clock";
import { Seen } from "../timing/view";
import { typedBy } from "../typing/typed-by";
import type { Given, ToldBy } from "./question-rules";
import "./text-question.css";

export interface TextQuestion {
  readonly prompt: string;
  readonly choices: readonly string[];
  /** One for each choice; digits where there are none. */
  readonly keys?: readonly string[];
  readonly deadline_ms?: number;
  readonly feedback?: boolean;
}

export interface QuestionOutcome {
  /** Which choice, from 0; null where the time ran out. */
  readonly choice: number | null;
  readonly rt_ms: number | null;
  readonly answered: number;
  /** Presses before the question was on the screen. */
  readonly early: number;
  /** How many of prompt and choices had not been in the window as a whole before the answer. */
  readonly outOfView: number;
}

interface AskedBy extends ToldBy {
  /** The name of the page. */
  readonly name: string;
  /** What to do, by the number of choices. */
  readonly hint: (most: number) => string;
  /** Has a simulation answer. */
  readonly simulate: (answer: () => void) => void;
}

/** Asks the question of a trial; resolves with null where it has none. */
export async function askQuestion(
  display: HTMLElement,
  question: TextQuestion | null,
  asked: AskedBy,
): Promise<QuestionOutcome | null> {
  if (question === null) return null;
  const { keys } = question;
  const rules = keys || question.deadline_ms || question.feedback ? await import("./question-rules") : null;
  const prompt = element("p", { class: "stimulus", id: "question-prompt" }, question.prompt);
  const buttons = question.choices.map((choice, index) =>
    element(
      "button",
      { type: "button", class: "choice" },
      element("span", { class: "key", "aria-hidden": "true" }, keys?.[index]?.toUpperCase() ?? String(index + 1)),
      textSpan(choice),
    ),
  );
  const group = element(
    "div",
    { class: "choice-buttons", role: "group", "aria-labelledby": "question-prompt" },
    ...buttons,
  );
  const page = sheet({
    name: asked.name,
    content: [prompt, group, element("p", { class: "quiet keys" }, keys ? "" : asked.hint(buttons.length))],
    actions: [],
  });
  const queue = new PressQueue<Given>();
  const listening = new AbortController();
  let isShown = false;
  const pressed = (event: KeyboardEvent) => {
    // A trial that is skipped in a preview leaves its page without an answer.
    if (isShown && !page.isConnected) listening.abort();
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const choice = keys && rules ? rules.choiceOf(keys, event) : Number(typedBy(event)) - 1;
    if (buttons[choice] !== undefined) queue.give({ choice, time: event.timeStamp });
  };
  for (const [choice, button] of buttons.entries()) {
    button.addEventListener("click", (event) => queue.give({ choice, time: event.timeStamp }));
  }
  // What is pressed before the question is there is counted.
  document.addEventListener("keydown", pressed, { signal: listening.signal });
  const seen = new Seen([prompt, ...buttons]);
  const showing = await clock.show({ draw: seen.drawing(() => display.replaceChildren(page)), stimulus: prompt });
  isShown = true;
  asked.simulate(() => buttons[Math.floor(Math.random() * buttons.length)]?.click());
  const stop = rules?.endsBy(question.deadline_ms, queue);
  const { press, early } = await queue.answerTo(showing);
  stop?.();
  listening.abort();
  const outOfView = seen.end();
  const onset = await showing.onset({ before: press.time });
  const { choice } = press;
  const answered = choice === null ? performance.now() : press.time;
  if (question.feedback) await rules?.tell(page, choice, asked);
  return { choice, rt_ms: choice === null ? null : answered - onset.time, answered, early, outOfView };
}

/** What the payload of the trial says of it. */
export function questionPayload(outcome: QuestionOutcome | null) {
  return outcome === null ? null : { choice: outcome.choice, rt_ms: outcome.rt_ms, early: outcome.early };
}

/** What a participant might have answered, without a page. */
export function simulatedQuestion(question: TextQuestion | null, chance: JsPsych["randomization"]) {
  if (question === null) return null;
  const choice = chance.randomInt(0, question.choices.length - 1);
  return { choice, rt_ms: chance.sampleExGaussian(1200, 200, 1 / 300, true) };
}

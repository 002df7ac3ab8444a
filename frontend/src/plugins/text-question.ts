/** A question about a text that was read, answered by one key or click. Plugins share it. */

import type { JsPsych } from "jspsych";
import { element, textSpan } from "../page/blocks";
import { sheet } from "../page/sheet";
import { clock } from "../timing/clock";
import { typedBy } from "../typing/typed-by";
import "./text-question.css";

export interface TextQuestion {
  readonly prompt: string;
  readonly choices: readonly string[];
}

export interface QuestionOutcome {
  /** Which choice, from 0. */
  readonly choice: number;
  readonly rt_ms: number;
  readonly answered: number;
}

interface AskedBy {
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
  const prompt = element("p", { class: "stimulus", id: "question-prompt" }, question.prompt);
  const buttons = question.choices.map((choice, index) =>
    element(
      "button",
      { type: "button", class: "choice" },
      element("span", { class: "key", "aria-hidden": "true" }, String(index + 1)),
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
    content: [prompt, group, element("p", { class: "quiet keys" }, asked.hint(buttons.length))],
    actions: [],
  });
  const showing = await clock.show({ draw: () => display.replaceChildren(page), stimulus: prompt });
  const { choice, time } = await new Promise<{ choice: number; time: number }>((resolve) => {
    const answer = (choice: number, time: number) => {
      document.removeEventListener("keydown", pressed);
      resolve({ choice, time });
    };
    const pressed = (event: KeyboardEvent) => {
      // A trial that is skipped in a preview leaves its page without an answer.
      if (!page.isConnected) {
        document.removeEventListener("keydown", pressed);
        return;
      }
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const index = Number(typedBy(event)) - 1;
      if (buttons[index] !== undefined) answer(index, event.timeStamp);
    };
    document.addEventListener("keydown", pressed);
    for (const [index, button] of buttons.entries()) {
      button.addEventListener("click", (event) => answer(index, event.timeStamp), { once: true });
    }
    asked.simulate(() => buttons[Math.floor(Math.random() * buttons.length)]?.click());
  });
  const onset = await showing.onset({ before: time });
  return { choice, rt_ms: time - onset.time, answered: time };
}

/** What the payload of the trial says of it. */
export function questionPayload(outcome: QuestionOutcome | null) {
  return outcome === null ? null : { choice: outcome.choice, rt_ms: outcome.rt_ms };
}

/** What a participant might have answered, without a page. */
export function simulatedQuestion(question: TextQuestion | null, chance: JsPsych["randomization"]) {
  if (question === null) return null;
  const choice = chance.randomInt(0, question.choices.length - 1);
  return { choice, rt_ms: chance.sampleExGaussian(1200, 200, 1 / 300, true) };
}

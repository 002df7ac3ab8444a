/** Keys, a deadline and feedback of questions about texts: only where a study has them. */

import { element } from "../page/blocks";
import type { PressQueue } from "../presses/queue";
import type { Check } from "../server/contract";
import { clock } from "../timing/clock";
import { placeOf } from "./keys";
import { choiceMessagesIn } from "./timed-choice/messages";

export interface Given {
  /** Which choice, from 0; null where the time ran out. */
  readonly choice: number | null;
  readonly time: number;
}

export interface ToldBy {
  /** Asks whether an answer is right. */
  readonly check?: Check | undefined;
  readonly language?: string | undefined;
}

/** How long it is said whether an answer was right. */
const TOLD_FOR = 1000;
/** Nobody waits longer than this for the server to say so. */
const PATIENCE = 1500;

/** Which choice a key takes, −1 for none. */
export function choiceOf(keys: readonly string[], event: KeyboardEvent): number {
  return placeOf(
    keys.map((key) => ({ key })),
    event,
  );
}

/** Ends the question when its time has run out; returns what keeps it from ending. */
export function endsBy(deadline: number | undefined, queue: PressQueue<Given>): () => void {
  if (!deadline) return () => undefined;
  // What is drawn now is seen about a frame later.
  const over = () => queue.give({ choice: null, time: Number.POSITIVE_INFINITY });
  const timer = setTimeout(over, deadline + clock.frameInterval);
  return () => clearTimeout(timer);
}

/** Says whether the answer was right; nothing where the server does not say. */
export async function tell(page: HTMLElement, choice: number | null, { check, language }: ToldBy) {
  const texts = choiceMessagesIn(language ?? "en");
  const nothing = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), PATIENCE);
  });
  const said =
    choice === null ? { correct: false } : await Promise.race([check?.({ problem: 0, answer: choice }), nothing]);
  if (typeof said?.correct !== "boolean") return;
  const verdict = choice === null ? texts.tooLate : said.correct ? texts.right : texts.wrong;
  const line = element("p", { class: "message", role: "status" });
  page.append(line);
  // A text that is put into a line that is there is read out.
  line.textContent = verdict;
  await new Promise((resolve) => {
    setTimeout(resolve, TOLD_FOR);
  });
}

/** Asking again where check items were not answered as expected, after the instructions have been read once more. */

import type { attempts } from "../../languages/english/pages";
import { messagesIn, textsOf } from "../../languages/messages";
import { buttonSaying, element, renderBlocks } from "../../page/blocks";
import { goesOn, sheet } from "../../page/sheet";
import type { Block } from "../../server/contract";
import { clock } from "../../timing/clock";

export { failedChecks } from "./checks";

const attemptMessagesIn = textsOf<typeof attempts>("attempts");

const KEPT = "lectern-attempts";

interface Kept {
  readonly salt: string;
  readonly attempts: readonly unknown[];
}

/** The failed attempts at the questions with this salt, which are those of one session, in this browser. */
export function earlierAttempts<Attempt>(salt: string): Attempt[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null") as Kept | null;
    return kept?.salt === salt ? [...(kept.attempts as Attempt[])] : [];
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Keeps the failed attempts at these questions, in the place of all others; none: there is nothing to keep any more. */
export function keepAttempts(salt: string, attempts: readonly unknown[]): void {
  try {
    if (attempts.length === 0) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, JSON.stringify({ salt, attempts }));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** What is read again: pages of blocks. */
export interface ReadAgain {
  readonly pages?: unknown;
  readonly language: string;
}

/** Says kindly that something was not right, and shows the instructions once more, where there are any. `onPage` gets the button of a page. */
export async function readAgain(
  display: HTMLElement,
  trial: ReadAgain,
  onPage: (next: HTMLButtonElement) => void,
): Promise<void> {
  const texts = attemptMessagesIn(trial.language);
  const messages = messagesIn(trial.language);
  const pages = (trial.pages ?? []) as readonly (readonly Block[])[];
  const shown = pages.length > 0 ? pages : [[]];
  const failed = pages.length > 0 ? texts.checkFailed : texts.answersFailed;
  for (const [at, blocks] of shown.entries()) {
    const isLast = at === shown.length - 1;
    const next = buttonSaying(isLast ? texts.toQuestions : messages.next);
    const text = element("div", { class: "text", tabindex: "-1" }, ...renderBlocks(blocks));
    const said = at === 0 ? [element("p", { class: "example", role: "alert" }, failed)] : [];
    const page = sheet({
      name: "pages",
      content: [...said, text],
      actions: [next],
    });
    const read = goesOn(next);
    await clock.show({ draw: () => display.replaceChildren(page), stimulus: null });
    text.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    onPage(next);
    await read;
  }
}

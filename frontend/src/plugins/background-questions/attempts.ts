/** Asking again where check items were not answered as expected, after the instructions have been read once more. */

import type { attempts } from "../../languages/english/pages";
import { messagesIn, textsOf } from "../../languages/messages";
import { buttonSaying, element, renderBlocks } from "../../page/blocks";
import { goesOn, sheet } from "../../page/sheet";
import type { Block } from "../../server/contract";
import { tabMemory } from "../../tab-memory";
import { clock } from "../../timing/clock";

export { failedChecks } from "./checks";

const attemptMessagesIn = textsOf<typeof attempts>("attempts");

const nameOf = (salt: string) => `attempts/${salt}`;

/** The failed attempts at the questions with this salt, which are those of one session, in this tab. */
export function earlierAttempts<Attempt>(salt: string): Attempt[] {
  return JSON.parse(tabMemory.get(nameOf(salt)) ?? "[]") as Attempt[];
}

/** Keeps the failed attempts at these questions for a page that is loaded again; none: they are over. */
export function keepAttempts(salt: string, attempts: readonly unknown[]): void {
  if (attempts.length === 0) tabMemory.remove(nameOf(salt));
  else tabMemory.set(nameOf(salt), JSON.stringify(attempts));
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

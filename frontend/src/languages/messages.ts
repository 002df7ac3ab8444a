/**
 * The texts of the interface in the languages that the page has loaded: `languages/en.ts` or `languages/de.ts`, before its
 * own script. The English texts define the keys: a key that another language lacks fails the type check.
 */

import type { english } from "./english";

export type Messages = typeof english;

const spoken = new Map<string, Messages>();

/** Makes the texts of a language known. */
export function speak(language: string, messages: Messages): void {
  spoken.set(language, messages);
}

/** The texts of a language by its tag, whatever the region; else those that the page has. Throws where it has none. */
export function messagesIn(language: string): Messages {
  const messages =
    spoken.get(language.toLowerCase().split("-")[0] ?? "") ?? spoken.get("en") ?? [...spoken.values()][0];
  if (messages === undefined) throw new Error("The page has loaded no language.");
  return messages;
}

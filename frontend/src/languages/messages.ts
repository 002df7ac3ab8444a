/**
 * The texts of the interface in the language that the page has loaded: `languages/en.ts`, `languages/de.ts` and so on,
 * before its own script. English is code, a file of `languages/english/` for each section, and defines the keys; every other
 * language is one file of data, `languages/<tag>.json`, in sections. `languages.spec.ts` holds each of them to English.
 * What shows a section says its type and its name with `textsOf`, mostly in a file `messages.ts`.
 */

import { type Data, type Sections, sectionsFrom } from "./data";
import type { english } from "./english/pages";

export type Messages = typeof english;

/** The texts that the page has, by language and section. */
export const spoken = new Map<string, Sections>();

/** Makes the texts of a language known. */
export function speak(language: string, sections: Sections): void {
  spoken.set(language, sections);
}

/** Makes a language known that is a file of data. */
export function speakFrom(language: string, data: Data): void {
  speak(language, sectionsFrom(data, language));
}

/** The texts of a language by its tag, whatever the region; else those that the page has. Throws where it has none. */
export const messagesIn = textsOf<Messages>("pages");

/** How a part of the interface finds its texts: those of the language under this section, else those that the page has. */
export function textsOf<T>(section: string): (language: string) => T {
  return (language) => found(language, section) as T;
}

function found(language: string, section: string): unknown {
  const sections =
    spoken.get(language.toLowerCase().split("-")[0] ?? "") ?? spoken.get("en") ?? [...spoken.values()][0];
  if (sections?.[section] === undefined) throw new Error(`The page has loaded no language with texts of "${section}".`);
  return sections[section];
}

/** Custom wording of a study: the sections of its language, containing only the replaced texts. */

import { type Data, filled, type Sections, type Text } from "./data";
import { spoken } from "./messages";

type Spoken = (...values: unknown[]) => string;

/** Puts what the study says in the place of the page's texts; `language` is that of the study's words. */
export function reword(wording: Data, language: string): void {
  for (const [tag, sections] of spoken) spoken.set(tag, reworded(sections, wording, language, tag));
}

/** The texts, in `pageLanguage`, with those of the study in their places; what was given stays as it is. */
export function reworded(sections: Sections, wording: Data, language: string, pageLanguage: string): Sections {
  const formOf = formsIn(language);
  const isOther = languageOf(language) !== languageOf(pageLanguage);
  const within = (before: unknown, said: Text): unknown => {
    // A study may have stored its words for texts that were of another kind then.
    if (typeof said === "string" ? typeof before === "object" : typeof before === "string") return before;
    if (typeof said === "string") return typeof before === "function" ? saying(said) : said;
    if (typeof before !== "object" || before === null) return choosing(before, said);
    const inner = before as Record<string, unknown>;
    const changed = Object.entries(said).map(([key, text]) => [key, within(inner[key], text)] as const);
    return { ...inner, ...Object.fromEntries(changed) };
  };
  // Forms for counts that the study does not say stay those of the language, unless its words are in another one.
  const choosing = (before: unknown, forms: { readonly [category: string]: Text }): Spoken => {
    const otherwise = typeof before === "function" ? (before as Spoken) : () => String(before);
    return (...values) => {
      const form = forms[formOf(Number(values[0]))] ?? (isOther ? forms.other : undefined);
      return typeof form === "string" ? filled(form, values) : otherwise(...values);
    };
  };
  return within(sections, wording) as Sections;
}

/** The form of counts in a language; `other` in one that the browser does not know, as it would take its own instead. */
function formsIn(language: string): (count: number) => string {
  try {
    if (Intl.PluralRules.supportedLocalesOf(language).length > 0) {
      const rules = new Intl.PluralRules(language);
      return (count) => rules.select(count);
    }
  } catch {
    // The tag is none that the browser takes.
  }
  return () => "other";
}

function languageOf(tag: string): string {
  return tag.split("-")[0] ?? tag;
}

function saying(text: string): Spoken {
  return (...values) => filled(text, values);
}

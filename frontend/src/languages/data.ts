/**
 * Texts that are data: strings, in which `{1}` stands for the first value, `{2}` for the second. A text whose form depends
 * on a count is an object by the plural categories of Unicode (`one`, `few`, `many`, `other` …), chosen by its first value.
 */

export type Text = string | { readonly [key: string]: Text };
export type Data = { readonly [section: string]: Text };
export type Sections = { readonly [section: string]: unknown };

const VALUE = /\{(\d)\}/gu;

/** What the interface calls: texts stay texts, those with values become functions. */
export function sectionsFrom(data: Data, language: string): Sections {
  const rules = new Intl.PluralRules(language);
  const spokenAs = (text: Text): unknown => {
    if (typeof text === "string") return text.search(VALUE) < 0 ? text : (...values: unknown[]) => filled(text, values);
    if (isPlural(text)) return (...values: unknown[]) => filled(formOf(text, rules.select(Number(values[0]))), values);
    return Object.fromEntries(Object.entries(text).map(([key, inner]) => [key, spokenAs(inner)]));
  };
  return spokenAs(data) as Sections;
}

/** Whether a text has forms for counts. */
export function isPlural(text: Text): text is { readonly [category: string]: string } {
  return typeof text === "object" && typeof text.other === "string" && ("one" in text || "many" in text);
}

function formOf(text: { readonly [category: string]: string }, category: string): string {
  return text[category] ?? text.other ?? "";
}

/** The text with its values. */
export function filled(text: string, values: readonly unknown[]): string {
  return text.replace(VALUE, (_, place: string) => String(values[Number(place) - 1]));
}

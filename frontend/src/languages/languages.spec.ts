import { describe, expect, test } from "vitest";
import { type Data, isPlural, sectionsFrom, type Text } from "./data";
import { ENGLISH } from "./en";
import { textsOf } from "./messages";
import { SELDOM_ENGLISH, speakSeldom } from "./seldom";

const files = import.meta.glob<Data>("./*.json", { eager: true, import: "default" });
const seldom = import.meta.glob<Data>("./seldom/*.json", { eager: true, import: "default" });
const LANGUAGES = Object.entries(files).map(([path, data]) => [path.slice(2, -5), data] as const);
const WHOLE_ENGLISH = { ...ENGLISH, ...SELDOM_ENGLISH };
const MARKS = ["⟦1⟧", "⟦2⟧", "⟦3⟧"] as const;

/** Which values an English text shows. */
function valuesOf(text: (...values: unknown[]) => string): string[] {
  const said = text(...MARKS);
  return MARKS.filter((mark) => said.includes(mark));
}

/** What a language lacks, has too much, or shows without the values that the English text shows. */
function faultsOf(english: unknown, text: unknown, place: string): string[] {
  if (text === undefined) return [`${place} is missing`];
  if (typeof english === "string") return typeof text === "string" && text.trim() !== "" ? [] : [`${place} is no text`];
  if (typeof english === "function") {
    if (typeof text !== "function") return [`${place} shows no value`];
    const [wanted, shown] = [english, text].map((one) => valuesOf(one as (...values: unknown[]) => string).join());
    return wanted === shown ? [] : [`${place} shows ${shown} instead of ${wanted}`];
  }
  const [wanted, given] = [english, text] as [Record<string, unknown>, Record<string, unknown>];
  return [
    ...Object.keys(given).flatMap((key) => (key in wanted ? [] : [`${place}.${key} is not English`])),
    ...Object.keys(wanted).flatMap((key) => faultsOf(wanted[key], given[key], `${place}.${key}`)),
  ];
}

/** Every string of the data, by its place; those of plural forms with their category. */
function strings(text: Text, place: string): [string, string][] {
  return typeof text === "string"
    ? [[place, text]]
    : Object.entries(text).flatMap(([key, inner]) => strings(inner, `${place}.${key}`));
}

function plurals(text: Text): { readonly [category: string]: string }[] {
  if (typeof text === "string") return [];
  return isPlural(text) ? [text] : Object.values(text).flatMap(plurals);
}

/** The texts of a language, those that few sessions need included. */
const whole = (language: string, data: Data): Data => ({ ...data, ...seldom[`./seldom/${language}.json`] });

test("what few sessions need is there in every language, and in no other file", () => {
  expect(Object.keys(seldom).map((path) => path.slice(9, -5))).toEqual(LANGUAGES.map(([language]) => language));
  for (const data of Object.values(files)) {
    expect(Object.keys(SELDOM_ENGLISH).filter((section) => section in data)).toEqual([]);
  }
});

test("what few sessions need is loaded in the languages that the page has", async () => {
  const headphones = textsOf<(typeof SELDOM_ENGLISH)["headphones-check"]>("headphones-check");
  expect(() => headphones("de")).toThrow("headphones-check");
  await speakSeldom();
  expect([headphones("en").heading, headphones("de").heading]).toEqual([
    "Are you wearing headphones?",
    "Tragen Sie Kopfhörer?",
  ]);
});

describe.each(LANGUAGES)("the texts in %s", (language, main) => {
  const data = whole(language, main);
  test("are those of the English interface, with the same values in them", () => {
    expect(faultsOf(WHOLE_ENGLISH, sectionsFrom(data, language), language)).toEqual([]);
  });

  test("never shout and are not left in English", () => {
    const english = new Set(strings(WHOLE_ENGLISH as unknown as Data, "").flatMap(([, text]) => text));
    for (const [place, text] of strings(data, language)) {
      expect(text, place).not.toContain("!");
      if (text.split(" ").length > 3) expect(english.has(text), `${place}: ${text}`).toBe(false);
      expect(text, place).toBe(text.trim());
    }
  });

  test("have every form that counts take in the language", () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const usual = categories.filter(
      (category) => !(category === "many" && ["es", "fr", "it", "pt"].includes(language)),
    );
    for (const plural of plurals(data)) expect(Object.keys(plural)).toEqual(expect.arrayContaining(usual));
  });
});

test("a count chooses the form of its text", () => {
  const { found } = sectionsFrom({ found: { one: "{1} tekst", few: "{1} teksty", other: "{1} tekstów" } }, "pl");
  expect([1, 3, 5].map(found as (count: number) => string)).toEqual(["1 tekst", "3 teksty", "5 tekstów"]);
});

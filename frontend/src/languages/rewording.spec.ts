import { describe, expect, test } from "vitest";
import { type Data, sectionsFrom } from "./data";
import { ENGLISH } from "./en";
import { messagesIn } from "./messages";
import { writeNumber } from "./number";
import { reword, reworded } from "./rewording";
import { writtenDown } from "./written";

type Spoken = (...values: unknown[]) => string;

const POLISH = sectionsFrom(
  { pages: { next: "Dalej", found: { one: "{1} tekst", few: "{1} teksty", other: "{1} tekstów" } } },
  "pl",
);
const pagesOf = (wording: Data) =>
  reworded(POLISH, { pages: wording }, "pl", "pl").pages as { next: string; found: Spoken };

describe("what a study says instead of a text", () => {
  test("stands in its place, and everything else stays", () => {
    expect(pagesOf({ next: "Naprzód" }).next).toBe("Naprzód");
    expect(pagesOf({ next: "Naprzód" }).found(3)).toBe("3 teksty");
    expect((POLISH.pages as { next: string }).next).toBe("Dalej");
  });

  test("gets the values of the text, or one form of it", () => {
    expect([1, 3, 5].map(pagesOf({ found: "razem: {1}" }).found)).toEqual(["razem: 1", "razem: 3", "razem: 5"]);
    expect([1, 3, 5].map(pagesOf({ found: { few: "{1} zdania" } }).found)).toEqual([
      "1 tekst",
      "3 zdania",
      "5 tekstów",
    ]);
  });

  test("is what the page finds in every language that it has", () => {
    const before = messagesIn("de");
    reword({ pages: { next: "Los", pageOf: "{1}/{2}" } }, "de");
    expect(messagesIn("de").next).toBe("Los");
    expect(messagesIn("de").pageOf(2, 3)).toBe("2/3");
    expect(messagesIn("de").back).toBe(before.back);
  });

  test("may be in a language with forms that the page's own does not have", () => {
    const forms = { one: "jeden", few: "{1} malo", many: "{1} mnogo", other: "{1} drugo" };
    const pages = reworded(ENGLISH, { pages: { uploadingText: forms } }, "pl", "en").pages as { uploadingText: Spoken };
    expect([1, 2, 5].map(pages.uploadingText)).toEqual(["jeden", "2 malo", "5 mnogo"]);
  });

  test.each(["qu", "qu-PE"])("takes the form for all counts in %s, which the browser may not count in", (language) => {
    const forms = { one: "huk: {1}", other: "lliw: {1}" };
    const known = Intl.PluralRules.supportedLocalesOf(language).length > 0;
    const one = known ? `${new Intl.PluralRules(language).select(1) === "one" ? "huk" : "lliw"}: 1` : "lliw: 1";
    const wording = { pages: { uploadingText: forms } };
    const pages = reworded(ENGLISH, wording, language, "en").pages as { uploadingText: Spoken };
    expect([1, 2].map(pages.uploadingText)).toEqual([one, "lliw: 2"]);
  });

  test("never falls back to the words of the page in another language that has the form for all others", () => {
    const wording = { pages: { uploadingText: { other: "lliw: {1}" } } };
    const pages = (language: string) =>
      (reworded(ENGLISH, wording, language, "en").pages as { uploadingText: Spoken }).uploadingText;
    expect([pages("qu")(1), pages("sw")(1), pages("cs")(1)]).toEqual(["lliw: 1", "lliw: 1", "lliw: 1"]);
    expect(pages("en")(1)).toContain("1 item is still");
  });

  test("is left out where the text has become one of another kind", () => {
    const pages = pagesOf({ next: { one: "{1} on", other: "{1} on" } });
    expect(pages.next).toBe("Dalej");
    expect(reworded(POLISH, { pages: "?" }, "pl", "pl").pages).toEqual(POLISH.pages);
  });

  test("is taken with a tag that the browser refuses", () => {
    const wording = { pages: { next: "On", uploadingText: { other: "left: {1}" } } };
    const pages = reworded(ENGLISH, wording, "sw-abcd-12", "en").pages as { next: string; uploadingText: Spoken };
    expect([pages.next, pages.uploadingText(1)]).toEqual(["On", "left: 1"]);
    expect(writeNumber(1234.5, "sw-abcd-12")).toBe("1234.5");
  });
});

/** All texts as what they say, those with values for several counts. */
function said(text: unknown): unknown {
  if (typeof text === "function") return [1, 2, 7].map((count) => (text as Spoken)(count, 9, 11));
  if (typeof text !== "object" || text === null) return text;
  return Object.fromEntries(Object.entries(text).map(([key, inner]) => [key, said(inner)]));
}

test("the English texts written down as data say the same", () => {
  const written = writtenDown(ENGLISH) as Data;
  expect(said(sectionsFrom(written, "en"))).toEqual(said(ENGLISH));
  expect((written.pages as Data).uploadingText).toEqual({
    one: "1 item is still to be sent. Please keep this page open.",
    other: "{1} items are still to be sent. Please keep this page open.",
  });
});

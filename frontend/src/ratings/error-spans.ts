/** Error span questions, for sessions that have one; no other loads this, nor the texts of its language. */

import { type Data, sectionsFrom } from "../languages/data";
import { type ErrorSpanMessages, english } from "../languages/error-spans/english";
import { ErrorSpansField } from "./error-spans-field";
import { type FieldMaker, ratingField } from "./fields";
import "./error-spans.css";

const files = import.meta.glob<Data>("../languages/error-spans/*.json", { import: "default" });

/** How fields are made for questions about a text on the page, given its paragraph and its words. */
export type ErrorSpansMaker = (text: HTMLElement, words: readonly string[]) => FieldMaker;

/** Loads the texts of the page's language; English where there are none. */
export async function load(): Promise<ErrorSpansMaker> {
  const language = document.documentElement.lang.split("-")[0] ?? "";
  const ofLanguage = files[`../languages/error-spans/${language}.json`];
  const texts =
    ofLanguage === undefined ? english : (sectionsFrom(await ofLanguage(), language) as unknown as ErrorSpanMessages);
  return (paragraph, words) => (options) =>
    options.question.kind === "error-spans"
      ? new ErrorSpansField(options, texts, paragraph, words)
      : ratingField(options);
}

/** The page of a timed choice: the spot where everything is shown, and the answers at their places below. */

import { element, textSpan } from "../../page/blocks";
import type { TrialMedia } from "../../page/media";
import { JUDGES_PRESSES } from "../../presses/guard";
import { whereLine } from "../plugin";
import { choiceMessagesIn } from "./messages";
import type { ChoiceParams } from "./params";

/** What is put into the spot, the element of it whose onset is timed, and what of it has to be in the window. */
export interface Content {
  readonly elements: readonly HTMLElement[];
  readonly timed: HTMLElement;
  readonly whole: readonly HTMLElement[];
}

export class ChoicePage {
  readonly element: HTMLElement;
  /** Empty where answers are given by keys alone. */
  readonly buttons: readonly HTMLButtonElement[];
  readonly spot = element("div", { class: "choice-spot", translate: "no" });
  private readonly verdict = element("p", { class: "verdict", role: "status" });

  constructor(trial: ChoiceParams) {
    const own = choiceMessagesIn(trial.language);
    const hasButtons = trial.respond_with !== "keys";
    const labels = trial.answers.map(({ key, label }) => {
      const sign = element("kbd", { class: "choice-key" }, own.keys[key] ?? key.toUpperCase());
      return [textSpan(label), ...(trial.respond_with === "buttons" ? [] : [sign])];
    });
    const made = labels.map((label) =>
      hasButtons
        ? element("button", { type: "button", class: "choice-answer" }, ...label)
        : element("p", { class: "choice-answer" }, ...label),
    );
    this.buttons = made.filter((each) => each instanceof HTMLButtonElement);
    this.element = element(
      "section",
      { class: "sheet timed-choice", [JUDGES_PRESSES]: "" },
      whereLine(trial),
      this.spot,
      this.verdict,
      element("div", { class: "choice-answers", role: "group", "aria-label": own.answers }, ...made),
    );
  }

  show(content: Content): void {
    this.spot.replaceChildren(...content.elements);
  }

  clear(): void {
    this.spot.replaceChildren();
  }

  say(verdict: "right" | "wrong", text: string): void {
    this.verdict.classList.add(verdict);
    this.verdict.textContent = text;
  }
}

/** A text of its own, so that the browser reports when it was painted; blank where there is none. */
export function contentOf(text: string, kind: string): Content {
  const timed =
    text === ""
      ? element("p", { class: "choice-blank", "aria-hidden": "true" })
      : element("p", { class: `choice-text ${kind}` }, text);
  return { elements: [timed], timed, whole: text === "" ? [] : [timed] };
}

/** A picture or a video with a text below it, where there is one; the text alone without them. */
export function contentWith({ picture, video }: TrialMedia, text: string, kind: string): Content {
  const words = contentOf(text, kind);
  if (picture !== null) {
    const elements = text === "" ? [picture] : [picture, ...words.elements];
    return { elements, timed: picture, whole: [picture, ...words.whole] };
  }
  // Browsers report when a text was painted, and never when a video was: without a text, a blank one is timed.
  return video === null ? words : { ...words, elements: [video, ...words.elements], whole: [video, ...words.whole] };
}

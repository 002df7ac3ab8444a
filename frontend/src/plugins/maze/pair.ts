/** The two fixed places for the words of a pair; only their contents change. */

import { element, textSpan } from "../../page/blocks";
import type { Side } from "./choosing";

export interface ShownPair {
  readonly left: string;
  readonly right: string;
}

export class PairOfWords {
  readonly element: HTMLElement;
  readonly places: Readonly<Record<Side, HTMLElement>>;
  private readonly words: Readonly<Record<Side, HTMLElement>>;

  constructor(options: { readonly label: string; readonly isTouched: boolean; readonly keys: Record<Side, string> }) {
    const word = () => element("span", { class: "maze-word" });
    this.words = { left: word(), right: word() };
    const place = (side: Side) => {
      const content = [
        this.words[side],
        element("span", { class: "maze-key", "aria-hidden": "true" }, options.keys[side].toUpperCase()),
      ];
      return options.isTouched
        ? element("button", { type: "button", class: "maze-place" }, ...content)
        : element("div", { class: "maze-place" }, ...content);
    };
    this.places = { left: place("left"), right: place("right") };
    this.element = element(
      "div",
      { class: "maze-pair", role: "group", "aria-label": options.label, translate: "no" },
      this.places.left,
      this.places.right,
    );
  }

  /** The new element whose onset is that of a pair, what puts the pair on the page, and what of it has to be in the window. */
  showing(pair: ShownPair): {
    readonly stimulus: HTMLElement;
    readonly draw: () => void;
    readonly whole: readonly HTMLElement[];
  } {
    const left = textSpan(pair.left, { class: "maze-text" });
    const right = textSpan(pair.right, { class: "maze-text" });
    return {
      stimulus: left,
      draw: () => {
        this.words.left.replaceChildren(left);
        this.words.right.replaceChildren(right);
      },
      // The places, so that what is touched is seen and nothing moves from pair to pair.
      whole: [this.places.left, this.places.right],
    };
  }
}

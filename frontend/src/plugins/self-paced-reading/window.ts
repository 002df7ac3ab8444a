/**
 * A text of which one region is there at a time. What is covered is not in the page: its words are boxes of the width
 * that they had, each with a dash as long as the word, so that nothing moves when they come and go.
 */

import { element } from "../../page/blocks";
import { directionOf } from "../../page/direction";
import { LineScroll } from "./line-scroll";

export interface Region {
  readonly text: string;
  readonly words: number;
  /** What separates the region from the one before: a space, a line break or nothing. */
  readonly before: string;
}

export interface Uncovering {
  readonly stimulus: HTMLElement;
  readonly draw: () => void;
  readonly whole: readonly HTMLElement[];
  readonly hasScrolled: () => boolean;
}

export type WindowKind = "moving" | "cumulative" | "centred";

export class ReadingWindow {
  readonly element: HTMLElement;
  private readonly regions: readonly Region[];
  /** For each region the boxes of its words. */
  private boxes: HTMLElement[][] = [];
  private readonly spot: HTMLElement;
  private readonly scroll: LineScroll;

  constructor(
    regions: readonly Region[],
    private readonly kind: WindowKind,
  ) {
    this.regions = regions;
    this.scroll = new LineScroll(() => this.boxes.flat(), kind === "cumulative");
    this.spot = element("span", { class: "word covered" }, "\u00a0".repeat(7));
    const dir = directionOf(regions.map(({ text }) => text).join(" "));
    this.element = element("p", { class: `window ${kind}`, dir });
    if (kind === "centred") {
      this.element.append(this.spot);
      return;
    }
    for (const [index, region] of regions.entries()) {
      if (region.before === "\n") this.element.append(element("br"));
      else if (region.before !== "" && index > 0) this.element.append(" ");
      const boxes = wordsOf(region).map((word) => element("span", { class: "word" }, word));
      for (const [at, box] of boxes.entries()) this.element.append(...(at > 0 ? [" "] : []), box);
      this.boxes.push(boxes);
    }
  }

  /** Gives every word the room that it takes and covers it. Call it when the element is laid out, before it is seen. */
  pinAndCover(): void {
    const widths = this.boxes.map((boxes) => boxes.map((box) => box.getBoundingClientRect().width));
    for (const [index, boxes] of this.boxes.entries()) {
      for (const [at, box] of boxes.entries()) box.style.inlineSize = `${widths[index]?.[at] ?? 0}px`;
      this.cover(index);
    }
  }

  /**
   * The new element whose onset is that of a region, and what puts it on the page in the place of the one before, within the
   * window; `hasScrolled` tells whether the page was scrolled for it.
   */
  uncovering(index: number): Uncovering {
    const region = this.regions[index];
    if (region === undefined) throw new Error(`This text has no region ${index + 1}.`);
    if (this.kind === "centred") {
      const stimulus = element("span", { class: "word" }, region.text);
      const draw = () => this.element.replaceChildren(stimulus);
      return { stimulus, draw, whole: [stimulus], hasScrolled: () => false };
    }
    let scrolled = false;
    const fresh = wordsOf(region).map((word, at) => {
      const box = element("span", { class: "word" }, word);
      box.style.inlineSize = this.boxes[index]?.[at]?.style.inlineSize ?? "";
      return box;
    });
    const draw = () => {
      if (this.kind === "moving" && index > 0) this.cover(index - 1);
      for (const [at, box] of fresh.entries()) this.boxes[index]?.[at]?.replaceWith(box);
      this.boxes[index] = fresh;
      scrolled = this.scroll.bring(fresh);
    };
    return { stimulus: fresh[0] as HTMLElement, draw, whole: fresh, hasScrolled: () => scrolled };
  }

  /** Nothing in the middle of the page; its mark is painted and not seen. For regions that come by themselves. */
  blank(): { readonly stimulus: HTMLElement; readonly draw: () => void } {
    const stimulus = element("span", { class: "word blank", "aria-hidden": "true" }, "x");
    return { stimulus, draw: () => this.element.replaceChildren(stimulus) };
  }

  private cover(index: number): void {
    for (const box of this.boxes[index] ?? []) {
      box.className = "word covered";
      box.textContent = "\u00a0";
    }
  }
}

function wordsOf(region: Region): string[] {
  return region.text.split(/\s+/u);
}

/**
 * A text of which one region is there at a time. What is covered is not in the page: its words are boxes of the width
 * that they had, each with a dash as long as the word, so that nothing moves when they come and go.
 */

import { element } from "../../page/blocks";
import { type Direction, directionAt, directionOf } from "../../page/direction";
import { levelsOf, stretchesOf } from "../../page/levels";
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

/** A word, or a part of one that runs in one direction where the text around it runs in both. */
interface Piece {
  readonly text: string;
  readonly dir: Direction | null;
}

export type WindowKind = "moving" | "cumulative" | "centred";

export class ReadingWindow {
  readonly element: HTMLElement;
  private readonly regions: readonly Region[];
  /** For each region the pieces of its text, and their boxes. */
  private readonly pieces: Piece[][] = [];
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
    for (const [number, line] of linesOf(regions).entries()) {
      if (number > 0) this.element.append(element("br"));
      this.layLine(line, dir);
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
    const fresh = (this.pieces[index] ?? []).map((piece, at) => {
      const box = boxOf(piece);
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

  /** Puts the boxes of a line where the browser would put its words in plain text. */
  private layLine(regions: readonly Region[], dir: Direction): void {
    const text = regions.map((region, index) => gapBefore(region, index) + wordsOf(region.text).join(" ")).join("");
    const levels = levelsOf(text, dir);
    const base = dir === "rtl" ? 1 : 0;
    const whole = levels === null ? this.element : element("span", { class: "both-ways" });
    if (levels !== null) this.element.append(whole);
    const inside: HTMLElement[] = [whole];
    /** Goes to the level of what comes next, out of and into elements of the other direction. */
    const at = (level: number): HTMLElement => {
      inside.length = Math.min(inside.length, level - base + 1);
      while (inside.length < level - base + 1) {
        const within = element("span", { dir: directionAt(base + inside.length) });
        inside.at(-1)?.append(within);
        inside.push(within);
      }
      return inside.at(-1) as HTMLElement;
    };
    let place = 0;
    for (const [index, region] of regions.entries()) {
      const pieces: Piece[] = [];
      const boxes: HTMLElement[] = [];
      for (const [number, word] of wordsOf(region.text).entries()) {
        const gap = number > 0 ? " " : gapBefore(region, index);
        const gapIn = at(levels?.[place] ?? base);
        // Between the parts of a word no line ends, and so lines that have such parts end in gaps alone.
        if (levels === null) gapIn.append(gap);
        else if (gap !== "") gapIn.append(element("span", { class: "gap" }, gap));
        else if (index > 0 && number === 0) gapIn.append(element("wbr"));
        place += gap.length;
        const stretches = levels === null ? [] : stretchesOf(levels, place, place + word.length);
        if (stretches.length === 0) stretches.push({ start: place, end: place + word.length, level: base });
        for (const { start, end, level } of stretches) {
          const piece = { text: text.slice(start, end), dir: levels === null ? null : directionAt(level) };
          const box = boxOf(piece);
          at(level).append(box);
          pieces.push(piece);
          boxes.push(box);
        }
        place += word.length;
      }
      this.pieces.push(pieces);
      this.boxes.push(boxes);
    }
  }

  private cover(index: number): void {
    for (const box of this.boxes[index] ?? []) {
      box.className = "word covered";
      box.textContent = "\u00a0";
    }
  }
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/u);
}

function gapBefore({ before }: Region, index: number): string {
  return index > 0 && before !== "" ? " " : "";
}

/** The regions by the lines that the author has broken. */
function linesOf(regions: readonly Region[]): Region[][] {
  const lines: Region[][] = [];
  for (const region of regions) {
    const line = lines.at(-1);
    if (line === undefined || region.before === "\n") lines.push([region]);
    else line.push(region);
  }
  return lines;
}

function boxOf({ text, dir }: Piece): HTMLElement {
  return element("span", { class: "word", dir: dir ?? false }, text);
}

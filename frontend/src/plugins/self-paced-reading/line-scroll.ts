/**
 * Scrolls a text that is longer than the window by whole lines, in the frame that uncovers a region outside of it: never while
 * a region is read. With a moving window the line goes to where the first line stood, as on a new page. With a cumulative one
 * the text goes on by as few lines as are needed, so that what was read stays in sight.
 */

import { visibleWindow } from "../../timing/view";

/** Clear of the progress line above and the word about the connection below, in pixels; less in windows that are low. */
const ROOM = 48;
const SHARE_OF_ROOM = 0.15;
/** No text begins further down in the window than this share of its height. */
const LOWEST_BEGINNING = 1 / 3;

interface Span {
  readonly top: number;
  readonly bottom: number;
}

export class LineScroll {
  constructor(
    /** All words of the text, in their order. */
    private readonly words: () => readonly HTMLElement[],
    private readonly isCumulative: boolean,
  ) {}

  /** Brings the lines of a region into the window. Returns whether the page was scrolled for that. */
  bring(region: readonly HTMLElement[]): boolean {
    const before = window.scrollY;
    const span = spanOf(region);
    const { top, bottom } = visibleWindow();
    const room = Math.min(ROOM, SHARE_OF_ROOM * (bottom - top));
    const fits = (offset: number) => span.top - offset >= top + room - 1 && span.bottom - offset <= bottom - room + 1;
    if (fits(before)) return false;
    const offsets = this.offsets(top + LOWEST_BEGINNING * (bottom - top), span);
    // As far as is needed with a cumulative window, else as far as the line itself.
    const fitting = offsets.filter(fits);
    const needed = fitting.find((offset) => offset >= before) ?? fitting.at(-1);
    const offset = (this.isCumulative ? needed : fitting.at(-1)) ?? offsets.at(-1) ?? 0;
    window.scrollTo({ left: window.scrollX, top: offset, behavior: "instant" });
    return Math.abs(window.scrollY - before) > 1;
  }

  /** How far the page is scrolled where each line, down to that of a region, stands in the place of the first one. */
  private offsets(lowest: number, region: Span): number[] {
    const lines = this.lines().filter((line) => line < region.bottom);
    const first = lines[0] ?? 0;
    const { scrollHeight, clientHeight } = document.documentElement;
    const offsets = lines.map((line) => Math.max(0, line - Math.min(first, lowest)));
    return offsets.filter((offset) => offset <= scrollHeight - clientHeight);
  }

  /** Where the lines of the text begin, from the top of the page. */
  private lines(): number[] {
    const lines: number[] = [];
    let bottom = Number.NEGATIVE_INFINITY;
    for (const word of this.words()) {
      const span = spanOf([word]);
      if ((span.top + span.bottom) / 2 > bottom) lines.push(span.top);
      bottom = Math.max(bottom, span.bottom);
    }
    return lines;
  }
}

/** What some words take of the height of the page. */
function spanOf(words: readonly HTMLElement[]): Span {
  const boxes = words.map((word) => word.getBoundingClientRect());
  return {
    top: Math.min(...boxes.map(({ top }) => top)) + window.scrollY,
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)) + window.scrollY,
  };
}

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
    const lines = this.lines();
    const first = lines[0] ?? span.top;
    const beginning = Math.min(first, top + LOWEST_BEGINNING * (bottom - top));
    const wanted = span.top - beginning;
    const offsets = offsetsOf(lines, span);
    const fitting = offsets.filter(fits);
    const next = this.isCumulative ? fitting.find((offset) => offset >= before) : undefined;
    const offset = next ?? nearest(wanted, fitting) ?? nearest(wanted, offsets) ?? 0;
    window.scrollTo({ left: window.scrollX, top: offset, behavior: "instant" });
    return Math.abs(window.scrollY - before) > 1;
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

/** How far the page can be scrolled by whole lines, as far as it goes. */
function offsetsOf(lines: readonly number[], region: Span): number[] {
  const { scrollHeight, clientHeight } = document.documentElement;
  const most = scrollHeight - clientHeight;
  const first = lines[0] ?? 0;
  const offsets = lines.map((line) => line - first);
  const pitch = Math.max(1, offsets[1] ?? region.bottom - region.top);
  // Beyond the last line, where the text begins far down in a window that is low.
  for (let last = offsets.at(-1) ?? 0; last + pitch <= most; ) {
    last += pitch;
    offsets.push(last);
  }
  return offsets.filter((offset) => offset <= most);
}

function nearest(wanted: number, offsets: readonly number[]): number | undefined {
  const distances = offsets.map((offset) => Math.abs(offset - wanted));
  return offsets[distances.indexOf(Math.min(...distances))];
}

/** What some words take of the height of the page. */
function spanOf(words: readonly HTMLElement[]): Span {
  const boxes = words.map((word) => word.getBoundingClientRect());
  return {
    top: Math.min(...boxes.map(({ top }) => top)) + window.scrollY,
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)) + window.scrollY,
  };
}

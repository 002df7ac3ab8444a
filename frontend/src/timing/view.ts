/**
 * What of a page is in the window. The window is the visual viewport: browser zoom, a pinch and the keyboard of a telephone
 * all make it smaller, and a box that scrolls can hide a part of what stands in it.
 *
 * Two rules, as docs/timing.md says for each paradigm. What is timed from its onset must be in the window as a whole when
 * it comes up (`broughtIntoView`). What people read at their own pace may be longer than the window: all of it must have been in
 * the window before the answer (`Seen`).
 */

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Boxes stand on fractions of pixels, and scrolling stops at whole ones. */
const ROUNDING = 1;
/** The part of a text that has to be in the window at once: less than a line is high. */
const PART = { width: 120, height: 24 };
/** Longer texts have larger parts. */
const MOST_PARTS = 100;

/** The part of the page that can be seen, in the coordinates of `getBoundingClientRect`. */
export function visibleWindow(): Rectangle {
  const viewport = window.visualViewport;
  const left = viewport?.offsetLeft ?? 0;
  const top = viewport?.offsetTop ?? 0;
  const width = viewport?.width ?? window.innerWidth;
  const height = viewport?.height ?? window.innerHeight;
  return { left, top, right: left + width, bottom: top + height };
}

/** Whether every element is in the window as a whole, `room` pixels from its upper and lower edge where that is given. */
export function isInView(elements: readonly Element[], room = 0): boolean {
  return elements.every((each) => {
    const seen = visiblePartAround(each);
    return each.isConnected && isInside(each.getBoundingClientRect(), grown(seen, -room));
  });
}

/** Scrolls what is not in the window into it, as far as it fits. Returns whether every element is in the window then. */
export function broughtIntoView(elements: readonly Element[]): boolean {
  if (isInView(elements)) return true;
  // A trial that was skipped in a preview goes on without a page.
  for (const each of elements.filter(({ isConnected }) => isConnected)) {
    if (!isInView([each])) each.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  }
  return isInView(elements);
}

/** Which of these were not in the window as a whole when they came up, counted from 1. */
export function outOfView(shown: readonly { readonly inView: boolean | null }[]): number[] {
  return shown.flatMap(({ inView }, index) => (inView === false ? [index + 1] : []));
}

/** Watches what of some elements has been in the window since they were drawn. */
export class Seen {
  private readonly parts = new Map<Element, Parts>();
  private listening: AbortController | null = null;

  constructor(private readonly elements: readonly Element[]) {}

  /** Draws a new page from its top, and watches from then on. */
  drawing(draw: () => void): () => void {
    return () => {
      draw();
      window.scrollTo(0, 0);
      this.begin();
    };
  }

  /** Stops watching; returns how many of the elements have not been in the window as a whole. */
  end(): number {
    this.look();
    this.listening?.abort();
    return this.elements.filter((each) => !this.parts.get(each)?.areSeen).length;
  }

  /** Watches, once more where it has ended: what was seen before stays seen. */
  begin(): void {
    for (const each of this.elements) {
      if (!this.parts.has(each)) this.parts.set(each, new Parts(each.getBoundingClientRect()));
    }
    this.listening = new AbortController();
    const { signal } = this.listening;
    // Scrolling of a box inside the page does not bubble.
    document.addEventListener("scroll", this.look, { capture: true, passive: true, signal });
    window.addEventListener("resize", this.look, { signal });
    window.visualViewport?.addEventListener("scroll", this.look, { signal });
    window.visualViewport?.addEventListener("resize", this.look, { signal });
    this.look();
  }

  private readonly look = (): void => {
    for (const [each, parts] of this.parts) {
      // A trial that is skipped in a preview leaves its page without an end.
      if (each.isConnected) parts.look(each.getBoundingClientRect(), visiblePartAround(each));
      else if (!this.elements.some(({ isConnected }) => isConnected)) this.listening?.abort();
    }
  };
}

/** The parts of one element that have not been in the window yet, as shares of its width and height. */
class Parts {
  private readonly columns: number;
  private readonly rows: number;
  private readonly unseen: Set<number>;

  constructor(box: Rectangle) {
    this.columns = numberOf(box.right - box.left, PART.width);
    this.rows = numberOf(box.bottom - box.top, PART.height);
    this.unseen = new Set(Array.from({ length: this.columns * this.rows }, (_unused, part) => part));
  }

  get areSeen(): boolean {
    return this.unseen.size === 0;
  }

  look(box: Rectangle, seen: Rectangle): void {
    const width = (box.right - box.left) / this.columns;
    const height = (box.bottom - box.top) / this.rows;
    for (const part of this.unseen) {
      const left = box.left + (part % this.columns) * width;
      const top = box.top + Math.floor(part / this.columns) * height;
      if (isInside({ left, top, right: left + width, bottom: top + height }, seen)) this.unseen.delete(part);
    }
  }
}

function numberOf(length: number, part: number): number {
  return Math.min(MOST_PARTS, Math.max(1, Math.ceil(length / part)));
}

/** The window, as far as no box around the element cuts it off. */
function visiblePartAround(each: Element): Rectangle {
  let seen = visibleWindow();
  for (let box = each.parentElement; box !== null && box !== document.body; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const edges = box.getBoundingClientRect();
    if (cuts(overflowX)) {
      seen = { ...seen, left: Math.max(seen.left, edges.left), right: Math.min(seen.right, edges.right) };
    }
    if (cuts(overflowY)) {
      seen = { ...seen, top: Math.max(seen.top, edges.top), bottom: Math.min(seen.bottom, edges.bottom) };
    }
  }
  return seen;
}

function cuts(overflow: string): boolean {
  return overflow !== "" && overflow !== "visible";
}

function grown({ left, top, right, bottom }: Rectangle, by: number): Rectangle {
  return { left, top: top - by, right, bottom: bottom + by };
}

function isInside(inner: Rectangle, outer: Rectangle): boolean {
  return (
    inner.left >= outer.left - ROUNDING &&
    inner.top >= outer.top - ROUNDING &&
    inner.right <= outer.right + ROUNDING &&
    inner.bottom <= outer.bottom + ROUNDING
  );
}

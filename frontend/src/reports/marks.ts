/** The marks of a figure that have words: what they say, where they are, and which one comes next. */

/** Where something is, in pixels of the window. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Direction = "across" | "down";

const MARKS = '.role-mark:not([aria-hidden="true"]) > [aria-label]';
// The name of the data behind means in `analysis.reports.figure_words`.
const BEHIND = "single value";
const BETWEEN = "; ";

/** The marks of a picture, means before the single values behind them; one list for each layer of each panel. */
export function layersOf(picture: Element): SVGElement[][] {
  const layers = new Map<Element | null, SVGElement[]>();
  for (const mark of picture.querySelectorAll<SVGElement>(MARKS)) {
    const layer = layers.get(mark.parentElement);
    if (layer === undefined) layers.set(mark.parentElement, [mark]);
    else layer.push(mark);
  }
  const isBehind = (layer: readonly Element[]) => layer[0]?.getAttribute("aria-roledescription") === BEHIND;
  const all = [...layers.values()];
  return [...all.filter((layer) => !isBehind(layer)), ...all.filter(isBehind)];
}

/** What a mark says, a line for each of its parts. */
export function wordsOf(mark: Element): string[] {
  return (mark.getAttribute("aria-label") ?? "").split(BETWEEN).map((part) => part.trim());
}

export function middleOf(box: Box): Point {
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** The places of boxes in the order in which arrow keys go through them: from left to right, or from top to bottom. */
export function inOrder(boxes: readonly Box[], direction: Direction): number[] {
  const middles = boxes.map(middleOf);
  const far = (place: number): [number, number] => {
    const { x, y } = middles[place] ?? { x: 0, y: 0 };
    return direction === "across" ? [x, y] : [y, x];
  };
  return boxes
    .map((_, place) => place)
    .sort((one, other) => {
      const [first, then] = far(one);
      const [firstOfOther, thenOfOther] = far(other);
      return first - firstOfOther || then - thenOfOther || one - other;
    });
}

/** The place of the box that is meant by a point: the smallest one around it, else the nearest within `reach`. */
export function nearest(boxes: readonly Box[], at: Point, reach: number): number | null {
  let found: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  boxes.forEach((box, place) => {
    const beside = distance(box, at);
    if (beside > reach) return;
    const middle = middleOf(box);
    // Within large marks the nearest edge says nothing; small ones that lie on them win by their middle.
    const cost = beside * 1_000 + Math.hypot(middle.x - at.x, middle.y - at.y);
    if (cost < least) {
      least = cost;
      found = place;
    }
  });
  return found;
}

function distance(box: Box, at: Point): number {
  const aside = Math.max(box.left - at.x, 0, at.x - box.left - box.width);
  const above = Math.max(box.top - at.y, 0, at.y - box.top - box.height);
  return Math.hypot(aside, above);
}

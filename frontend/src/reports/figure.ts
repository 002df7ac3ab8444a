/**
 * A figure whose marks say their values: pointed at, tapped, or reached by Tab and the arrow keys. The picture is the file
 * itself, and so are the words of its marks.
 */

import { type Box, type Direction, inOrder, layersOf, nearest, wordsOf } from "./marks";
import { Tip } from "./tip";

const REACH_OF_MOUSE = 14;
const REACH_OF_FINGER = 30;
// Number of marks by which Page Up and Page Down move.
const LEAP = 10;
const AROUND = 3;

/** Which key goes how far in which direction; what is not here is left to the browser. */
const STEPS: Readonly<Record<string, readonly [Direction, number]>> = {
  ArrowRight: ["across", 1],
  ArrowLeft: ["across", -1],
  ArrowDown: ["down", 1],
  ArrowUp: ["down", -1],
  PageDown: ["across", LEAP],
  PageUp: ["across", -LEAP],
  End: ["across", Number.POSITIVE_INFINITY],
  Home: ["across", Number.NEGATIVE_INFINITY],
};

export class LiveFigure {
  private readonly layers: SVGElement[][];
  private readonly marks: SVGElement[];
  private readonly tip = new Tip();
  private readonly ring = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  private current: SVGElement | null = null;
  private shown: { readonly mark: SVGElement; readonly box: Box } | null = null;
  private orders: Partial<Record<Direction, SVGElement[]>> = {};

  /** `box` holds the picture; `hint` says how the keys work. */
  constructor(
    private readonly box: HTMLElement,
    private readonly picture: SVGSVGElement,
    private readonly hint: string,
  ) {
    this.layers = layersOf(picture);
    this.marks = this.layers.flat();
    this.ring.setAttribute("class", "figure-ring");
    this.ring.setAttribute("aria-hidden", "true");
  }

  begin(): void {
    const first = this.inOrder("across")[0];
    if (first === undefined) return;
    this.picture.append(this.ring);
    this.box.append(this.tip.element);
    first.setAttribute("tabindex", "0");
    this.current = first;
    this.picture.addEventListener("keydown", (event) => this.onKey(event));
    this.picture.addEventListener("focusin", (event) => {
      if (event.target instanceof SVGElement && this.marks.includes(event.target)) this.show(event.target, this.hint);
    });
    // A finger on another mark takes the focus away after that mark's words were shown.
    this.picture.addEventListener("focusout", (event) => {
      if (event.target === this.shown?.mark) this.hide();
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") this.point(event, REACH_OF_MOUSE);
    });
    this.picture.addEventListener("pointerup", (event) => {
      if (event.pointerType !== "mouse") this.point(event, REACH_OF_FINGER);
    });
    // Who wants to read or copy the words may go over them.
    this.box.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.hide();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
    document.addEventListener("pointerdown", (event) => {
      if (event.target instanceof Node && !this.box.contains(event.target)) this.hide();
    });
    // Words that stand still while their mark moves away would be those of another one.
    addEventListener("scroll", () => this.follow(), { capture: true, passive: true });
    addEventListener("resize", () => {
      this.orders = {};
      this.hide();
    });
  }

  private point(at: PointerEvent, reach: number): void {
    const boxes = this.marks.map(boxOf);
    const place = nearest(boxes, { x: at.clientX, y: at.clientY }, reach);
    const mark = place === null ? undefined : this.marks[place];
    if (mark === undefined) this.hide();
    else this.show(mark);
  }

  private onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey || this.current === null) return;
    event.preventDefault();
    const order = this.inOrder(step[0]);
    const wanted = order.indexOf(this.current) + step[1];
    const next = order[Math.max(0, Math.min(order.length - 1, wanted))];
    if (next === undefined) return;
    this.current.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    this.current = next;
    // Scrolled first: whatever scrolls takes the words away.
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    next.focus({ preventScroll: true });
    this.show(next, this.hint);
  }

  private show(mark: SVGElement, hint = ""): void {
    const box = boxOf(mark);
    this.shown = { mark, box };
    this.frame(mark);
    this.tip.show(wordsOf(mark), box, hint);
  }

  private follow(): void {
    if (this.shown === null) return;
    const box = boxOf(this.shown.mark);
    const hasMoved = Math.hypot(box.left - this.shown.box.left, box.top - this.shown.box.top) > 1;
    if (!hasMoved) return;
    if (this.shown.mark === document.activeElement) this.show(this.shown.mark, this.hint);
    else this.hide();
  }

  private hide(): void {
    this.shown = null;
    this.tip.hide();
    this.ring.removeAttribute("width");
    this.ring.removeAttribute("height");
  }

  /** Draws a frame around a mark, in the picture's own measure. */
  private frame(mark: SVGElement): void {
    const box = boxOf(mark);
    const outwards = this.picture.getScreenCTM();
    if (outwards === null) return;
    const corner = new DOMPoint(box.left, box.top).matrixTransform(outwards.inverse());
    const place = {
      x: corner.x - AROUND,
      y: corner.y - AROUND,
      width: box.width / outwards.a + 2 * AROUND,
      height: box.height / outwards.d + 2 * AROUND,
    };
    for (const [name, value] of Object.entries(place)) this.ring.setAttribute(name, value.toFixed(2));
  }

  private inOrder(direction: Direction): SVGElement[] {
    const known = this.orders[direction];
    if (known !== undefined) return known;
    const found = this.layers.flatMap((layer) =>
      inOrder(layer.map(boxOf), direction).flatMap((place) => layer[place] ?? []),
    );
    this.orders[direction] = found;
    return found;
  }
}

function boxOf(mark: Element): Box {
  return mark.getBoundingClientRect();
}

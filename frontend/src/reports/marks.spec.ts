import { describe, expect, it } from "vitest";
import { inOrder, layersOf, nearest, wordsOf } from "./marks";
import { pictureIn } from "./picture";
import { placed } from "./tip";

const box = (left: number, top: number, width = 4, height = 4) => ({ left, top, width, height });

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
  <defs><clipPath id="clip0"><rect/></clipPath></defs>
  <g class="role-axis" aria-label="X-axis"><path aria-label="because"/></g>
  <g class="mark-symbol role-mark"><path aria-label="a: 1" aria-roledescription="single value"/></g>
  <g class="mark-rule role-mark" aria-hidden="true"><line aria-label="never"/></g>
  <g class="mark-symbol role-mark" clip-path="url(#clip0)"><path aria-label="m: 1; n: 2"/><path aria-label="m: 3"/></g>
  </svg>`;

describe("the marks of a figure", () => {
  it("are those with words, means before what stands behind them", () => {
    const picture = pictureIn(PICTURE);
    const layers = layersOf(picture as SVGSVGElement);
    expect(layers.map((layer) => layer.map((mark) => wordsOf(mark)))).toEqual([
      [["m: 1", "n: 2"], ["m: 3"]],
      [["a: 1"]],
    ]);
  });

  it("are gone through from left to right, or from top to bottom", () => {
    const boxes = [box(20, 0), box(0, 30), box(20, 10), box(10, 5)];
    expect(inOrder(boxes, "across")).toEqual([1, 3, 0, 2]);
    expect(inOrder(boxes, "down")).toEqual([0, 3, 2, 1]);
  });

  it("are meant by a point around which they are, or that is near", () => {
    const bars = [box(0, 0, 10, 100), box(10, 40, 10, 60)];
    expect(nearest(bars, { x: 12, y: 90 }, 14)).toBe(1);
    expect(nearest(bars, { x: 12, y: 20 }, 14)).toBe(0);
    expect(nearest(bars, { x: 60, y: 20 }, 14)).toBeNull();
    expect(nearest([box(0, 0), box(6, 0)], { x: 9, y: 3 }, 14)).toBe(1);
  });
});

describe("a picture", () => {
  it("keeps what it refers to apart from that of another one", () => {
    const [one, other] = [pictureIn(PICTURE), pictureIn(PICTURE)].map(
      (picture) => picture?.querySelector("clipPath")?.id,
    );
    expect(one).not.toBe(other);
    const third = pictureIn(PICTURE);
    const id = third?.querySelector("clipPath")?.id;
    expect(third?.querySelector("[clip-path]")?.getAttribute("clip-path")).toBe(`url(#${id})`);
  });

  it("is none where a text is no picture", () => {
    expect(pictureIn("<p>no</p>")).toBeNull();
    expect(pictureIn("not found <")).toBeNull();
  });
});

describe("the words beside a mark", () => {
  const size = { width: 200, height: 60 };
  const telephone = { width: 390, height: 844 };

  it("stand above it, or below where there is no room", () => {
    expect(placed(box(190, 400, 10, 10), size, telephone)).toEqual({ left: 95, top: 330 });
    expect(placed(box(190, 20, 10, 10), size, telephone)).toEqual({ left: 95, top: 40 });
  });

  it("never leave the window", () => {
    for (const left of [-50, 0, 385, 500])
      for (const top of [-50, 0, 840, 900]) {
        const at = placed(box(left, top), size, telephone);
        expect(at.left).toBeGreaterThanOrEqual(8);
        expect(at.left + size.width).toBeLessThanOrEqual(382);
        expect(at.top).toBeGreaterThanOrEqual(8);
        expect(at.top + size.height).toBeLessThanOrEqual(836);
      }
  });
});

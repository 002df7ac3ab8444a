import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeWindow } from "./fake-window";
import { broughtIntoView, isInView, outOfView, type Rectangle, Seen } from "./view";

const SIZE = { width: 390, height: 844, pageHeight: 3000 };

const boxes = new Map<Element, Rectangle>();
let fake: FakeWindow;

function placed(top: number, height = 30, left = 20, width = 200): HTMLElement {
  const element = document.createElement("p");
  document.body.append(element);
  boxes.set(element, { left, top, right: left + width, bottom: top + height });
  return element;
}

beforeEach(() => {
  document.body.replaceChildren();
  boxes.clear();
  fake = new FakeWindow(SIZE, (element) => boxes.get(element) ?? { left: 0, top: 0, right: 390, bottom: 3000 });
});

afterEach(() => fake.restore());

describe("what is in the window", () => {
  test.each([
    ["inside", placed, 100, true],
    ["half a pixel over the edge, as boxes stand on fractions", placed, 814.5, true],
    ["cut off below", placed, 820, false],
    ["below", placed, 2000, false],
  ])("an element is %s", (_where, place, top, expected) => {
    expect(isInView([place(top)])).toBe(expected);
  });

  test("one of several that is not in it makes them not be in it, and nothing is in it that is not on the page", () => {
    expect(isInView([placed(100), placed(900)])).toBe(false);
    expect(isInView([document.createElement("p")])).toBe(false);
  });

  test("an element is cut off at the side", () => {
    expect(isInView([placed(100, 30, 300, 200)])).toBe(false);
    expect(isInView([placed(100, 30, -20, 200)])).toBe(false);
  });

  test("the keyboard of a telephone makes the window smaller", () => {
    const field = placed(600);
    expect(isInView([field])).toBe(true);
    fake.resize({ height: 420 });
    expect(isInView([field])).toBe(false);
  });

  test("two fingers that zoom leave a part of the window, wherever it is", () => {
    const [above, inside] = [placed(100), placed(500)];
    fake.resize({ width: 260, height: 400, offsetTop: 300, offsetLeft: 0, scale: 1.5 });
    expect([isInView([above]), isInView([inside])]).toEqual([false, true]);
  });

  test("a box that scrolls hides what stands outside of it", () => {
    const [box, inside, outside] = [placed(0, 200), placed(50), placed(300)];
    Object.assign(box.style, { overflowX: "auto", overflowY: "auto" });
    box.append(inside, outside);
    expect([isInView([inside]), isInView([outside])]).toEqual([true, false]);
  });

  test("what is outside is brought into it, and what is inside is not moved", () => {
    const [inside, outside] = [placed(100), placed(1000)];
    expect(broughtIntoView([inside])).toBe(true);
    expect(fake.scrolled).toEqual([]);
    expect(broughtIntoView([outside])).toBe(true);
    expect(fake.top).toBe(1030 - 844);
    expect(broughtIntoView([placed(100, 900)])).toBe(false);
  });

  test("places are counted from 1, and what nobody asked about is not among them", () => {
    expect(outOfView([{ inView: true }, { inView: false }, { inView: null }, { inView: false }])).toEqual([2, 4]);
  });
});

describe("what was in the window before the answer", () => {
  function seen(...elements: HTMLElement[]): Seen {
    const watching = new Seen(elements);
    watching.drawing(() => {})();
    return watching;
  }

  test("a text that is longer than the window counts once all of it was scrolled through", () => {
    const watching = seen(placed(100, 2000));
    for (const top of [0, 700, 1256]) fake.scroll(top);
    expect(watching.end()).toBe(0);
  });

  test("a line in the middle that was jumped over was not seen", () => {
    const watching = seen(placed(100, 2000));
    for (const top of [0, 1256]) fake.scroll(top);
    expect(watching.end()).toBe(1);
  });

  test("a text whose end was never scrolled to was not seen, others were", () => {
    expect(seen(placed(100, 200), placed(400, 500)).end()).toBe(1);
  });

  test("what was seen before the keyboard opened stays seen", () => {
    const watching = seen(placed(400, 300));
    fake.resize({ height: 350 });
    expect(watching.end()).toBe(0);
  });

  test("what the keyboard hides from the beginning is seen once it closes", () => {
    fake.resize({ height: 350 });
    const [open, closed] = [seen(placed(400, 300)), seen(placed(400, 300))];
    expect(open.end()).toBe(1);
    fake.resize({ height: 844 });
    expect(closed.end()).toBe(0);
  });

  test("a new page begins at its top", () => {
    fake.scroll(600);
    const watching = new Seen([placed(100)]);
    watching.drawing(() => expect(fake.top).toBe(600))();
    expect(fake.top).toBe(0);
    expect(watching.end()).toBe(0);
  });

  test("nothing counts after the end", () => {
    const text = placed(1000);
    const watching = seen(text);
    expect(watching.end()).toBe(1);
    fake.scroll(600);
    fake.scroll(0);
    expect(watching.end()).toBe(1);
  });

  test("a page that was never drawn was not seen", () => {
    expect(new Seen([placed(100)]).end()).toBe(1);
  });
});

/** A window over a page, for tests: jsdom lays nothing out and scrolls nothing. */

import type { Rectangle } from "./view";

export class FakeWindow {
  left = 0;
  top = 0;
  /** Every place that the page was scrolled to. */
  readonly scrolled: number[] = [];
  readonly viewport = Object.assign(new EventTarget(), { offsetLeft: 0, offsetTop: 0, width: 0, height: 0, scale: 1 });
  private readonly undo: (() => void)[] = [];

  /** `boxOf` gives the box of an element from the upper left corner of the page. */
  constructor(
    options: { readonly width: number; readonly height: number; readonly pageHeight: number },
    private readonly boxOf: (element: Element) => Rectangle,
  ) {
    const { width, height, pageHeight } = options;
    Object.assign(this.viewport, { width, height });
    const fake = this;
    this.replace(window, "visualViewport", { value: this.viewport });
    this.replace(window, "scrollX", { get: () => fake.left });
    this.replace(window, "scrollY", { get: () => fake.top });
    this.replace(document.documentElement, "clientHeight", { value: height });
    this.replace(document.documentElement, "scrollHeight", { value: pageHeight });
    const scrollTo = (to: number | ScrollToOptions, top = 0) => {
      const wanted = typeof to === "number" ? top : (to.top ?? fake.top);
      fake.scroll(Math.min(Math.max(0, wanted), Math.max(0, pageHeight - height)));
    };
    this.replace(window, "scrollTo", { value: scrollTo });
    this.replace(Element.prototype, "getBoundingClientRect", {
      value(this: Element) {
        const { left, top, right, bottom } = fake.boxOf(this);
        const shown = {
          left: left - fake.left,
          right: right - fake.left,
          top: top - fake.top,
          bottom: bottom - fake.top,
        };
        return { ...shown, x: shown.left, y: shown.top, width: right - left, height: bottom - top };
      },
    });
    this.replace(Element.prototype, "scrollIntoView", {
      value(this: Element) {
        const { top, bottom } = this.getBoundingClientRect();
        if (bottom > height) scrollTo(0, fake.top + bottom - height);
        else if (top < 0) scrollTo(0, fake.top + top);
      },
    });
  }

  /** The page is scrolled, by somebody or by a script. */
  scroll(top: number): void {
    this.top = top;
    this.scrolled.push(top);
    document.dispatchEvent(new Event("scroll"));
  }

  /** The keyboard of a telephone opens or closes, or two fingers zoom. */
  resize(viewport: Partial<Omit<VisualViewport, keyof EventTarget>>): void {
    Object.assign(this.viewport, viewport);
    this.viewport.dispatchEvent(new Event("resize"));
  }

  restore(): void {
    for (const undo of this.undo.splice(0).reverse()) undo();
  }

  private replace(owner: object, name: string, property: PropertyDescriptor): void {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    const isValue = "value" in property;
    Object.defineProperty(owner, name, { configurable: true, ...(isValue ? { writable: true } : {}), ...property });
    this.undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, before);
    });
  }
}

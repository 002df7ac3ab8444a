/**
 * One press acts on one page: what a finger, a mouse or a key began before a page was on the screen does nothing on it.
 *
 * Its release, its repeats, and the click that follows are kept from the page, and so are
 * - a press before the first frame that can show a page: nobody can have meant it;
 * - the second tap of a double tap, a second finger, and the second click of a double click, where the first one was meant
 *   for an earlier page: they are one gesture. Fingers are told apart by time, as platforms do it (300 ms); a mouse tells
 *   by itself how many clicks it has counted.
 *
 * A click without a pointer and without a key comes from a screen reader or a switch, and is let through. Events are only
 * stopped, never delayed or made anew, so that their time stamps stay those of the input.
 */

/** From a finger's release to the next touch, as Android counts a double tap. */
export const DOUBLE_TAP_MS = 300;
/** Clicks follow a release at once, or, where a browser waits for a double tap to zoom, some 300 ms later. */
const CLICK_FOLLOWS_WITHIN_MS = 1000;
const FINGERS_KEPT = 10;
/** They move the focus or leave full screen, and act on no page. */
const KEYS_OF_THE_BROWSER = ["Tab", "Escape"];
const EVENTS = [
  "pointerdown",
  "pointerup",
  "pointercancel",
  "mousedown",
  "mouseup",
  "click",
  "touchstart",
  "touchend",
  "keydown",
  "keypress",
  "keyup",
] as const;

/** Of an element in which presses are judged against the onset of a stimulus, which tells more than the time between taps. */
export const JUDGES_PRESSES = "data-judges-presses";

interface PointerPress {
  began: number;
  ended: number | null;
  readonly isMouse: boolean;
}

const LONG_AGO = Number.NEGATIVE_INFINITY;

export class PressGuard {
  /** How many presses, not counting their releases and repeats, were kept from a page. */
  early = 0;
  private shownAt = LONG_AGO;
  private turns = 0;
  private readonly pages = new WeakSet<Node>();
  private readonly pointers = new Map<number, PointerPress>();
  private latest: PointerPress | null = null;
  private primary: PointerPress | null = null;
  private previous: PointerPress | null = null;
  private readonly touches = new Map<number, number>();
  private readonly keys = new Map<string, number>();
  /** While the event of a key that was refused is under way, and the click that it may cause. */
  private isKeyRefused = false;

  /** Listens from now on, before anything else on the page does. */
  listen(target: Window = window): void {
    for (const name of EVENTS) target.addEventListener(name, this.judge, { capture: true, passive: false });
  }

  release(target: Window = window): void {
    for (const name of EVENTS) target.removeEventListener(name, this.judge, { capture: true });
  }

  /** Takes every element that is put into `place` from now on as a new page. */
  watch(place: HTMLElement): void {
    if (this.pages.has(place)) return;
    this.pages.add(place);
    const observer = new MutationObserver((records) => {
      if (records.some(({ addedNodes }) => [...addedNodes].some((node) => node instanceof Element))) this.turn();
    });
    observer.observe(place, { childList: true });
  }

  /**
   * Says that another page is there, where none is put into a place that is watched. It is on the screen with the next frame:
   * what was drawn in one goes to the screen when the next begins. `atOnce` takes presses from now on, where nothing is timed
   * and people who know the page work faster than that.
   */
  turn({ atOnce = false } = {}): void {
    this.turns += 1;
    const { turns } = this;
    const turnedAt = performance.now();
    this.shownAt = atOnce ? turnedAt : Number.POSITIVE_INFINITY;
    if (atOnce) return;
    requestAnimationFrame((timestamp) => {
      // On a busy computer a frame has the time at which it was due, which may lie before the press that turned the page.
      if (turns === this.turns) this.shownAt = Math.max(timestamp, turnedAt);
    });
  }

  /** Returns a function that says how many presses were kept from a page since it was asked last. */
  counting(): () => number {
    let before = this.early;
    return () => {
      const since = this.early - before;
      before = this.early;
      return since;
    };
  }

  private readonly judge = (event: Event): void => {
    const isRefused = this.isRefused(event);
    if (!isRefused || !this.isOfPage(event)) return;
    if (event.type === "pointerdown" || (event.type === "keydown" && !(event as KeyboardEvent).repeat)) this.early += 1;
    event.stopImmediatePropagation();
    // Touches may still scroll.
    if (event.cancelable && event.type !== "touchstart") event.preventDefault();
    if (!event.type.startsWith("key")) return;
    this.isKeyRefused = true;
    setTimeout(() => {
      this.isKeyRefused = false;
    });
  };

  private isRefused(event: Event): boolean {
    if (event instanceof KeyboardEvent) return this.isKeyEventRefused(event);
    switch (event.type) {
      case "pointerdown":
        return this.isEarlier(this.pointerDown(event as PointerEvent));
      case "pointerup":
        return this.isEarlier(this.pointerUp(event as PointerEvent));
      case "pointercancel":
        // It presses nothing, and what a pointer holds open must hear of it.
        this.pointerUp(event as PointerEvent);
        return false;
      case "touchstart":
      case "touchend":
        return this.isTouchRefused(event as TouchEvent);
      default:
        return this.isMouseEventRefused(event as MouseEvent);
    }
  }

  private isEarlier(press: { readonly began: number } | undefined): boolean {
    // What nobody saw beginning began before this document was there.
    return (press?.began ?? LONG_AGO) < this.shownAt;
  }

  private pointerDown(event: PointerEvent): PointerPress {
    const isMouse = event.pointerType === "mouse";
    const press: PointerPress = { began: event.timeStamp, ended: null, isMouse };
    const judgesItself = event.target instanceof Element && event.target.closest(`[${JUDGES_PRESSES}]`) !== null;
    if (!isMouse && !judgesItself) press.began = this.beginOfGesture(event.timeStamp);
    this.pointers.delete(event.pointerId);
    this.pointers.set(event.pointerId, press);
    const [oldest] = this.pointers.keys();
    if (this.pointers.size > FINGERS_KEPT && oldest !== undefined) this.pointers.delete(oldest);
    this.latest = press;
    if (event.isPrimary) {
      this.previous = this.primary;
      this.primary = press;
    }
    return press;
  }

  /** When the gesture began to which a finger belongs that comes down now. */
  private beginOfGesture(time: number): number {
    const begins = [...this.pointers.values()]
      .filter(({ isMouse, began, ended }) => !isMouse && time - (ended ?? began) <= DOUBLE_TAP_MS)
      .map(({ began }) => began)
      .filter((began) => began < this.shownAt);
    return Math.min(time, ...begins);
  }

  private pointerUp({ pointerId, timeStamp }: PointerEvent): PointerPress | undefined {
    const press = this.pointers.get(pointerId);
    if (press !== undefined) press.ended = timeStamp;
    return press;
  }

  private isTouchRefused(event: TouchEvent): boolean {
    const touches = [...event.changedTouches];
    if (event.type === "touchstart") {
      // The pointer came down just before.
      for (const { identifier } of touches) this.touches.set(identifier, this.latest?.began ?? event.timeStamp);
    }
    const refused = touches.filter(({ identifier }) => (this.touches.get(identifier) ?? LONG_AGO) < this.shownAt);
    if (event.type === "touchend") for (const { identifier } of touches) this.touches.delete(identifier);
    return refused.length > 0;
  }

  private isMouseEventRefused(event: MouseEvent): boolean {
    if (event.type === "click" && event.detail === 0) return this.isKeyRefused;
    const press = this.pressOf(event);
    // Nothing came down, and yet there is a click: software made it.
    if (press === null) return false;
    const first = this.previous;
    if (event.detail > 1 && first !== null && this.isEarlier(first)) press.began = Math.min(press.began, first.began);
    return this.isEarlier(press);
  }

  private pressOf(event: MouseEvent): PointerPress | null {
    const own = this.pointers.get((event as Partial<PointerEvent>).pointerId ?? -1);
    const press = event.type === "click" && own !== undefined ? own : this.primary;
    if (press === null) return null;
    return event.timeStamp - (press.ended ?? event.timeStamp) <= CLICK_FOLLOWS_WITHIN_MS ? press : null;
  }

  private isKeyEventRefused(event: KeyboardEvent): boolean {
    const { type, timeStamp } = event;
    const name = event.code || event.key;
    if (type === "keydown" && !event.repeat) this.keys.set(name, timeStamp);
    const began = this.keys.get(name);
    if (type === "keyup") this.keys.delete(name);
    if (event.isComposing || isOfBrowser(event)) return false;
    return (began ?? LONG_AGO) < this.shownAt;
  }

  /** Whether it is for the page that is watched, and not for what stands beside it. */
  private isOfPage({ target }: Event): boolean {
    if (target === document || target === document.body || target === document.documentElement) return true;
    for (let node = target as Node | null; node !== null; node = node.parentNode) if (this.pages.has(node)) return true;
    return false;
  }
}

function isOfBrowser(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey || KEYS_OF_THE_BROWSER.includes(event.key);
}

/** The guard that all pages share. */
export const presses = new PressGuard();

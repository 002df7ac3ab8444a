/** The ways of reading: what a pointer, a finger or the arrow keys do to a text. */

import type { Reason } from "../params";
import type { Listening } from "./listening";

/** What the ways of reading tell; nothing happens there while the text is not to be opened. */
export interface Opens {
  /** The pointer was at these places, in their order. */
  follow(
    places: readonly { readonly timeStamp: number; readonly clientX: number; readonly clientY: number }[],
    reason: "moved" | "scrolled",
  ): void;
  choose(aoi: number, time: number): void;
  leave(time: number, reason: Reason): void;
}

export interface Route {
  /** Where the pointer comes from; "" for keys. */
  readonly pointerType: string;
  /** The text was covered for another reason than this route's own. */
  interrupted(): void;
}

export class PointerRoute implements Route {
  pointerType = "mouse";
  private last: { readonly clientX: number; readonly clientY: number } | null = null;

  constructor(reading: Opens, listening: Listening) {
    listening.on(window, "pointermove", (event) => {
      if (event.pointerType === "touch") return;
      this.pointerType = event.pointerType;
      this.last = { clientX: event.clientX, clientY: event.clientY };
      reading.follow(placesOf(event), "moved");
    });
    listening.on(window, "scroll", (event) => {
      // The page goes on under a pointer that rests.
      if (this.last !== null) reading.follow([{ ...this.last, timeStamp: event.timeStamp }], "scrolled");
    });
    listening.on(document.documentElement, "pointerleave", (event) => {
      if (event.pointerType === "touch") return;
      this.last = null;
      reading.leave(event.timeStamp, "pointerleave");
    });
    listening.on(window, "pointercancel", (event) => {
      if (event.pointerType === "touch") return;
      this.last = null;
      reading.leave(event.timeStamp, "pointercancel");
    });
  }

  interrupted(): void {
    this.last = null;
  }
}

export class FingerRoute implements Route {
  readonly pointerType = "touch";
  private finger: number | null = null;

  constructor(reading: Opens, text: HTMLElement, listening: Listening) {
    text.classList.add("by-finger");
    listening.on(text, "pointerdown", (event) => {
      if (event.pointerType !== "touch" || this.finger !== null) return;
      this.finger = event.pointerId;
      reading.follow(placesOf(event), "moved");
    });
    listening.on(window, "pointermove", (event) => {
      if (event.pointerId === this.finger) reading.follow(placesOf(event), "moved");
    });
    for (const [name, reason] of [
      ["pointerup", "lifted"],
      ["pointercancel", "pointercancel"],
    ] as const) {
      listening.on(window, name, (event) => {
        if (event.pointerId !== this.finger) return;
        this.finger = null;
        reading.leave(event.timeStamp, reason);
      });
    }
  }

  interrupted(): void {
    this.finger = null;
  }
}

export class KeyRoute implements Route {
  readonly pointerType = "";
  private chosen = 0;

  constructor(
    private readonly reading: Opens,
    private readonly options: { readonly text: HTMLElement; readonly areas: number; readonly listening: Listening },
  ) {
    const { text, listening } = options;
    listening.on(text, "keydown", (event) => this.pressed(event));
    listening.on(text, "blur", (event) => {
      // A window that loses the focus takes it from the text first; that is told as what it is.
      if (document.hasFocus()) reading.leave(event.timeStamp, "focus");
    });
  }

  interrupted(): void {}

  private pressed(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const aoi = this.areaFor(event.key);
    if (aoi === null) return;
    event.preventDefault();
    if (event.repeat) return;
    if (aoi === 0) {
      this.reading.leave(event.timeStamp, "escape");
    } else {
      this.chosen = aoi;
      this.reading.choose(aoi, event.timeStamp);
    }
  }

  private areaFor(key: string): number | null {
    const { areas } = this.options;
    switch (key) {
      case "ArrowDown":
      case "ArrowRight":
        return Math.min(areas, this.chosen + 1);
      case "ArrowUp":
      case "ArrowLeft":
        return Math.max(1, this.chosen - 1);
      case "Home":
        return 1;
      case "End":
        return areas;
      case "Escape":
        return 0;
      default:
        return null;
    }
  }
}

/** Every place that the pointer was at since the last update of the page, each with its own time. */
function placesOf(event: PointerEvent): readonly PointerEvent[] {
  const coalesced = event.getCoalescedEvents?.() ?? [];
  return coalesced.length > 0 ? coalesced : [event];
}

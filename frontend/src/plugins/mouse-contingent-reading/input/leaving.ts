/** The ways in which a text gets out of sight, or a layout out of date, without anybody reading. */

import { clock } from "../../../timing/clock";
import type { PauseReason, Reason } from "../params";
import type { Listening } from "./listening";

export interface Leaves {
  leave(time: number, reason: Reason): void;
  goAway(time: number, reason: "blur" | "visibilitychange"): void;
  comeBack(): void;
  /** The window or what it shows has another size. */
  changed(time: number): void;
  pause(time: number, reason: PauseReason): void;
  /** Whether the text is still at its original position. */
  readonly isElsewhere: boolean;
}

export function listenForLeaving(reading: Leaves, listening: Listening, options: { readonly byFinger: boolean }): void {
  listening.on(window, "blur", (event) => reading.goAway(event.timeStamp, "blur"));
  listening.on(window, "focus", () => reading.comeBack());
  listening.on(window, "pointerdown", () => reading.comeBack());
  listening.on(document, "visibilitychange", (event) => {
    if (document.hidden) reading.goAway(event.timeStamp, "visibilitychange");
    else reading.comeBack();
  });
  listening.on(window, "beforeprint", (event) => reading.leave(event.timeStamp, "print"));
  listening.on(document, "fullscreenchange", (event) => {
    if (document.fullscreenElement === null) reading.pause(event.timeStamp, "full-screen-exit");
  });
  const size = new WindowSize();
  const resized = (event: Event) => {
    const { width, scale } = size.changes();
    // The bars of a telephone's browser come and go while a finger reads; that alone moves nothing.
    if (options.byFinger && !width && !scale && !reading.isElsewhere) return;
    reading.changed(event.timeStamp);
  };
  listening.on(window, "resize", resized);
  if (window.visualViewport) listening.on(window.visualViewport, "resize", resized);
  void watchPixelRatio(reading, listening);
  watchPlace(reading, listening);
}

class WindowSize {
  private width = window.innerWidth;
  private scale = window.visualViewport?.scale ?? 1;

  /** What is another than when this was last asked. */
  changes(): { readonly width: boolean; readonly scale: boolean } {
    const before = { width: this.width, scale: this.scale };
    this.width = window.innerWidth;
    this.scale = window.visualViewport?.scale ?? 1;
    return { width: this.width !== before.width, scale: this.scale !== before.scale };
  }
}

/** Looked at in every frame: a window that goes to another screen need not be resized, and browsers do not always tell. */
async function watchPixelRatio(reading: Leaves, listening: Listening): Promise<void> {
  let ratio = window.devicePixelRatio;
  while (!listening.signal.aborted) {
    const time = await clock.nextFrame();
    if (window.devicePixelRatio === ratio) continue;
    ratio = window.devicePixelRatio;
    reading.changed(time);
  }
}

/** Anything else on the page that pushes the text aside. */
function watchPlace(reading: Leaves, listening: Listening): void {
  if (typeof ResizeObserver === "undefined") return;
  const observer = new ResizeObserver(() => {
    if (reading.isElsewhere) reading.changed(performance.now());
  });
  observer.observe(document.body);
  listening.signal.addEventListener("abort", () => observer.disconnect());
}

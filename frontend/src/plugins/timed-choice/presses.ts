/** Answers by keys and buttons: the first one after the onset of the target is the answer; those before are early. */

import { PressQueue, type Shown } from "../../presses/queue";
import { placeOf } from "../keys";
import type { Answer } from "./params";

export interface Press {
  /** Place of the answer, from 0. */
  readonly place: number;
  readonly by: "key" | "button";
  /** Time stamp of its event. */
  readonly time: number;
}

/** Comes after whatever was pressed in time. */
const TIME_IS_OVER = { time: Number.POSITIVE_INFINITY } as const;
const NOT_A_PRESS = ["ctrlKey", "metaKey", "altKey"] as const;

export class Presses {
  /** How many came before answers were taken, or before what they would answer was on the screen. */
  early = 0;
  private isOpen = false;
  private isClosed = false;
  private readonly queue = new PressQueue<Press | typeof TIME_IS_OVER>();

  /** Listens while `page` is there: a trial that is skipped in a preview leaves its page without an end. */
  constructor(
    private readonly page: HTMLElement,
    private readonly answers: readonly Answer[],
    options: { readonly keys: boolean; readonly buttons: readonly HTMLElement[] },
  ) {
    if (options.keys) document.addEventListener("keydown", this.pressed);
    for (const [place, button] of options.buttons.entries()) {
      button.addEventListener("pointerdown", (event) => {
        if (event.button === 0) this.give({ place, by: "button", time: event.timeStamp });
      });
      // From a keyboard or a screen reader, without a pointer.
      button.addEventListener("click", (event) => {
        if (event.detail === 0) this.give({ place, by: "button", time: event.timeStamp });
      });
    }
  }

  /** Takes answers from now on. */
  open(): void {
    this.isOpen = !this.isClosed;
  }

  /** Resolves with the answer to what is shown, or with null where `close` came before it. */
  async answerTo(shown: Shown): Promise<Press | null> {
    const { press, early } = await this.queue.answerTo(shown);
    this.early += early;
    this.close();
    return press === TIME_IS_OVER ? null : (press as Press);
  }

  /** Takes no answer any more. */
  close(): void {
    if (this.isClosed) return;
    this.isOpen = false;
    this.isClosed = true;
    document.removeEventListener("keydown", this.pressed);
    this.queue.give(TIME_IS_OVER);
  }

  private give(press: Press): void {
    if (this.isClosed) return;
    if (this.isOpen) this.queue.give(press);
    else this.early += 1;
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (!this.page.isConnected) {
      this.close();
      return;
    }
    if (event.isComposing || NOT_A_PRESS.some((key) => event[key])) return;
    const place = placeOf(this.answers, event);
    if (place < 0) return;
    // Else space and arrows would scroll, or press a button that has the focus.
    event.preventDefault();
    if (!event.repeat) this.give({ place, by: "key", time: event.timeStamp });
  };
}

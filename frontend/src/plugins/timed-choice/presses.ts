/** Answers by keys and buttons: the first one after the answers are taken counts; those before are counted as early. */

import { placeOf } from "../keys";
import type { Answer } from "./params";

export interface Press {
  /** Place of the answer, from 0. */
  readonly place: number;
  readonly by: "key" | "button";
  /** Time stamp of its event. */
  readonly time: number;
}

const NOT_A_PRESS = ["ctrlKey", "metaKey", "altKey"] as const;

export class Presses {
  /** How many came before answers were taken. */
  early = 0;
  private isOpen = false;
  private isClosed = false;
  private answered: (press: Press | null) => void = () => {};
  private readonly press = new Promise<Press | null>((resolve) => {
    this.answered = resolve;
  });

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

  /** Resolves with the answer, or with null after `close`. */
  first(): Promise<Press | null> {
    return this.press;
  }

  /** Takes no answer any more. */
  close(): void {
    this.isOpen = false;
    this.isClosed = true;
    document.removeEventListener("keydown", this.pressed);
    this.answered(null);
  }

  private give(press: Press): void {
    if (this.isClosed) return;
    if (this.isOpen) {
      this.answered(press);
      this.close();
    } else {
      this.early += 1;
    }
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

/** Presses of the space bar, one after the other; a key that is held down is one press. */

import { type Answered, PressQueue, type Shown } from "../../presses/queue";

const NOT_A_PRESS = ["ctrlKey", "metaKey", "altKey"] as const;

export class SpaceBar {
  private readonly queue = new PressQueue<{ readonly time: number }>();

  /** Listens while `page` is there: a trial that is skipped in a preview leaves its page without an end. */
  constructor(private readonly page: HTMLElement) {
    document.addEventListener("keydown", this.pressed);
  }

  /** Resolves with the press that answers what is shown; those before it was on the screen are counted. */
  answerTo(shown: Shown): Promise<Answered<{ readonly time: number }>> {
    return this.queue.answerTo(shown);
  }

  release(): void {
    document.removeEventListener("keydown", this.pressed);
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (!this.page.isConnected) {
      this.release();
      return;
    }
    if (event.key !== " " || NOT_A_PRESS.some((key) => event[key])) return;
    // Else the page would scroll.
    event.preventDefault();
    if (event.repeat) return;
    this.queue.give({ time: event.timeStamp });
  };
}

/** Presses the space bar as a participant would. For simulations. */
export function pressSpace(): void {
  document.dispatchEvent(new KeyboardEvent("keydown", { key: " ", code: "Space", bubbles: true, cancelable: true }));
}

/** Choices between left and right, by key or by touch, one after the other. */

import { PressQueue, type Shown } from "../../presses/queue";
import { placeOf } from "../keys";

export type Side = "left" | "right";

export interface Choice {
  readonly side: Side;
  readonly time: number;
  readonly input: "key" | "touch";
}

export type Keys = Readonly<Record<Side, string>>;

const SIDES: readonly Side[] = ["left", "right"];
const NOT_A_PRESS = ["ctrlKey", "metaKey", "altKey"] as const;

export class Choosing {
  private readonly answers: readonly { readonly key: string }[];
  private readonly queue = new PressQueue<Choice>();

  /** Listens while `page` is there: a trial that is skipped in a preview leaves its page without an end. */
  constructor(
    private readonly page: HTMLElement,
    keys: Keys,
    places: Readonly<Record<Side, HTMLElement>> | null,
  ) {
    this.answers = SIDES.map((side) => ({ key: keys[side] }));
    document.addEventListener("keydown", this.pressed);
    if (places === null) return;
    for (const side of SIDES) {
      const place = places[side];
      // The finger's first contact is the choice, not its leaving.
      place.addEventListener("pointerdown", (event) => {
        if (event.isPrimary && event.button === 0) this.choose({ side, time: event.timeStamp, input: "touch" });
      });
      // Enter on a button that has the focus clicks without a pointer.
      place.addEventListener("click", (event) => {
        if (event.detail === 0) this.choose({ side, time: event.timeStamp, input: "key" });
      });
    }
  }

  /** Resolves with the choice from what is shown. What was pressed before it was on the screen is counted. */
  async from(shown: Shown): Promise<{ readonly choice: Choice; readonly early: number }> {
    const { press, early } = await this.queue.answerTo(shown);
    return { choice: press, early };
  }

  /** Nothing that was pressed until now is a choice. */
  forget(): void {
    this.queue.forget();
  }

  release(): void {
    document.removeEventListener("keydown", this.pressed);
  }

  private choose(choice: Choice): void {
    this.queue.give(choice);
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (!this.page.isConnected) {
      this.release();
      return;
    }
    if (event.repeat || event.isComposing || NOT_A_PRESS.some((key) => event[key])) return;
    const side = SIDES[placeOf(this.answers, event)];
    if (side !== undefined) this.choose({ side, time: event.timeStamp, input: "key" });
  };
}

/** Presses a key as a participant would. For simulations. */
export function pressKey(key: string): void {
  document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

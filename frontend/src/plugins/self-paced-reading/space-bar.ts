/** Presses of the space bar, one after the other; a key that is held down is one press. */

const NOT_A_PRESS = ["ctrlKey", "metaKey", "altKey"] as const;

export class SpaceBar {
  private waiting: ((time: number) => void) | null = null;

  /** Listens while `page` is there: a trial that is skipped in a preview leaves its page without an end. */
  constructor(private readonly page: HTMLElement) {
    document.addEventListener("keydown", this.pressed);
  }

  /** Resolves with the time stamp of the next press. A press that nobody waits for is none. */
  next(): Promise<number> {
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
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
    const { waiting } = this;
    this.waiting = null;
    waiting?.(event.timeStamp);
  };
}

/** Presses the space bar as a participant would. For simulations. */
export function pressSpace(): void {
  document.dispatchEvent(new KeyboardEvent("keydown", { key: " ", code: "Space", bubbles: true, cancelable: true }));
}

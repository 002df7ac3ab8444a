/** Records what participants do other than answering: copying from the page, leaving the window, leaving full screen. */

import { Attention } from "../page/attention";

export class Watch {
  copyAttempts = 0;
  fullScreenExits = 0;
  private readonly controller = new AbortController();
  private readonly attention = new Attention(this.controller.signal);
  private onCopy: () => void = () => {};

  constructor(private readonly page: HTMLElement) {
    for (const name of ["copy", "cut"]) this.on(name, (event) => this.refuseCopy(event));
    // Dragging would carry a text out of the page, or about in the box.
    this.on("dragstart", (event) => event.preventDefault());
    this.on("fullscreenchange", () => {
      if (document.fullscreenElement === null) this.fullScreenExits += 1;
    });
  }

  get focusLosses(): number {
    return this.attention.count;
  }

  /** Calls back whenever a copy has been refused. */
  tellOfCopies(tell: () => void): void {
    this.onCopy = tell;
  }

  stop(): void {
    this.controller.abort();
  }

  private refuseCopy(event: Event): void {
    event.preventDefault();
    this.copyAttempts += 1;
    this.onCopy();
  }

  private on(name: string, heard: (event: Event) => void): void {
    const listener = (event: Event) => {
      // A trial that is skipped in a preview leaves its page without an end.
      if (this.page.isConnected) heard(event);
      else this.stop();
    };
    document.addEventListener(name, listener, { signal: this.controller.signal });
  }
}

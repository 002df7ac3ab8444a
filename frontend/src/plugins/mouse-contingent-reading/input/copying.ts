/** Keeps what is open from being copied, searched or printed as far as a page can, and counts who tries. */

import type { Listening } from "./listening";

const COMMANDS = new Set(["a", "f", "g", "p", "s", "u"]);
/** Firefox searches at these without a further key. */
const SEARCHES = new Set(["F3", "'", "/"]);

export class CopyGuard {
  attempts = 0;

  constructor(options: { readonly page: HTMLElement; readonly byFinger: boolean; readonly listening: Listening }) {
    const { page, byFinger, listening } = options;
    listening.on(document, "copy", this.prevent);
    listening.on(document, "cut", this.prevent);
    // A finger that rests asks for a menu without anybody wanting one.
    listening.on(page, "contextmenu", byFinger ? only : this.prevent);
    listening.on(page, "selectstart", only);
    listening.on(page, "dragstart", only);
    listening.on(window, "keydown", (event) => {
      const command = (event.ctrlKey || event.metaKey) && COMMANDS.has(event.key.toLowerCase());
      if (command || SEARCHES.has(event.key)) this.prevent(event);
    });
  }

  private readonly prevent = (event: Event): void => {
    event.preventDefault();
    this.attempts += 1;
  };
}

function only(event: Event): void {
  event.preventDefault();
}

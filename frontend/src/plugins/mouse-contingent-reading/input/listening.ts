/** Listeners of one trial, all taken away together. */

type EventOf<Name extends string> = Name extends keyof GlobalEventHandlersEventMap
  ? GlobalEventHandlersEventMap[Name]
  : Event;

export class Listening {
  private readonly controller = new AbortController();

  constructor(private readonly page: HTMLElement) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  on<Name extends string>(target: EventTarget, name: Name, heard: (event: EventOf<Name>) => void): void {
    const listener = (event: Event) => {
      // A trial that is skipped in a preview leaves its page without an end.
      if (this.page.isConnected) heard(event as EventOf<Name>);
      else this.stop();
    };
    target.addEventListener(name, listener, { signal: this.signal });
  }

  stop(): void {
    this.controller.abort();
  }
}

/**
 * The way of a coding to the server. It waits in the browser's storage until the server acknowledged it, in the order in
 * which it was made, and is sent again for as long as that takes. A later coding of the same text replaces one that waits.
 */

export interface Entry {
  readonly key: string;
  readonly codes: readonly string[];
  readonly note: string;
  readonly seconds: number;
  /** Which state of the coding was on the screen; 0 where there was none. */
  readonly revision: number;
}

export type Outcome =
  | { readonly kind: "saved" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "logged-out" }
  | { readonly kind: "unreachable" };

export interface Refused {
  readonly entry: Entry;
  readonly message: string;
}

export interface QueueState {
  readonly unsent: number;
  readonly trouble: "none" | "unreachable" | "logged-out";
  readonly refused: readonly Refused[];
}

export interface Store {
  read(): readonly Entry[];
  write(entries: readonly Entry[]): void;
}

export interface SaveQueueOptions {
  readonly send: (entry: Entry) => Promise<Outcome>;
  readonly store: Store;
  readonly onChange: (state: QueueState) => void;
  /** Waits between attempts; tests make them short. */
  readonly delay?: (milliseconds: number, wake: Promise<void>) => Promise<void>;
}

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 20_000;

export class SaveQueue {
  private readonly waiting: Entry[];
  private readonly refused: Refused[] = [];
  private trouble: QueueState["trouble"] = "none";
  private sending: Entry | null = null;
  private wake: () => void = () => {};
  private whenEmpty: (() => void)[] = [];

  constructor(private readonly options: SaveQueueOptions) {
    this.waiting = [...options.store.read()];
  }

  get state(): QueueState {
    return { unsent: this.waiting.length, trouble: this.trouble, refused: this.refused };
  }

  put(entry: Entry): void {
    // What is on its way stays in front, so that a later coding of the same text cannot overtake it.
    const earlier = this.waiting.findIndex((one) => one.key === entry.key && one !== this.sending);
    if (earlier >= 0) {
      const seconds = entry.seconds + (this.waiting[earlier]?.seconds ?? 0);
      this.waiting.splice(earlier, 1);
      this.waiting.push({ ...entry, seconds });
    } else this.waiting.push(entry);
    this.changed();
    this.start();
  }

  /** Sends what waits, also from an earlier visit. */
  start(): void {
    if (this.sending === null && this.waiting.length > 0) void this.sendAll();
  }

  /** Tries again at once, because the connection or the log-in may have come back. */
  retryNow(): void {
    this.wake();
    this.start();
  }

  /** Resolves when nothing waits any more; at once where it does not. */
  drained(): Promise<void> {
    if (this.waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.whenEmpty.push(resolve));
  }

  /** Takes what was refused off the list once somebody has seen it. */
  forgetRefused(): void {
    this.refused.splice(0);
    this.changed();
  }

  private async sendAll(): Promise<void> {
    for (let failures = 0; ; ) {
      const entry = this.waiting[0];
      if (entry === undefined) return;
      this.sending = entry;
      const outcome = await this.options.send(entry);
      if (outcome.kind === "saved" || outcome.kind === "refused") {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        if (outcome.kind === "refused") this.refused.push({ entry, message: outcome.message });
        this.trouble = "none";
        failures = 0;
        this.sending = null;
        this.changed();
        continue;
      }
      this.trouble = outcome.kind;
      failures += 1;
      this.changed();
      await this.pause(Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (failures - 1)));
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    await (this.options.delay ?? interruptibleDelay)(milliseconds, woken);
    this.wake = () => {};
  }

  private changed(): void {
    this.options.store.write(this.waiting);
    this.options.onChange(this.state);
    if (this.waiting.length === 0) for (const resolve of this.whenEmpty.splice(0)) resolve();
  }
}

async function interruptibleDelay(milliseconds: number, wake: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([passed, wake]);
  clearTimeout(timer);
}

/** Keeps what waits in the browser's storage, under a name of its own for every coder and study. */
export function browserStore(name: string, storage: Storage = localStorage): Store {
  return {
    read: () => {
      try {
        const stored: unknown = JSON.parse(storage.getItem(name) ?? "[]");
        return Array.isArray(stored) ? (stored as Entry[]) : [];
      } catch {
        return [];
      }
    },
    write: (entries) => {
      try {
        if (entries.length === 0) storage.removeItem(name);
        else storage.setItem(name, JSON.stringify(entries));
      } catch {
        // A full or blocked storage: the codings are still in memory, and leaving the page warns while they wait.
      }
    },
  };
}

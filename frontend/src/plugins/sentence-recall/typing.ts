/** How a text came to be: edits, first and last change, and the log of every change. Pure. */

/** One change of the recall. `from` and `removed` count characters of the text before it. */
export interface TypingEvent {
  readonly type: "typing";
  /** On the page's clock, to a tenth of a millisecond. */
  readonly t_ms: number;
  readonly from: number;
  readonly removed: number;
  readonly typed: string;
}

const EVENTS_IN_A_BATCH = 100;
/** Hours of typing; a key that is held down must not fill the disk. */
const MOST_EVENTS = 20_000;

export class Typing {
  edits = 0;
  firstChange: number | null = null;
  lastChange: number | null = null;
  private readonly events: TypingEvent[] = [];
  private text: readonly string[] = [];

  /** Notes that the text is now this one. */
  changed(text: string, time: number): void {
    const before = this.text;
    const after = [...text];
    const shorter = Math.min(before.length, after.length);
    let from = 0;
    while (from < shorter && before[from] === after[from]) from += 1;
    let kept = 0;
    while (kept < shorter - from && before[before.length - 1 - kept] === after[after.length - 1 - kept]) kept += 1;
    const removed = before.length - from - kept;
    const typed = after.slice(from, after.length - kept).join("");
    if (removed === 0 && typed === "") return;
    this.text = after;
    this.firstChange ??= time;
    this.lastChange = time;
    if (removed > 0) this.edits += 1;
    if (this.events.length < MOST_EVENTS) {
      this.events.push({ type: "typing", t_ms: Math.round(time * 10) / 10, from, removed, typed });
    }
  }

  /** From the first to the last change; what came before the onset counts as done at it. */
  durationFrom(onset: number): number {
    return Math.max(0, (this.lastChange ?? onset) - Math.max(onset, this.firstChange ?? onset));
  }

  batches(): TypingEvent[][] {
    const batches: TypingEvent[][] = [];
    for (let first = 0; first < this.events.length; first += EVENTS_IN_A_BATCH) {
      batches.push(this.events.slice(first, first + EVENTS_IN_A_BATCH));
    }
    return batches;
  }
}

/** How a text came to be: edits, first and last change, and the log of every change. Pure. */

/** One change of a text. `from` and `removed` count characters of the text before it. */
export interface TypingEvent {
  readonly type: "typing";
  /** Place of the field, counted from 1, where a trial has several. */
  readonly field?: number;
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

  constructor(private readonly field?: number) {}

  /** Notes that a change is under way whose text is not there yet, as where words are composed. */
  began(time: number): void {
    this.firstChange ??= time;
  }

  /** Notes a text that an earlier visit had left in the field: the log leads to it, and nobody has typed it now. */
  putBack(text: string, time: number): void {
    const { edits } = this;
    this.changed(text, time);
    this.edits = edits;
    this.firstChange = null;
    this.lastChange = null;
  }

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
      const place = this.field === undefined ? {} : { field: this.field };
      this.events.push({ type: "typing", ...place, t_ms: Math.round(time * 10) / 10, from, removed, typed });
    }
  }

  /** From the first to the last change; what came before the onset counts as done at it. */
  durationFrom(onset: number): number {
    return durationOf([this], onset);
  }

  batches(): TypingEvent[][] {
    return inBatches(this.events);
  }

  /** The log of several fields as one, in the order of time. */
  static batchesOf(fields: readonly Typing[]): TypingEvent[][] {
    return inBatches(fields.flatMap(({ events }) => events).sort((one, other) => one.t_ms - other.t_ms));
  }
}

/** From the first change of any of the texts to the last of any. */
export function durationOf(texts: readonly Typing[], onset: number): number {
  const typed = texts.filter(({ lastChange }) => lastChange !== null);
  const first = Math.min(...typed.map(({ firstChange }) => firstChange ?? onset));
  const last = Math.max(...typed.map(({ lastChange }) => lastChange ?? onset));
  return typed.length === 0 ? 0 : Math.max(0, last - Math.max(onset, first));
}

function inBatches(events: readonly TypingEvent[]): TypingEvent[][] {
  const batches: TypingEvent[][] = [];
  for (let first = 0; first < events.length; first += EVENTS_IN_A_BATCH) {
    batches.push(events.slice(first, first + EVENTS_IN_A_BATCH));
  }
  return batches;
}

/**
 * The way of an answer to the server. Everything is written to the browser's storage first, leaves it only when the server
 * acknowledged it, and is sent again for as long as that takes. The server knows an entry by session, kind, sequence and
 * batch, so sending twice does no harm.
 */

import { type Answer, isRecord, type Send } from "./api";
import { envelope, firstBatch, keyOf, MOST_ENTRIES, nameOf, storedEntry } from "./batches";
import type { Entry, EntryOutcome } from "./contract";
import type { Database, EntryKey, Problem, StoredEntry } from "./database";

export { LARGEST_BATCH_BYTES } from "./batches";

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;

/** Why sending has stopped permanently on this page. */
export type Stopped = "lease-lost" | "no-session";

export interface OutboxState {
  readonly unsent: number;
  /** "retrying" from the first delivery that failed until the next that worked. */
  readonly connection: "fine" | "retrying";
  readonly stopped: Stopped | null;
  readonly problems: number;
}

export interface OutboxOptions {
  readonly database: Database;
  readonly session: string;
  readonly participant: string;
  readonly tab: string;
  readonly send: Send;
  /** Waits between attempts; tests make them short. */
  readonly delay?: (milliseconds: number, wake: Promise<void>) => Promise<void>;
  readonly random?: () => number;
}

export class Outbox {
  private readonly pending = new Map<string, StoredEntry>();
  private readonly refused: Problem[] = [];
  private readonly listeners = new Set<(state: OutboxState) => void>();
  private readonly delay: NonNullable<OutboxOptions["delay"]>;
  private readonly random: () => number;
  private connection: OutboxState["connection"] = "fine";
  private stopped: Stopped | null = null;
  private sending = false;
  private oneByOne = false;
  private wake: () => void = () => {};

  private constructor(readonly options: OutboxOptions) {
    this.delay = options.delay ?? interruptibleDelay;
    this.random = options.random ?? Math.random;
  }

  /** Opens the outbox of a session with whatever an earlier visit left in it. Sends nothing until `start`. */
  static async open(options: OutboxOptions): Promise<Outbox> {
    const outbox = new Outbox(options);
    for (const entry of await options.database.entries(options.session)) outbox.pending.set(nameOf(entry), entry);
    for (const problem of await options.database.problems(options.session)) {
      // A request that could not be read may have met a server that was set up wrongly for a while.
      if (problem.status.startsWith("http-")) outbox.pending.set(nameOf(problem), withoutVerdict(problem));
      else outbox.refused.push(problem);
    }
    return outbox;
  }

  get state(): OutboxState {
    return {
      unsent: this.pending.size,
      connection: this.connection,
      stopped: this.stopped,
      problems: this.refused.length,
    };
  }

  /** The results that wait here, so that a page that is loaded again neither repeats them nor forgets what they carry. */
  get waitingResults(): readonly { readonly sequence: number; readonly payload: Record<string, unknown> }[] {
    const results = [...this.pending.values(), ...this.refused].filter((entry) => entry.kind === "result");
    return results.map((entry) => {
      const { payload } = JSON.parse(entry.json) as { payload: Record<string, unknown> };
      return { sequence: entry.sequence, payload };
    });
  }

  /** The entries that the server will never take. They stay in this browser. */
  get problems(): readonly Problem[] {
    return this.refused;
  }

  onChange(listener: (state: OutboxState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Resolves when the entries are safe on the disk; sending goes on behind. Rejects where the browser cannot store them:
   * they are then held in memory and sent all the same, and the caller should wait for `drained` before it goes on.
   */
  async put(entries: readonly Entry[]): Promise<void> {
    const stored = entries.map((entry) => storedEntry(this.options.session, entry));
    for (const entry of stored) this.pending.set(nameOf(entry), entry);
    try {
      await this.options.database.add(stored);
    } finally {
      this.changed();
      this.start();
    }
  }

  /** Notes that a trial begins, on the disk and for the server, and returns how often it has begun in this browser. */
  async begin(sequence: number): Promise<number> {
    const entry = storedEntry(this.options.session, { kind: "opened", sequence });
    const attempts = await this.options.database.begin(entry);
    this.pending.set(nameOf(entry), entry);
    this.changed();
    this.start();
    return attempts;
  }

  /** Resolves when nothing is waiting any more, or when sending has stopped permanently. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if ((this.pending.size > 0 || this.sending) && this.stopped === null) return;
        leave();
        resolve();
      };
      const leave = this.onChange(check);
      check();
    });
  }

  /** Starts to send what waits. */
  start(): void {
    if (!this.sending && this.stopped === null) void this.sendAll();
  }

  /** Tries again at once, because the connection may have come back. */
  retryNow(): void {
    this.wake();
    this.start();
  }

  /** The last chance of a page that is being closed. What does not arrive is sent when the study is opened again. */
  sendBeforeClosing(): void {
    const batch = this.nextBatch();
    if (batch.length === 0 || this.stopped !== null) return;
    // The page is going: nobody is left to read the answer, and the entries are still on the disk.
    this.options.send("session/results/", envelope(this.options, batch), { keepalive: true }).catch(() => undefined);
  }

  private async sendAll(): Promise<void> {
    this.sending = true;
    let failures = 0;
    try {
      while (this.pending.size > 0 && this.stopped === null) {
        const { progress, retryAfter } = await this.deliver(this.nextBatch());
        failures = progress ? 0 : failures + 1;
        this.connection = progress ? "fine" : "retrying";
        this.changed();
        if (!progress && this.stopped === null) await this.pause(failures, retryAfter);
      }
    } finally {
      this.sending = false;
      this.changed();
    }
  }

  private async deliver(
    batch: readonly StoredEntry[],
  ): Promise<{ readonly progress: boolean; readonly retryAfter: number | null }> {
    let answer: Answer;
    try {
      answer = await this.options.send("session/results/", envelope(this.options, batch));
    } catch (error) {
      // No answer in time: whether it arrived is unknown, and sending it again finds out.
      if (error instanceof TypeError || error instanceof DOMException) return { progress: false, retryAfter: null };
      throw error;
    }
    const outcomes = outcomesIn(answer);
    if (outcomes !== null) {
      const progress = await this.settle(batch, outcomes);
      if (isRecord(answer.body) && answer.body.lease === false) this.stop("lease-lost");
      return { progress, retryAfter: null };
    }
    if (answer.status === 423) this.stop("lease-lost");
    if (answer.status === 404 || answer.status === 410) this.stop("no-session");
    // A 400 without JSON comes from something in front of the server and says nothing about the entries.
    const unreadable = answer.status === 413 || (answer.status === 400 && isRecord(answer.body));
    if (unreadable) return this.narrowDown(batch, answer);
    return { progress: false, retryAfter: answer.retryAfter };
  }

  private async settle(batch: readonly StoredEntry[], outcomes: readonly EntryOutcome[]): Promise<boolean> {
    const waiting = new Map(batch.map((entry) => [nameOf(entry), entry]));
    const done: EntryKey[] = [];
    const problems: Problem[] = [];
    for (const outcome of outcomes) {
      const name = nameOf({ kind: outcome.kind, sequence: outcome.sequence, batch: outcome.batch ?? 0 });
      const entry = waiting.get(name);
      if (entry === undefined) continue;
      waiting.delete(name);
      if (outcome.status === "stored" || outcome.status === "duplicate") done.push(keyOf(entry));
      else problems.push({ ...entry, status: outcome.status, message: outcome.message ?? "" });
    }
    for (const key of done) this.pending.delete(nameOf({ kind: key[1], sequence: key[2], batch: key[3] }));
    await this.setAside(problems, done);
    return done.length + problems.length > 0;
  }

  /** A batch that the server cannot read at all: one entry of it is to blame, and only that one is set aside. */
  private async narrowDown(batch: readonly StoredEntry[], answer: Answer) {
    const [entry] = batch;
    if (batch.length === 1 && entry !== undefined) {
      await this.setAside([{ ...entry, status: `http-${answer.status}`, message: "" }], []);
    }
    this.oneByOne = true;
    return { progress: true, retryAfter: null };
  }

  private async setAside(problems: readonly Problem[], done: readonly EntryKey[]): Promise<void> {
    for (const problem of problems) {
      this.pending.delete(nameOf(problem));
      this.refused.push(problem);
    }
    try {
      await this.options.database.settle({ done, problems });
    } catch (error) {
      // The entries stay on the disk and are sent once more another day, which the server answers as duplicates.
      if (!(error instanceof DOMException || error instanceof Error)) throw error;
    }
  }

  private nextBatch(): StoredEntry[] {
    return firstBatch(this.options, this.pending.values(), this.oneByOne ? 1 : MOST_ENTRIES);
  }

  private async pause(failures: number, retryAfter: number | null): Promise<void> {
    const backOff = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(failures - 1, 10));
    const least = Math.min(LONGEST_DELAY, (retryAfter ?? 0) * 1_000);
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    await this.delay(Math.max(least, backOff * (0.5 + this.random() / 2)), woken);
    this.wake = () => {};
  }

  private stop(reason: Stopped): void {
    this.stopped = reason;
  }

  private changed(): void {
    for (const listener of this.listeners) listener(this.state);
  }
}

function outcomesIn(answer: Answer): readonly EntryOutcome[] | null {
  if (![200, 409, 422].includes(answer.status) || !isRecord(answer.body)) return null;
  return Array.isArray(answer.body.results) ? (answer.body.results as EntryOutcome[]) : null;
}

function withoutVerdict(problem: Problem): StoredEntry {
  const { session, kind, sequence, batch, json } = problem;
  return { session, kind, sequence, batch, json };
}

function interruptibleDelay(milliseconds: number, wake: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void wake.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

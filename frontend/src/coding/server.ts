/** Requests of the coding workspace to the server. */

import { sameCodes } from "./rule";
import type { Entry, Outcome } from "./save-queue";
import type { Item } from "./window";

const LONGEST_WAIT = 20_000;

/** Somebody has to log in again before anything else works. */
export class LoggedOut extends Error {}

/** The server refused something; the message is a sentence for the reader. */
export class Refusal extends Error {}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export class CodingServer {
  /** The latest state of each coding that the server has told. */
  private readonly revisions = new Map<string, number>();

  constructor(
    private readonly base: string,
    private readonly onCoded: (coded: number) => void,
  ) {}

  async items(from: number, count: number): Promise<readonly Item[]> {
    const { body } = await this.wanted(`items/?from=${from}&count=${count}`);
    return Array.isArray(body.items) ? (body.items as Item[]) : [];
  }

  /** The number of the first text that waits to be coded, or null where none does. */
  async next(): Promise<number | null> {
    const { body } = await this.wanted("next/");
    return typeof body.number === "number" ? body.number : null;
  }

  /** Takes the last change of a coding back and returns the text as it is then. Without a key: of the text saved last. */
  async undo(key: string | null): Promise<Item> {
    const { body } = await this.wanted("undo/", {
      key,
      revision: key === null ? null : (this.revisions.get(key) ?? null),
    });
    const item = body.item as Item;
    this.revisions.set(item.key, item.revision);
    return item;
  }

  /** The state of the coding of a text as it is known now. */
  revisionOf(item: Item): number {
    return this.revisions.get(item.key) ?? item.revision;
  }

  async save(entry: Entry): Promise<Outcome> {
    const revision = this.revisions.get(entry.key) ?? entry.revision;
    let answer: Answer;
    try {
      answer = await this.ask("save/", { ...entry, revision });
    } catch (error) {
      if (error instanceof LoggedOut) return { kind: "logged-out" };
      if (error instanceof TypeError || error instanceof DOMException) return { kind: "unreachable" };
      throw error;
    }
    const { status, body } = answer;
    if (typeof body.revision === "number") this.revisions.set(entry.key, body.revision);
    if (status === 200) return { kind: "saved" };
    // The answer to an earlier attempt was lost on its way, and what is stored is what was meant.
    if (status === 409 && Array.isArray(body.codes) && sameCodes(body.codes as string[], entry.codes)) {
      if (body.note === entry.note) return { kind: "saved" };
    }
    if (status >= 400 && status < 500 && typeof body.message === "string") {
      return { kind: "refused", message: body.message };
    }
    return { kind: "unreachable" };
  }

  private async wanted(path: string, body?: unknown): Promise<Answer> {
    const answer = await this.ask(path, body);
    if (answer.status === 200) return answer;
    if (typeof answer.body.message === "string") throw new Refusal(answer.body.message);
    throw new TypeError(`The server answered ${answer.status}.`);
  }

  private async ask(path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.base + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Accept: "application/json",
        ...(body === undefined ? {} : { "Content-Type": "application/json", "X-CSRFToken": token() }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      // The way to the log-in page is no answer.
      redirect: "manual",
      signal: AbortSignal.timeout(LONGEST_WAIT),
    });
    if (response.type === "opaqueredirect") throw new LoggedOut();
    const parsed = jsonOf(await response.text());
    // After another log-in the page's token may be an old one; the cookie has the new one at the next attempt.
    if (response.status === 403 && parsed === null) throw new LoggedOut();
    const answer = { status: response.status, body: parsed ?? {} };
    if (typeof answer.body.coded === "number") this.onCoded(answer.body.coded);
    return answer;
  }
}

/** Read at every request: logging in again makes a new one. */
function token(): string {
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : null;
  } catch {
    return null;
  }
}

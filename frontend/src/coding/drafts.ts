/**
 * What was chosen and not saved yet. It is kept in the browser's storage too, so that a reload or a crash costs nothing;
 * it is dropped where the coding has changed since, for then it no longer says what was meant.
 */

import type { Given } from "./window";

export interface Draft extends Given {
  /** How long the text had been looked at. */
  readonly seconds: number;
  /** Which state of the coding was on the screen; 0 where there was none. */
  readonly revision: number;
}

export class Drafts {
  private readonly kept: Map<string, Draft>;
  /** Those of an earlier visit, of which it is not known yet whether they still say what was meant. */
  private readonly earlier: Set<string>;

  constructor(
    private readonly name: string,
    private readonly storage: Storage = localStorage,
  ) {
    this.kept = new Map(stored(name, storage));
    this.earlier = new Set(this.kept.keys());
  }

  /** The draft of a text; one of an earlier visit only where it was begun on this state of its coding. */
  get(key: string, revision: number): Draft | undefined {
    const draft = this.kept.get(key);
    if (draft === undefined) return undefined;
    if (this.earlier.delete(key) && draft.revision !== revision) {
      this.delete(key);
      return undefined;
    }
    return draft;
  }

  set(key: string, draft: Draft): void {
    this.kept.set(key, draft);
    this.earlier.delete(key);
    this.store();
  }

  delete(key: string): void {
    if (this.kept.delete(key)) this.store();
  }

  private store(): void {
    try {
      if (this.kept.size === 0) this.storage.removeItem(this.name);
      else this.storage.setItem(this.name, JSON.stringify([...this.kept]));
    } catch {
      // A full or blocked storage: the drafts are still in memory until the page is left.
    }
  }
}

function stored(name: string, storage: Storage): [string, Draft][] {
  try {
    const read: unknown = JSON.parse(storage.getItem(name) ?? "[]");
    return Array.isArray(read) ? read.filter(isDraft) : [];
  } catch {
    return [];
  }
}

function isDraft(entry: unknown): entry is [string, Draft] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false;
  const draft = entry[1] as Partial<Draft> | null;
  return (
    Array.isArray(draft?.codes) &&
    draft.codes.every((code) => typeof code === "string") &&
    typeof draft.note === "string" &&
    typeof draft.seconds === "number" &&
    typeof draft.revision === "number"
  );
}

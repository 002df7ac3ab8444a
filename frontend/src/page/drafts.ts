/**
 * What is typed into the fields of an open trial, kept by the tab until the trial ends: a page that is loaded again puts it
 * back. Nothing is kept outside a recorded trial, as in a preview.
 */

import { tabMemory } from "../tab-memory";

const NAME = "lectern-draft";

interface Kept {
  readonly trial: string;
  readonly texts: Record<string, string>;
}

class Drafts {
  private kept: Kept | null = null;
  private put = false;

  /** Whether a text was put back since the trial began. */
  get restored(): boolean {
    return this.put;
  }

  /** `trial` names the trial among all of all sessions in this browser; texts of another one are forgotten. */
  begin(trial: string): void {
    const before = read();
    this.put = false;
    this.kept = before?.trial === trial ? before : { trial, texts: {} };
    if (before !== null && before.trial !== trial) tabMemory.remove(NAME);
  }

  end(): void {
    this.kept = null;
    tabMemory.remove(NAME);
  }

  /** Puts back what was typed into the field of this id, and keeps what is typed from now on. Returns what was put back. */
  keep(field: HTMLInputElement | HTMLTextAreaElement): string {
    const { kept } = this;
    if (kept === null) return "";
    const text = kept.texts[field.id] ?? "";
    if (text !== "") {
      field.value = text;
      this.put = true;
    }
    field.addEventListener("input", () => {
      if (kept !== this.kept) return;
      kept.texts[field.id] = field.value;
      tabMemory.set(NAME, JSON.stringify(kept));
    });
    return text;
  }
}

export const drafts = new Drafts();

function read(): Kept | null {
  const text = tabMemory.get(NAME);
  if (text === null) return null;
  try {
    const kept: unknown = JSON.parse(text);
    return isKept(kept) ? kept : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== "object" || value === null || !("trial" in value) || !("texts" in value)) return false;
  const { texts } = value;
  return (
    typeof texts === "object" &&
    texts !== null &&
    Object.values(texts).every((text: unknown) => typeof text === "string")
  );
}

/** Entries as they are kept and as they travel: in the order of the session, as many together as one request may carry. */

import { isRecord } from "./api";
import type { Entry } from "./contract";
import type { EntryKey, StoredEntry } from "./database";

/** Below the 64 kB above which browsers drop requests of a closing page without a word. */
export const LARGEST_BATCH_BYTES = 58_000;
export const MOST_ENTRIES = 50;

const KIND_ORDER: Record<string, number> = { opened: 0, events: 1, result: 2 };
const encoder = new TextEncoder();

/** Who sends. `participant` lets the server notice when the cookie has meanwhile become another participant's. */
export interface Sender {
  readonly tab: string;
  readonly participant: string;
}

export function storedEntry(session: string, entry: Entry): StoredEntry {
  const batch = entry.kind === "events" ? entry.batch : 0;
  return { session, kind: entry.kind, sequence: entry.sequence, batch, json: JSON.stringify(storable(entry)) };
}

/** What tells an entry from all others of its session. */
export function nameOf(entry: { readonly kind: string; readonly sequence: number; readonly batch: number }): string {
  return `${entry.kind} ${entry.sequence} ${entry.batch}`;
}

export function keyOf(entry: StoredEntry): EntryKey {
  return [entry.session, entry.kind, entry.sequence, entry.batch];
}

/** The body of the request that carries a batch. */
export function envelope({ tab, participant }: Sender, batch: readonly StoredEntry[]): string {
  const head = JSON.stringify({ tab, participant }).slice(0, -1);
  return `${head},"entries":[${batch.map((entry) => entry.json).join(",")}]}`;
}

/** The first waiting entries, at most this many. */
export function firstBatch(sender: Sender, waiting: Iterable<StoredEntry>, most: number): StoredEntry[] {
  const inOrder = [...waiting].sort(
    (a, b) => a.sequence - b.sequence || (KIND_ORDER[a.kind] ?? 9) - (KIND_ORDER[b.kind] ?? 9) || a.batch - b.batch,
  );
  const batch: StoredEntry[] = [];
  let bytes = bytesOf(envelope(sender, []));
  for (const entry of inOrder.slice(0, most)) {
    bytes += bytesOf(entry.json) + 1;
    // An entry that is too large on its own is sent alone: the server decides about it.
    if (batch.length > 0 && bytes > LARGEST_BATCH_BYTES) break;
    batch.push(entry);
  }
  return batch;
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** Databases hold neither NUL nor half a surrogate pair, and a typed answer must not be refused for one. */
function storable(value: unknown): unknown {
  if (typeof value === "string") {
    return value.replaceAll("\u0000", "\uFFFD").replace(/\p{Surrogate}/gu, "\uFFFD");
  }
  if (Array.isArray(value)) return value.map(storable);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, storable(item)]));
  return value;
}

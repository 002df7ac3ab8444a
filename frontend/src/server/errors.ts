/** Tells the server about faults of the page, so that the researcher sees them. Never gets in the participant's way. */

import type { Send } from "./api";

const MOST_REPORTS = 10;
const LONGEST_DETAIL = 4_000;

export class ErrorReports {
  private readonly seen = new Set<string>();

  constructor(private readonly send: Send | null) {
    window.addEventListener("error", (event) => this.report(event.error ?? event.message));
    window.addEventListener("unhandledrejection", (event) => this.report(event.reason));
  }

  report(error: unknown, where = ""): void {
    const message = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
    if (this.send === null || this.seen.has(message) || this.seen.size >= MOST_REPORTS) return;
    this.seen.add(message);
    const detail = [where, error instanceof Error ? (error.stack ?? "") : "", navigator.userAgent].filter(Boolean);
    const body = JSON.stringify({ message, detail: detail.join("\n").slice(0, LONGEST_DETAIL) });
    // A report that does not arrive is not worth a second fault.
    this.send("session/errors/", body).catch(() => undefined);
  }
}

/** What the clock needs of the browser. */

import { broughtIntoView } from "./view";

export interface PaintedElement {
  readonly identifier: string;
  readonly time: number;
}

/** Tests give the clock a fake one. */
export interface ClockEnvironment {
  requestFrame(callback: (timestamp: number) => void): number;
  cancelFrame(handle: number): void;
  /** Starts to report painted elements, returns a function that delivers what is still queued; null where there is no Element Timing. */
  observePaint(report: (painted: PaintedElement) => void): (() => void) | null;
  after(milliseconds: number, callback: () => void): void;
  /** Brings elements into the window; false where they are not in it as a whole even so. */
  bringIntoView(elements: readonly Element[]): boolean;
  /** The page's clock. */
  time(): number;
  /** To how many milliseconds the browser rounds the times of painted elements. */
  readonly paintResolution: number;
}

interface ElementTimingEntry extends PerformanceEntry {
  readonly identifier: string;
  readonly renderTime: number;
  readonly presentationTime?: number | null;
}

export const browserEnvironment: ClockEnvironment = {
  requestFrame: (callback) => requestAnimationFrame(callback),
  cancelFrame: (handle) => cancelAnimationFrame(handle),
  after: (milliseconds, callback) => {
    setTimeout(callback, milliseconds);
  },
  bringIntoView: broughtIntoView,
  time: () => performance.now(),
  paintResolution: globalThis.crossOriginIsolated ? 0 : 4,
  observePaint: (report) => {
    if (typeof PerformanceObserver === "undefined") return null;
    if (!PerformanceObserver.supportedEntryTypes?.includes("element")) return null;
    const deliver = (entries: readonly PerformanceEntry[]) => {
      for (const entry of entries as readonly ElementTimingEntry[]) {
        report({ identifier: entry.identifier, time: entry.presentationTime ?? entry.renderTime });
      }
    };
    const observer = new PerformanceObserver((list) => deliver(list.getEntries()));
    observer.observe({ type: "element", buffered: true });
    return () => deliver(observer.takeRecords());
  },
};

export function pause(environment: ClockEnvironment, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    environment.after(milliseconds, resolve);
  });
}

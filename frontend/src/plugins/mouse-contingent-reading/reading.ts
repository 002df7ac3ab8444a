/**
 * Reading one text. What is open is one state: the number of an area, found by looking the pointer up in the stored boxes.
 * Whatever can change it comes through here with the time stamp of its event.
 */

import { broughtIntoView, Seen } from "../../timing/view";
import type { Layout } from "./boxes";
import type { Desk } from "./desk";
import { CopyGuard } from "./input/copying";
import { type Leaves, listenForLeaving } from "./input/leaving";
import { Listening } from "./input/listening";
import { FingerRoute, KeyRoute, type Opens, PointerRoute, type Route } from "./input/routes";
import { measure } from "./measure";
import type { Mode, PauseReason, ReadingParams, Reason } from "./params";
import { ReadingRecord } from "./record";

const MOST_BOXES_KEPT = 2_000;
const MOST_PAUSES_KEPT = 500;

/** A layout and the window it was made for, from `time` on the page's clock. */
export interface LaidOut {
  readonly time: number;
  readonly layout: Layout;
  readonly origin: readonly [number, number];
  readonly viewport: readonly [number, number];
  readonly zoom: number;
  readonly dpr: number;
}

export interface Pause {
  readonly from: number;
  readonly until: number;
  readonly reason: PauseReason;
}

export interface ReadingOutcome {
  readonly record: ReadingRecord;
  readonly layouts: readonly LaidOut[];
  readonly pauses: readonly Pause[];
  readonly pointerType: string;
  readonly copyAttempts: number;
  /** Areas that were opened and never in the window as a whole while they were open. */
  readonly outOfView: readonly number[];
  /** Time stamp of pressing Done. */
  readonly finished: number;
}

export class Reading implements Opens, Leaves {
  readonly finished: Promise<ReadingOutcome>;
  private readonly record: ReadingRecord;
  private readonly layouts: LaidOut[] = [];
  private readonly pauses: Pause[] = [];
  private readonly listening: Listening;
  private layout: Layout;
  private origin: readonly [number, number] = [0, 0];
  private state: "ready" | "reading" | "paused" | "finished" = "ready";
  private mode: Mode = "pointer";
  private route: Route | null = null;
  private guard: CopyGuard | null = null;
  private away = false;
  /** What of the areas that were opened has been in the window; null once all of an area has. */
  private readonly seen = new Map<number, Seen | null>();
  private watched = 0;
  private pausedSince: { readonly time: number; readonly reason: PauseReason } | null = null;
  private resolve: (outcome: ReadingOutcome) => void = () => {};

  constructor(
    private readonly desk: Desk,
    private readonly trial: ReadingParams,
  ) {
    this.record = new ReadingRecord({ withPath: trial.record_path });
    this.listening = new Listening(desk.element);
    this.finished = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.layout = measure(trial, desk.frame);
    this.draw();
    // Until reading begins, the text simply follows the window.
    this.listening.on(window, "resize", () => {
      if (this.state === "ready") this.layAgain();
    });
  }

  /** From now on areas open. */
  begin(mode: Mode, time: number): void {
    const { desk, listening } = this;
    this.mode = mode;
    this.state = "reading";
    this.noteLayout(time);
    desk.show(`reading-${mode}`);
    this.route = this.routeOf(mode);
    const byFinger = mode === "drag";
    listenForLeaving(this, listening, { byFinger });
    this.guard = new CopyGuard({ page: desk.element, byFinger, listening });
    listening.on(desk.done, "click", (event) => this.finish(event.timeStamp));
    listening.on(desk.goOn, "click", (event) => this.goOn(event.timeStamp));
    this.takeFocus();
  }

  /** The pointer goes to an area; for simulations. */
  visit(aoi: number, time: number): void {
    const box = this.layout.boxes.find((one) => one.aoi === aoi);
    if (box === undefined) return;
    const clientX = this.origin[0] - window.scrollX + box.x + Math.floor(box.width / 2);
    const clientY = this.origin[1] - window.scrollY + box.y + Math.floor(box.height / 2);
    this.follow([{ timeStamp: time, clientX, clientY }], "moved");
  }

  follow(
    places: readonly { readonly timeStamp: number; readonly clientX: number; readonly clientY: number }[],
    reason: "moved" | "scrolled",
  ): void {
    if (!this.isOpening) return;
    for (const { timeStamp, clientX, clientY } of places) {
      const x = Math.floor(clientX + window.scrollX - this.origin[0]);
      const y = Math.floor(clientY + window.scrollY - this.origin[1]);
      this.record.sample(timeStamp, { x, y, reason });
    }
    this.show();
  }

  choose(aoi: number, time: number): void {
    if (!this.isOpening) return;
    this.record.choose(aoi, time);
    this.show();
  }

  leave(time: number, reason: Reason): void {
    if (this.state !== "reading") return;
    this.record.leave(time, reason);
    this.show();
  }

  goAway(time: number, reason: "blur" | "visibilitychange"): void {
    this.leave(time, reason);
    this.route?.interrupted();
    if (this.state !== "reading" || this.away) return;
    this.away = true;
    this.desk.show("away");
  }

  comeBack(): void {
    if (!this.away || document.hidden) return;
    this.away = false;
    if (this.state === "reading") this.desk.show(`reading-${this.mode}`);
  }

  changed(time: number): void {
    if (this.state === "ready" || this.state === "finished") return;
    this.pause(time, "resize");
    this.layAgain();
  }

  pause(time: number, reason: PauseReason): void {
    if (this.state !== "reading") return;
    this.leave(time, reason);
    this.route?.interrupted();
    this.state = "paused";
    this.away = false;
    this.pausedSince = { time, reason };
    this.desk.show(reason === "resize" ? "paused" : "left-full-screen");
    this.desk.done.disabled = true;
    this.takeFocus();
  }

  get isElsewhere(): boolean {
    const [x, y] = this.corner();
    return Math.abs(x - this.origin[0]) >= 0.5 || Math.abs(y - this.origin[1]) >= 0.5;
  }

  private goOn(time: number): void {
    if (this.state !== "paused" || this.pausedSince === null) return;
    const { time: from, reason } = this.pausedSince;
    if (this.pauses.length < MOST_PAUSES_KEPT) this.pauses.push({ from, until: time, reason });
    this.pausedSince = null;
    this.layAgain();
    this.noteLayout(time);
    this.state = "reading";
    this.desk.show(`reading-${this.mode}`);
    this.desk.done.disabled = this.record.isEmpty;
    this.takeFocus();
  }

  private finish(time: number): void {
    if (this.state !== "reading" || this.record.isEmpty) return;
    this.leave(time, "done");
    this.state = "finished";
    this.listening.stop();
    this.desk.done.disabled = true;
    const { record, layouts, pauses } = this;
    const outOfView = [...this.seen.keys()].filter((aoi) => this.seen.get(aoi) !== null).sort((a, b) => a - b);
    const pointerType = this.route?.pointerType ?? "";
    this.resolve({
      record,
      layouts,
      pauses,
      pointerType,
      copyAttempts: this.guard?.attempts ?? 0,
      outOfView,
      finished: time,
    });
  }

  private get isOpening(): boolean {
    return this.state === "reading" && !this.away;
  }

  private routeOf(mode: Mode): Route {
    const { listening } = this;
    const { cover } = this.desk;
    switch (mode) {
      case "pointer":
        return new PointerRoute(this, listening);
      case "drag":
        return new FingerRoute(this, cover.text, listening);
      case "keyboard":
        cover.readOut();
        return new KeyRoute(this, { text: cover.text, areas: this.trial.areas.length, listening });
    }
  }

  /** Those who read with keys need not look for where they go on. */
  private takeFocus(): void {
    if (this.mode !== "keyboard") return;
    const target = this.state === "paused" ? this.desk.goOn : this.desk.cover.text;
    target.focus({ preventScroll: true });
  }

  /** Puts on the page what the record says is open. */
  private show(): void {
    this.desk.cover.open(this.record.open);
    this.record.shown();
    this.watch(this.record.open);
    if (this.state === "reading" && !this.record.isEmpty) this.desk.done.disabled = false;
  }

  /** Watches what of the open area is in the window. With keys it is brought there, as nothing else scrolls the page then. */
  private watch(aoi: number): void {
    if (aoi === this.watched) return;
    if (this.seen.get(this.watched)?.end() === 0) this.seen.set(this.watched, null);
    this.watched = aoi;
    if (aoi === 0) return;
    const tiles = this.desk.cover.tilesOf(aoi);
    if (this.mode === "keyboard") broughtIntoView(tiles);
    if (!this.seen.has(aoi)) this.seen.set(aoi, new Seen(tiles));
    this.seen.get(aoi)?.begin();
  }

  /** Line breaks are recomputed only if the available width changes. */
  private layAgain(): void {
    const layout = measure(this.trial, this.desk.frame);
    if (layout.width !== this.layout.width || layout.fontSize !== this.layout.fontSize) this.layout = layout;
    this.draw();
  }

  private draw(): void {
    this.desk.cover.lay(this.layout, this.trial.mask);
    // Areas that are laid out anew are watched anew.
    for (const [aoi, seen] of this.seen) if (seen !== null) this.seen.set(aoi, new Seen(this.desk.cover.tilesOf(aoi)));
    this.origin = this.corner();
  }

  private corner(): readonly [number, number] {
    const corner = this.desk.cover.text.getBoundingClientRect();
    return [corner.left + window.scrollX, corner.top + window.scrollY];
  }

  private noteLayout(time: number): void {
    this.origin = this.corner();
    const boxes = this.layouts.reduce((sum, { layout }) => sum + layout.boxes.length, 0);
    const room = this.layouts.length === 0 || boxes + this.layout.boxes.length <= MOST_BOXES_KEPT;
    this.record.lay(this.layout.boxes, { time, index: this.layouts.length });
    if (!room) return;
    this.layouts.push({
      time,
      layout: this.layout,
      origin: this.origin,
      viewport: [window.innerWidth, window.innerHeight],
      zoom: window.visualViewport?.scale ?? 1,
      dpr: window.devicePixelRatio,
    });
  }
}

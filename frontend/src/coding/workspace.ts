/** Coding workspace: one text per screen, operated by keyboard. Codings are sent in the background. */

import { presses } from "../presses/guard";
import { Desk } from "./desk";
import { Drafts } from "./drafts";
import { Notices } from "./notices";
import { showOpinions } from "./opinions";
import { Pace } from "./pace";
import { inOrder, keysOf, sameCodes, toggled } from "./rule";
import { browserStore, type QueueState, SaveQueue } from "./save-queue";
import { CodingServer } from "./server";
import { markedText, node, part } from "./shown";
import { BATCH, type Given, type Item, ItemWindow } from "./window";
import type { WorkspaceConfig } from "./workspace-config";

export class Workspace {
  private readonly notices: Notices;
  private readonly server: CodingServer;
  private readonly items: ItemWindow;
  private readonly queue: SaveQueue;
  private readonly desk: Desk;
  private readonly pace = new Pace();
  private readonly drafts: Drafts;
  private readonly numbers = new Map<string, number>();
  private readonly saved: string[] = [];
  private readonly note = part<HTMLTextAreaElement>("note");
  private item: Item | null = null;
  private chosen: readonly string[] = [];
  private coded: number;
  private turn = 0;
  /** Seconds for which the text on the screen was looked at, as far as they were taken from the clock. */
  private spent = 0;
  private problems = 0;

  constructor(private readonly config: WorkspaceConfig) {
    this.coded = config.coded;
    this.notices = new Notices(config.texts);
    this.drafts = new Drafts(`${config.storage}-drafts`);
    this.server = new CodingServer(config.api, (coded) => {
      // While more is on its way the server is behind.
      if (this.queue.state.unsent > 1) return;
      this.coded = coded;
      this.showProgress();
    });
    const isSettling = config.mode === "adjudicate";
    // Disagreements come and go while coders code, so they are fetched once and keep their numbers.
    const batch = isSettling ? Math.max(1, config.total) : BATCH;
    this.items = new ItemWindow(config.total, (from, count) => this.server.items(from, count), batch);
    this.queue = new SaveQueue({
      send: (entry) => this.server.save(entry),
      store: browserStore(config.storage),
      onChange: (state) => this.onQueue(state),
    });
    const commands = {
      toggle: (code: string) => this.toggle(code),
      save: () => this.save(),
      previous: () => this.previous(),
      undo: () => void this.undo(),
      suggest: () => this.suggest(),
      again: () => void this.show(1),
      seen: () => this.queue.forgetRefused(),
      takeFrom: isSettling ? (coder: number) => this.takeFrom(coder) : null,
    };
    this.desk = new Desk({ notices: this.notices, digits: keysOf(config.scheme), frozen: config.frozen, commands });
  }

  async begin(): Promise<void> {
    window.addEventListener("beforeunload", (event) => {
      if (this.queue.state.unsent > 0) event.preventDefault();
    });
    this.note.addEventListener("input", () => this.keepDraft());
    for (const name of ["online", "focus", "visibilitychange"]) {
      window.addEventListener(name, () => this.queue.retryNow());
    }
    this.notices.showQueue(this.queue.state);
    this.queue.start();
    // What an earlier visit left has to arrive before its texts are fetched, or they would look as if nobody coded them.
    await this.drained(3_000);
    await this.show(this.config.start);
  }

  // ---- moving ----

  private async show(number: number): Promise<void> {
    this.keepDraft();
    this.turn += 1;
    const { turn } = this;
    let item = this.items.at(number);
    if (item === undefined) {
      try {
        item = await this.items.get(number);
      } catch (error) {
        if (turn === this.turn) this.notices.sayWhyNot(error, () => void this.show(number));
        return;
      }
      if (turn !== this.turn) return;
    } else this.items.prefetch(number);
    this.render(item);
  }

  private render(item: Item): void {
    this.item = item;
    this.numbers.set(item.key, item.number);
    const draft = this.drafts.get(item.key, this.server.revisionOf(item));
    const given = draft ?? item.coding;
    this.spent = draft?.seconds ?? 0;
    part("number").textContent = String(item.number);
    part("state").textContent = item.coding === null ? "" : this.notices.text(this.stateOf(item));
    part("stimulus").replaceChildren(...markedText(item.stimulus));
    const isEmpty = item.recall.every((piece) => piece.text.trim() === "");
    const recall = part("recall");
    recall.classList.toggle("nothing", isEmpty);
    recall.replaceChildren(...(isEmpty ? [this.notices.text("empty")] : markedText(item.recall)));
    showOpinions(item.codings, this.config.scheme, this.notices.text("take"), (coder) => this.takeFrom(coder));
    part("suggestion").hidden = true;
    this.note.value = given?.note ?? "";
    this.choose(given?.codes ?? []);
    this.notices.say(draft === undefined ? "" : this.notices.text("kept"));
    this.showFinished(false);
    this.showProgress();
    presses.turn({ atOnce: true });
    this.desk.begin();
  }

  private stateOf(item: Item): string {
    if (this.config.mode === "code") return "coded";
    return item.outdated ? "outdated" : "decided";
  }

  private async next(): Promise<void> {
    const { item } = this;
    if (item === null) return;
    if (item.number < this.config.total) {
      await this.show(item.number + 1);
      return;
    }
    // At the end: back to the first that was left out, or done.
    this.keepDraft();
    await this.drained(5_000);
    try {
      const number = await this.server.next();
      if (number === null) this.showFinished(true);
      else await this.show(number);
    } catch (error) {
      this.notices.sayWhyNot(error, () => void this.next());
    }
  }

  private previous(): void {
    if (this.item === null) return;
    if (this.isFinished) this.render(this.item);
    else if (this.item.number > 1) void this.show(this.item.number - 1);
    else this.notices.say(this.notices.text("first"));
  }

  private keepDraft(): void {
    const { item } = this;
    if (item === null) return;
    this.spent += this.desk.seconds();
    const now = { codes: this.chosen, note: this.note.value };
    if (isSame(item.coding, now)) this.drafts.delete(item.key);
    else this.drafts.set(item.key, { ...now, seconds: this.spent, revision: this.server.revisionOf(item) });
  }

  // ---- coding ----

  private choose(codes: readonly string[]): void {
    this.chosen = inOrder(codes, this.config.scheme);
    this.desk.tick(this.chosen);
  }

  private toggle(code: string): void {
    if (this.isClosed()) return;
    const { chosen, cleared } = toggled(this.chosen, code, this.config.scheme);
    this.choose(chosen);
    this.keepDraft();
    if (cleared.length === 0) this.notices.say("");
    else this.notices.say(this.notices.text("cleared", { code, cleared: cleared.join(", ") }), "warning");
  }

  private save(): void {
    const { item } = this;
    if (item === null) return;
    const given = { codes: this.chosen, note: this.note.value.trim() };
    // What was settled before coders changed their minds is confirmed by saving it again.
    const isUnchanged = isSame(item.coding, given) && !item.outdated;
    if (this.isFinished || this.config.frozen || isUnchanged) {
      if (item.coding === null && !this.config.frozen) this.notices.say(this.notices.text("none"), "warning");
      else void this.next();
      return;
    }
    if (given.codes.length === 0) {
      this.notices.say(this.notices.text("none"), "warning");
      return;
    }
    const seconds = this.spent + this.desk.seconds();
    this.spent = 0;
    this.drafts.delete(item.key);
    this.pace.add(seconds);
    if (item.coding === null) this.coded += 1;
    this.saved.push(item.key);
    this.item = { ...item, coding: given, outdated: false };
    this.items.replace(this.item);
    this.queue.put({ key: item.key, ...given, seconds, revision: item.revision });
    void this.next();
  }

  private async undo(): Promise<void> {
    if (this.config.frozen) return;
    this.notices.say(this.notices.text("undoing"));
    await this.drained(5_000);
    if (this.queue.state.unsent > 0) {
      this.notices.say(this.notices.text("undoOffline"), "warning");
      return;
    }
    try {
      const item = await this.server.undo(this.saved.at(-1) ?? null);
      this.saved.pop();
      this.keepDraft();
      this.drafts.delete(item.key);
      this.items.replace(item);
      this.render(item);
      const codes = item.coding?.codes.join(", ") ?? "";
      this.notices.say(this.notices.text(item.coding === null ? "undone" : "undoneTo", { codes }));
    } catch (error) {
      this.notices.sayWhyNot(error, () => void this.undo());
    }
  }

  /** The first time the suggestion is shown with its reason; the second time it is taken over. */
  private suggest(): void {
    const suggestion = this.item?.suggestion ?? null;
    if (this.isClosed()) return;
    if (suggestion === null) {
      this.notices.say(this.notices.text("noSuggestion"));
      return;
    }
    const box = part("suggestion");
    const canTake = suggestion.codes.length > 0;
    if (box.hidden) {
      part("suggestion-codes").textContent = suggestion.codes.join(", ") || "–";
      part("suggestion-reasons").replaceChildren(...suggestion.reasons.map((reason) => node("li", "", reason)));
      part("suggestion-take").hidden = !canTake;
      box.hidden = false;
    } else if (canTake) this.takeOver(suggestion.codes, "taken");
  }

  private takeFrom(coder: number): void {
    const coding = this.item?.codings[coder];
    if (coding !== undefined && !this.isClosed()) this.takeOver(coding.codes, "takenFrom", coding.coder);
  }

  private takeOver(codes: readonly string[], name: string, coder = ""): void {
    this.choose(codes);
    this.keepDraft();
    this.notices.say(this.notices.text(name, { codes: this.chosen.join(", "), coder }));
  }

  /** Whether nothing can be chosen now; says so where that may surprise. */
  private isClosed(): boolean {
    if (this.config.frozen) this.notices.say(this.notices.text("frozen"));
    return this.config.frozen || this.item === null || this.isFinished;
  }

  // ---- the page ----

  private onQueue(state: QueueState): void {
    this.notices.showQueue(state);
    this.notices.showRefused(
      state,
      (key) => this.numbers.get(key),
      (number) => {
        this.queue.forgetRefused();
        void this.show(number);
      },
    );
    // What is stored is not what was meant: everything is fetched again when it is looked at.
    if (state.refused.length > this.problems) this.items.forget();
    this.problems = state.refused.length;
  }

  private showProgress(): void {
    const pace = this.pace.median ?? this.config.pace_seconds;
    this.notices.showProgress(Math.min(this.coded, this.config.total), this.config.total, pace);
  }

  private get isFinished(): boolean {
    return !part("finished").hidden;
  }

  private showFinished(finished: boolean): void {
    part("finished").hidden = !finished;
    part("work").hidden = finished;
    if (!finished) return;
    presses.turn({ atOnce: true });
    this.desk.end();
  }

  private async drained(longest: number): Promise<void> {
    if (this.queue.state.unsent === 0) return;
    await Promise.race([this.queue.drained(), new Promise((resolve) => setTimeout(resolve, longest))]);
  }
}

function isSame(one: Given | null, other: Given): boolean {
  if (one === null) return other.codes.length === 0 && other.note.trim() === "";
  return sameCodes(one.codes, other.codes) && one.note === other.note.trim();
}

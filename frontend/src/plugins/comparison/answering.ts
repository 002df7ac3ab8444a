/** State of the answers to a comparison. Pure, without a page. Places are counted from 0. */

export type Task = "pair" | "best-worst" | "ranking";

/** What can be said of a text: that it is better, the best, the worst, or the next in order. */
export type Said = "better" | "best" | "worst" | "next";

export const BEST = 1;
export const BETWEEN = 2;
export const WORST = 3;

export abstract class Answering {
  /** How often a complete answer was changed. */
  changes = 0;
  /** Time stamp of the last event that changed the answer. */
  changedAt: number | null = null;

  constructor(readonly places: number) {}

  /** A rank for every place, or null while the answer is not complete. */
  abstract get ranks(): number[] | null;
  /** What can be said of each text. */
  abstract readonly offers: readonly Said[];
  /** Whether it is said of a place now. */
  abstract isSaid(said: Said, place: number): boolean;
  protected abstract apply(said: Said, place: number): void;

  say(said: Said, place: number, time: number): void {
    const before = this.ranks;
    this.apply(said, place);
    this.note(before, time);
  }

  /** Says of a place what comes next, as a digit does. */
  abstract sayNext(place: number, time: number): void;

  /** Answers that there is no difference; nothing where that cannot be said. */
  sayNoDifference(_time: number): void {}

  get isNoDifference(): boolean {
    return false;
  }

  /** Takes the last step back; nothing where there is none. */
  takeBack(_time: number): void {}

  /** Answers at once; for simulations. */
  abstract fill(ranks: readonly number[], time: number): void;

  protected note(before: readonly number[] | null, time: number): void {
    const now = this.ranks;
    if (before !== null && String(before) !== String(now)) this.changes += 1;
    this.changedAt = time;
  }
}

export function answeringFor(task: Task, places: number, noDifference: boolean): Answering {
  switch (task) {
    case "pair":
      return new Choosing(places, noDifference);
    case "best-worst":
      return new Extremes(places);
    case "ranking":
      return new Ordering(places);
  }
}

class Choosing extends Answering {
  readonly offers = ["better"] as const;
  private chosen: number | "none" | null = null;

  constructor(
    places: number,
    private readonly noDifference: boolean,
  ) {
    super(places);
  }

  get ranks(): number[] | null {
    if (this.chosen === null) return null;
    return Array.from({ length: this.places }, (_, place) =>
      this.chosen === "none" || this.chosen === place ? BEST : BEST + 1,
    );
  }

  override get isNoDifference(): boolean {
    return this.chosen === "none";
  }

  isSaid(_said: Said, place: number): boolean {
    return this.chosen === place;
  }

  protected apply(_said: Said, place: number): void {
    this.chosen = place;
  }

  sayNext(place: number, time: number): void {
    this.say("better", place, time);
  }

  override sayNoDifference(time: number): void {
    if (!this.noDifference) return;
    const before = this.ranks;
    this.chosen = "none";
    this.note(before, time);
  }

  fill(ranks: readonly number[], time: number): void {
    if (ranks.every((rank) => rank === BEST)) this.sayNoDifference(time);
    else this.say("better", ranks.indexOf(BEST), time);
  }
}

class Extremes extends Answering {
  readonly offers = ["best", "worst"] as const;
  private best: number | null = null;
  private worst: number | null = null;

  get ranks(): number[] | null {
    const { best, worst } = this;
    if (best === null || worst === null) return null;
    return Array.from({ length: this.places }, (_, place) =>
      place === best ? BEST : place === worst ? WORST : BETWEEN,
    );
  }

  isSaid(said: Said, place: number): boolean {
    return (said === "best" ? this.best : this.worst) === place;
  }

  /** A text cannot be both: what is said last holds. */
  protected apply(said: Said, place: number): void {
    if (said === "best") {
      this.best = place;
      if (this.worst === place) this.worst = null;
    } else {
      this.worst = place;
      if (this.best === place) this.best = null;
    }
  }

  sayNext(place: number, time: number): void {
    if (this.ranks !== null) {
      const before = this.ranks;
      this.best = place;
      this.worst = null;
      this.note(before, time);
      return;
    }
    this.say(this.best === null || this.best === place ? "best" : "worst", place, time);
  }

  override takeBack(time: number): void {
    const before = this.ranks;
    if (this.worst !== null) this.worst = null;
    else this.best = null;
    this.note(before, time);
  }

  fill(ranks: readonly number[], time: number): void {
    this.say("best", ranks.indexOf(BEST), time);
    this.say("worst", ranks.indexOf(WORST), time);
  }
}

class Ordering extends Answering {
  readonly offers = ["next"] as const;
  private order: number[] = [];

  get ranks(): number[] | null {
    if (this.order.length < this.places) return null;
    return Array.from({ length: this.places }, (_, place) => this.order.indexOf(place) + 1);
  }

  /** The rank of a place so far, or null. */
  rankOf(place: number): number | null {
    const at = this.order.indexOf(place);
    return at === -1 ? null : at + 1;
  }

  get nextRank(): number {
    return this.order.length + 1;
  }

  isSaid(_said: Said, place: number): boolean {
    return this.order.includes(place);
  }

  protected apply(_said: Said, place: number): void {
    if (this.order.includes(place)) {
      // The one that was left over was not said by anybody.
      const said = this.order.length === this.places ? this.order.slice(0, -1) : this.order;
      this.order = said.filter((other) => other !== place);
      return;
    }
    this.order.push(place);
    // The last one is left over: nobody has to say it.
    if (this.order.length === this.places - 1) {
      const left = Array.from({ length: this.places }, (_, at) => at).find((at) => !this.order.includes(at));
      if (left !== undefined) this.order.push(left);
    }
  }

  sayNext(place: number, time: number): void {
    this.say("next", place, time);
  }

  override takeBack(time: number): void {
    const before = this.ranks;
    // A complete order ends with the one that was left over and the one that was said last.
    this.order = this.order.slice(0, before === null ? -1 : -2);
    this.note(before, time);
  }

  fill(ranks: readonly number[], time: number): void {
    for (let rank = 1; rank < ranks.length; rank += 1) this.say("next", ranks.indexOf(rank), time);
  }
}

/** The rank of a place in an order that is being made; null in other tasks. */
export function rankSoFar(answering: Answering, place: number): { rank: number | null; next: number } | null {
  return answering instanceof Ordering ? { rank: answering.rankOf(place), next: answering.nextRank } : null;
}

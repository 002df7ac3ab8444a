/** The texts of a queue around the one on the screen, fetched ahead so that the next one appears at once. */

export interface Piece {
  readonly text: string;
  /** `near` differs from the other text in spelling or ending only; `only` occurs in this text but not in the other. */
  readonly kind: "same" | "near" | "only";
}

export interface Given {
  readonly codes: readonly string[];
  readonly note: string;
}

export interface ColleaguesCoding extends Given {
  readonly coder: string;
}

export interface Item {
  readonly key: string;
  readonly number: number;
  readonly stimulus: readonly Piece[];
  readonly recall: readonly Piece[];
  readonly suggestion: { readonly codes: readonly string[]; readonly reasons: readonly string[] } | null;
  readonly coding: Given | null;
  /** Grows with every change of the coding; 0 where there is none. */
  readonly revision: number;
  /** Whether coders have changed their minds since it was settled. */
  readonly outdated?: boolean;
  /** What the coders chose, where their codings are being settled; empty otherwise. */
  readonly codings: readonly ColleaguesCoding[];
}

export type FetchItems = (from: number, count: number) => Promise<readonly Item[]>;

/** How many texts are requested at once, and below how many texts ahead the next ones are requested. */
export const BATCH = 40;
const AHEAD = 15;

export class ItemWindow {
  private readonly items = new Map<number, Item>();
  private readonly asked = new Map<number, Promise<void>>();

  constructor(
    private readonly total: number,
    private readonly fetchItems: FetchItems,
    private readonly batch = BATCH,
  ) {}

  /** The text of that number where it is here already. */
  at(number: number): Item | undefined {
    return this.items.get(number);
  }

  /** Takes over what was done to a text here. */
  replace(item: Item): void {
    this.items.set(item.number, item);
  }

  /** Forgets the texts, because the server knows better. */
  forget(): void {
    this.items.clear();
    this.asked.clear();
  }

  /** The text of that number; rejects where it cannot be fetched. Those around it follow behind. */
  async get(number: number): Promise<Item> {
    await this.batchOf(number);
    const item = this.items.get(number);
    if (item === undefined) throw new RangeError(`There is no text ${number}.`);
    this.prefetch(number);
    return item;
  }

  /** Fetches what will be wanted next; failures show when it is wanted. */
  prefetch(number: number): void {
    for (const wanted of [Math.min(number + AHEAD, this.total), Math.max(number - 1, 1)]) {
      this.batchOf(wanted).catch(() => {});
    }
  }

  private batchOf(number: number): Promise<void> {
    const from = Math.floor((number - 1) / this.batch) * this.batch + 1;
    const running = this.asked.get(from);
    if (running !== undefined) return running;
    const batch = this.load(from);
    this.asked.set(from, batch);
    return batch;
  }

  private async load(from: number): Promise<void> {
    try {
      for (const item of await this.fetchItems(from, this.batch)) this.items.set(item.number, item);
    } catch (error) {
      this.asked.delete(from);
      throw error;
    }
  }
}

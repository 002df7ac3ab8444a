/** The errors that are marked in one text: which words they have, and that none of them share a word. Pure. */

export type Severity = "minor" | "major";

/** Places of words, counted from 0; the last one belongs to it. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

export interface Mark extends Extent {
  readonly severity: Severity;
  readonly category: string | null;
  /** Time stamp of the event that marked or last changed it. */
  readonly time: number;
}

export class Spans {
  private marks: readonly Mark[] = [];
  /** How often a mark was changed or removed. */
  changes = 0;
  /** Time stamp of the last event; 0 before the first. */
  changedAt = 0;

  /** In the order of the text. */
  get all(): readonly Mark[] {
    return this.marks;
  }

  at(word: number): Mark | null {
    return this.marks.find((mark) => mark.start <= word && word <= mark.end) ?? null;
  }

  touching({ start, end }: Extent): readonly Mark[] {
    return this.marks.filter((mark) => mark.start <= end && start <= mark.end);
  }

  /** The mark that has all these words; null where there is none. */
  within({ start, end }: Extent): Mark | null {
    return this.marks.find((mark) => mark.start <= start && end <= mark.end) ?? null;
  }

  /** The mark that these words would change or widen if they were marked; null where they are no more than new words. */
  meant(words: Extent): Mark | null {
    const [one, ...more] = this.touching(words);
    if (one === undefined || more.length > 0) return null;
    const isAround = words.start <= one.start && one.end <= words.end;
    return isAround ? one : this.within(words);
  }

  /**
   * Marks words. Words of one mark change all of it; words around one mark widen it. Null, and nothing is changed, where
   * the words belong to another mark in part, or to several.
   */
  put(words: Extent, severity: Severity, category: string | null, time: number): Mark | null {
    const old = this.meant(words);
    if (old === null) {
      if (this.touching(words).length > 0) return null;
      return this.replace(null, { ...extentOf(words), severity, category, time });
    }
    const isWithin = this.within(words) !== null;
    const extent = isWithin ? extentOf(old) : extentOf(words);
    const isSame =
      extent.start === old.start && extent.end === old.end && severity === old.severity && category === old.category;
    if (isSame) return old;
    // To name the category after the severity is no change of mind.
    const isCompletion = isWithin && severity === old.severity && old.category === null;
    if (!isCompletion) this.changes += 1;
    return this.replace(old, { ...extent, severity, category, time });
  }

  /** Removes the marks that these words belong to, and returns them. */
  remove(words: Extent, time: number): readonly Mark[] {
    const removed = this.touching(words);
    for (const mark of removed) this.replace(mark, null, time);
    this.changes += removed.length;
    return removed;
  }

  private replace<New extends Mark | null>(old: Mark | null, mark: New, time = mark?.time ?? 0): New {
    const others = this.marks.filter((other) => other !== old);
    this.marks = (mark === null ? others : [...others, mark]).sort((one, other) => one.start - other.start);
    this.changedAt = time;
    return mark;
  }
}

function extentOf({ start, end }: Extent): Extent {
  return { start, end };
}

/** The paragraph whose words are marked: while they can be, a list of words for keys and for readers of screens. */

import type { ErrorSpanMessages } from "../languages/error-spans/english";
import { element } from "../page/blocks";
import type { Extent, Spans } from "./spans";

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
const FREE_BOX = { left: 0, right: 0, top: 0, height: 0 };

export class MarkableText {
  private readonly choices: readonly HTMLElement[];
  private readonly gaps: readonly HTMLElement[];
  private readonly before: Readonly<Record<string, string | null>>;

  /** `describedBy` names the elements that say how words are marked. */
  constructor(
    readonly paragraph: HTMLElement,
    private readonly words: readonly string[],
    private readonly texts: ErrorSpanMessages,
    { id, describedBy }: { readonly id: string; readonly describedBy: string },
  ) {
    this.choices = words.map((word, at) =>
      element("span", { class: "word", role: "option", id: `${id}-word-${at}`, "aria-selected": "false" }, word.trim()),
    );
    this.gaps = words.map((word) => element("span", {}, word.slice(word.trimEnd().length)));
    this.before = Object.fromEntries(
      Object.entries({
        role: "listbox",
        tabindex: "0",
        "aria-label": texts.words,
        "aria-multiselectable": "true",
        "aria-describedby": describedBy,
      }).map(([name, value]) => {
        const had = paragraph.getAttribute(name);
        paragraph.setAttribute(name, value);
        return [name, had];
      }),
    );
    const leading = words[0] ?? "";
    paragraph.classList.add("markable");
    paragraph.replaceChildren(
      leading.slice(0, leading.length - leading.trimStart().length),
      ...this.choices.flatMap((option, at) => [option, this.gaps[at] as HTMLElement]),
    );
  }

  /** Makes it the text again that it was. */
  restore(): void {
    const { paragraph } = this;
    for (const [name, had] of Object.entries(this.before)) {
      if (had === null) paragraph.removeAttribute(name);
      else paragraph.setAttribute(name, had);
    }
    paragraph.removeAttribute("aria-activedescendant");
    paragraph.classList.remove("markable");
    paragraph.textContent = this.words.join("");
  }

  focus(): void {
    this.paragraph.focus({ preventScroll: true });
  }

  wordsOf({ start, end }: Extent): string {
    return this.words
      .slice(start, end + 1)
      .join("")
      .trim();
  }

  /** Shows what is marked, which words are chosen, if any, and the word at which the keys are. */
  show(spans: Spans, chosen: Extent | null, current: number): void {
    for (const [at, word] of this.choices.entries()) {
      const mark = spans.at(at);
      const goesOn = mark !== null && at < mark.end;
      word.className = `word ${mark?.severity ?? ""}${at === current ? " current" : ""}`;
      (this.gaps[at] as HTMLElement).className = goesOn ? mark.severity : "";
      word.setAttribute("aria-selected", String(chosen !== null && chosen.start <= at && at <= chosen.end));
      if (mark === null) word.removeAttribute("aria-label");
      else word.setAttribute("aria-label", `${word.textContent}, ${this.texts[mark.severity]}`);
    }
    const active = this.choices[current];
    if (active !== undefined) this.paragraph.setAttribute("aria-activedescendant", active.id);
  }

  scrollTo(word: number): void {
    this.choices[word]?.scrollIntoView?.({ block: "nearest" });
  }

  /** The word at which the pointer is; null where it is at none. */
  placeOf(event: Event): number | null {
    const at = this.choices.indexOf(event.target as HTMLElement);
    return at === -1 ? null : at;
  }

  /** The word to which a key leads from another; null where it leads to none. */
  wordAfter(key: string, from: number): number | null {
    const last = this.words.length - 1;
    if (key === "Home") return 0;
    if (key === "End") return last;
    const step = STEPS[key];
    if (step !== undefined) {
      const forward = getComputedStyle(this.paragraph).direction === "rtl" ? -step : step;
      return Math.min(last, Math.max(0, from + forward));
    }
    if (key === "ArrowDown") return this.wordInNextLine(from, 1);
    return key === "ArrowUp" ? this.wordInNextLine(from, -1) : null;
  }

  private wordInNextLine(from: number, step: 1 | -1): number {
    const boxes = this.choices.map((word) => word.getBoundingClientRect());
    const own = boxes[from] ?? FREE_BOX;
    const middle = (own.left + own.right) / 2;
    let best = from;
    let line: number | null = null;
    let nearest = Number.POSITIVE_INFINITY;
    for (let at = from + step; at >= 0 && at < boxes.length; at += step) {
      const box = boxes[at] as DOMRect;
      if (line === null ? (box.top - own.top) * step < own.height / 2 : (box.top - line) * step > own.height / 2) {
        if (line !== null) break;
        continue;
      }
      line ??= box.top;
      const distance = Math.abs((box.left + box.right) / 2 - middle);
      if (distance < nearest) {
        nearest = distance;
        best = at;
      }
    }
    return best;
  }
}

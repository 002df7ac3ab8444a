/**
 * Errors marked in a text, word by word, by a session that has such a question; no other loads this.
 *
 * Mouse: drawing over words, or pressing the first and then the last, as by touch, where drawing scrolls. Keys, on the text:
 * arrows, Home and End go from word to word, with Shift they choose several. Of chosen words 1 and 2 say how bad the error is,
 * Space marks, widens and changes it, Delete removes it; where none are chosen, digits answer other questions. Enter goes on,
 * as everywhere. A slider for the whole text may follow. Which words there are is said by the server; joined they are the text.
 */

import { type Data, sectionsFrom } from "../languages/data";
import { element } from "../page/blocks";
import { english } from "./error-spans-english";
import { type FieldMaker, type FieldOptions, type GivenAnswer, RatingField, ratingField } from "./fields";
import type { MarkedSpan } from "./question";
import { type Extent, type Mark, type Severity, Spans } from "./spans";
import "./error-spans.css";

export type ErrorSpanMessages = typeof english;

const files = import.meta.glob<Data>("../languages/error-spans/*.json", { import: "default" });
let texts: ErrorSpanMessages = english;

/** How fields are made for questions about a text on the page, given its paragraph and its words. */
export type ErrorSpansMaker = (text: HTMLElement, words: readonly string[]) => FieldMaker;

/** Loads the texts of the page's language; English where there are none. */
export async function load(): Promise<ErrorSpansMaker> {
  const language = document.documentElement.lang.split("-")[0] ?? "";
  const ofLanguage = files[`../languages/error-spans/${language}.json`];
  texts =
    ofLanguage === undefined ? english : (sectionsFrom(await ofLanguage(), language) as unknown as ErrorSpanMessages);
  return (text, words) => (options) =>
    options.question.kind === "error-spans" ? new ErrorSpansField(options, text, words) : ratingField(options);
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
const SEVERITIES: Readonly<Record<string, Severity>> = { "1": "minor", "2": "major" };

export class ErrorSpansField extends RatingField {
  readonly element: HTMLElement;
  private readonly spans = new Spans();
  private readonly slider: RatingField | null;
  private readonly list: HTMLElement;
  private readonly nothing: HTMLElement;
  private readonly message: HTMLElement;
  private readonly tools: HTMLElement;
  private readonly category: HTMLSelectElement | null;
  private readonly said: HTMLElement;
  private readonly refusal: HTMLElement;
  private readonly buttons: readonly HTMLButtonElement[];
  private readonly choices: readonly HTMLElement[];
  private readonly gaps: readonly HTMLElement[];
  private readonly before: Readonly<Record<string, string | null>>;
  /** Where a choice of words began, and where it has come to. */
  private from = 0;
  private to = 0;
  private isChosen = false;
  /** The first word of an error, pressed alone: the next press is its last. */
  private pressed: number | null = null;
  private drawnFrom: number | null = null;
  private wasWarned = false;

  /** `text` is the paragraph on the page whose words are marked. */
  constructor(
    options: FieldOptions,
    private readonly text: HTMLElement,
    private readonly words: readonly string[],
  ) {
    super(options);
    const { id, question } = options;
    const { categories = [] } = question;
    const hint = element(
      "p",
      { class: "quiet", id: `${id}-how` },
      element("span", { class: "by-mouse" }, texts.how),
      element("span", { class: "by-touch" }, texts.howByTouch),
    );
    const keys = element("p", { class: "quiet keys", id: `${id}-keys` }, texts.keys);
    this.message = element("p", { class: "message", role: "alert", id: `${id}-message` });
    this.list = element("ol", { class: "marked", "aria-label": texts.marked });
    this.nothing = element("p", { class: "quiet" }, texts.nothing);
    this.slider = question.score
      ? ratingField({ ...options, id: `${id}-score`, question: { ...question, kind: "slider", text: texts.score } })
      : null;
    this.element = element(
      "fieldset",
      { class: "field rating error-spans", "aria-describedby": this.message.id },
      element("legend", {}, element("span", { class: "rating-text" }, question.text)),
      hint,
      keys,
      this.list,
      this.nothing,
      this.message,
      ...(this.slider === null ? [] : [this.slider.element]),
    );

    this.choices = words.map((word, at) =>
      element("span", { class: "word", role: "option", id: `${id}-word-${at}`, "aria-selected": "false" }, word.trim()),
    );
    this.gaps = words.map((word) => element("span", {}, word.slice(word.trimEnd().length)));
    this.before = Object.fromEntries(
      Object.entries({
        role: "listbox",
        tabindex: "0",
        // The arrow keys follow the text, which may run against the page.
        dir: "auto",
        "aria-label": texts.words,
        "aria-multiselectable": "true",
        "aria-describedby": `${hint.id} ${keys.id}`,
      }).map(([name, value]) => {
        const had = text.getAttribute(name);
        text.setAttribute(name, value);
        return [name, had];
      }),
    );
    const leading = words[0] ?? "";
    text.classList.add("markable");
    text.replaceChildren(
      leading.slice(0, leading.length - leading.trimStart().length),
      ...this.choices.flatMap((option, at) => [option, this.gaps[at] as HTMLElement]),
    );

    const severity = (name: Severity, key: string) =>
      this.button(texts[name], name, key, (time) => this.mark(name, time));
    this.buttons = [
      severity("minor", "1"),
      severity("major", "2"),
      this.button(texts.remove, "remove", "Delete", (time) => this.remove(time)),
    ];
    this.category = categories.length === 0 ? null : this.categoriesOf(categories, `${id}-category`);
    this.said = element("p", { class: "said quiet", "aria-live": "polite" });
    this.refusal = element("p", { class: "message", role: "alert" });
    this.tools = element(
      "div",
      { class: "mark-as", role: "group", "aria-label": texts.markAs },
      this.said,
      element(
        "div",
        { class: "mark-buttons" },
        ...this.buttons.slice(0, 2),
        ...this.labelled(id),
        this.buttons[2] as Node,
      ),
      this.refusal,
    );
    // Elsewhere on the page digits answer a scale and Enter goes on.
    this.tools.addEventListener("keydown", (event) => event.stopPropagation());
    text.after(this.tools);
    text.addEventListener("keydown", this.keyed);
    text.addEventListener("mousedown", this.pressedDown);
    text.addEventListener("mouseover", this.drawn);
    text.addEventListener("click", this.clicked);
    document.addEventListener("mouseup", this.released);
    this.show();
  }

  get isAnswered(): boolean {
    return this.slider?.isAnswered ?? true;
  }

  focus(): void {
    if (this.slider !== null && !this.slider.isAnswered) this.slider.focus();
    else this.text.focus();
  }

  check(time: number): GivenAnswer | null {
    this.message.textContent = "";
    if (this.slider === null && this.question.required && this.spans.all.length === 0 && !this.wasWarned) {
      this.wasWarned = true;
      this.message.textContent = texts.none;
      return null;
    }
    const score = this.slider?.check(time);
    if (score === null) {
      this.slider?.focus();
      return null;
    }
    const marks = this.spans.all;
    const times = [score?.time ?? 0, this.spans.changedAt];
    return {
      rating: score?.rating ?? null,
      time: Math.max(...times) || null,
      changes: (score?.changes ?? 0) + this.spans.changes,
      typed: null,
      spans: (onset) => marks.map((mark) => spanOf(mark, onset)),
    };
  }

  override fill(rating: number, spans: readonly MarkedSpan[] = []): void {
    for (const span of spans) {
      this.choose(span.start_word - 1, span.end_word - 1);
      if (this.category !== null) this.category.value = span.category ?? "";
      this.buttons[span.severity === "minor" ? 0 : 1]?.click();
    }
    this.wasWarned = true;
    this.slider?.fill(rating);
  }

  /** The text stands on later pages, too, and is only read there. */
  override close(): void {
    this.tools.remove();
    this.text.removeEventListener("keydown", this.keyed);
    this.text.removeEventListener("mousedown", this.pressedDown);
    this.text.removeEventListener("mouseover", this.drawn);
    this.text.removeEventListener("click", this.clicked);
    document.removeEventListener("mouseup", this.released);
    for (const [name, had] of Object.entries(this.before)) {
      if (had === null) this.text.removeAttribute(name);
      else this.text.setAttribute(name, had);
    }
    this.text.removeAttribute("aria-activedescendant");
    this.text.classList.remove("markable");
    this.text.textContent = this.words.join("");
  }

  private get chosen(): Extent {
    return { start: Math.min(this.from, this.to), end: Math.max(this.from, this.to) };
  }

  private wordsOf({ start, end }: Extent): string {
    return this.words
      .slice(start, end + 1)
      .join("")
      .trim();
  }

  private button(label: string, name: string, key: string, act: (time: number) => void): HTMLButtonElement {
    const button = element("button", { type: "button", class: name, "aria-keyshortcuts": key }, label);
    button.addEventListener("click", (event) => {
      act(event.timeStamp);
      // A button that can do nothing more would take the focus with it.
      this.text.focus({ preventScroll: true });
    });
    return button;
  }

  private categoriesOf(categories: readonly string[], id: string): HTMLSelectElement {
    const none = element("option", { value: "" }, texts.noCategory);
    const select = element(
      "select",
      { id },
      none,
      ...categories.map((name) => element("option", { value: name }, name)),
    );
    select.addEventListener("change", (event) => {
      const mark = this.spans.within(this.chosen);
      if (mark === null || !this.isChosen) return;
      this.spans.put(mark, mark.severity, select.value || null, event.timeStamp);
      this.show();
      this.say(this.described(mark));
    });
    return select;
  }

  private labelled(id: string): Node[] {
    if (this.category === null) return [];
    return [
      element(
        "span",
        { class: "of-category" },
        element("label", { for: `${id}-category` }, texts.category),
        this.category,
      ),
    ];
  }

  private choose(from: number, to: number): void {
    this.from = from;
    this.to = to;
    this.isChosen = true;
    const mark = this.spans.within(this.chosen);
    if (this.category !== null) this.category.value = this.spans.meant(this.chosen)?.category ?? "";
    this.refusal.textContent = "";
    this.show();
    this.say(mark === null ? this.wordsOf(this.chosen) : this.described(mark));
  }

  private mark(severity: Severity, time: number): void {
    const marked = this.spans.put(this.chosen, severity, this.category?.value || null, time);
    this.pressed = null;
    this.refusal.textContent = "";
    this.message.textContent = "";
    if (marked === null) {
      this.refusal.textContent = texts.overlap;
      return;
    }
    this.from = marked.start;
    this.to = marked.end;
    // The category may be named after the severity.
    this.isChosen = this.category !== null;
    this.show();
    this.say(this.described(marked));
  }

  private remove(time: number): void {
    const removed = this.spans.remove(this.chosen, time);
    this.pressed = null;
    this.isChosen = false;
    this.refusal.textContent = "";
    this.show();
    this.say(removed.map((mark) => texts.removed(this.wordsOf(mark))).join(" "));
  }

  private described(mark: Mark): string {
    const category = mark.category === null ? "" : `, ${mark.category}`;
    return `${this.wordsOf(mark)} · ${texts[mark.severity]}${category}`;
  }

  private say(what: string): void {
    this.said.textContent = what;
  }

  private show(): void {
    const { start, end } = this.chosen;
    for (const [at, word] of this.choices.entries()) {
      const mark = this.spans.at(at);
      const goesOn = mark !== null && at < mark.end;
      word.className = `word ${mark?.severity ?? ""}${at === this.to ? " current" : ""}`;
      (this.gaps[at] as HTMLElement).className = goesOn ? mark.severity : "";
      word.setAttribute("aria-selected", String(this.isChosen && start <= at && at <= end));
      if (mark === null) word.removeAttribute("aria-label");
      else word.setAttribute("aria-label", `${word.textContent}, ${texts[mark.severity]}`);
    }
    const current = this.choices[this.to];
    if (current !== undefined) this.text.setAttribute("aria-activedescendant", current.id);
    const isMarked = this.spans.touching(this.chosen).length > 0;
    for (const [number, button] of this.buttons.entries()) {
      button.disabled = !this.isChosen || (number === 2 && !isMarked);
    }
    const marks = this.spans.all;
    this.nothing.hidden = marks.length > 0;
    this.list.hidden = marks.length === 0;
    this.list.replaceChildren(
      ...marks.map((mark) => {
        const button = element("button", { type: "button" }, this.described(mark));
        button.addEventListener("click", () => {
          this.pressed = null;
          this.choose(mark.start, mark.end);
          this.text.focus();
        });
        return element("li", {}, button);
      }),
    );
  }

  private readonly keyed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const severity = event.key === " " ? this.severityBySpace : SEVERITIES[event.key];
    const next = this.wordAfter(event.key);
    if (severity !== undefined) {
      if (!this.isChosen) return;
      if (event.key !== " " || !event.repeat) this.mark(severity, event.timeStamp);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.remove(event.timeStamp);
    } else if (event.key === "Escape") {
      this.pressed = null;
      this.from = this.to;
      this.isChosen = false;
      this.show();
    } else if (next !== null) {
      this.pressed = null;
      this.choose(event.shiftKey ? this.from : next, next);
      this.choices[next]?.scrollIntoView?.({ block: "nearest" });
    } else {
      return;
    }
    event.preventDefault();
  };

  /** The other severity for a marked error, its own where it is widened, and minor for a new one. */
  private get severityBySpace(): Severity {
    const mark = this.spans.within(this.chosen);
    if (mark === null) return this.spans.meant(this.chosen)?.severity ?? "minor";
    return mark.severity === "minor" ? "major" : "minor";
  }

  /** The word to which a key leads; null where it leads to none. */
  private wordAfter(key: string): number | null {
    const last = this.words.length - 1;
    if (key === "Home") return 0;
    if (key === "End") return last;
    const step = STEPS[key];
    if (step !== undefined) {
      const forward = getComputedStyle(this.text).direction === "rtl" ? -step : step;
      return Math.min(last, Math.max(0, this.to + forward));
    }
    if (key === "ArrowDown") return this.wordInNextLine(1);
    return key === "ArrowUp" ? this.wordInNextLine(-1) : null;
  }

  private wordInNextLine(step: 1 | -1): number {
    const boxes = this.choices.map((word) => word.getBoundingClientRect());
    const own = boxes[this.to] ?? FREE_BOX;
    const middle = (own.left + own.right) / 2;
    let best = this.to;
    let line: number | null = null;
    let nearest = Number.POSITIVE_INFINITY;
    for (let at = this.to + step; at >= 0 && at < boxes.length; at += step) {
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

  private placeOf(event: Event): number | null {
    const at = this.choices.indexOf(event.target as HTMLElement);
    return at === -1 ? null : at;
  }

  private readonly pressedDown = (event: MouseEvent): void => {
    if (event.button !== 0) return;
    this.drawnFrom = this.placeOf(event);
    // Else the browser would mark the text in its own way.
    event.preventDefault();
    this.text.focus({ preventScroll: true });
  };

  private readonly drawn = (event: MouseEvent): void => {
    const at = this.placeOf(event);
    if (at === null || this.drawnFrom === null || (event.buttons & 1) === 0) return;
    if (at === this.drawnFrom && !this.isChosen) return;
    this.pressed = null;
    this.choose(this.drawnFrom, at);
  };

  private readonly released = (): void => {
    this.drawnFrom = null;
  };

  /** A press that began and ended on one word; drawing ends with none. */
  private readonly clicked = (event: MouseEvent): void => {
    const at = this.placeOf(event);
    if (at === null) return;
    const first = this.pressed;
    this.pressed = null;
    if (first !== null && first !== at) {
      this.choose(first, at);
      return;
    }
    if (first === at) {
      this.isChosen = false;
      this.from = at;
      this.to = at;
      this.say("");
      this.show();
      return;
    }
    const mark = this.spans.at(at);
    if (mark !== null) {
      this.choose(mark.start, mark.end);
      return;
    }
    this.choose(at, at);
    this.pressed = at;
  };
}

const FREE_BOX = { left: 0, right: 0, top: 0, height: 0 };

function spanOf(mark: Mark, onset: number): MarkedSpan {
  return {
    start_word: mark.start + 1,
    end_word: mark.end + 1,
    severity: mark.severity,
    category: mark.category,
    at_ms: Math.max(0, mark.time - onset),
  };
}

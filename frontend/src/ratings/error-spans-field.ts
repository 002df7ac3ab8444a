/**
 * Errors marked in a text, word by word.
 *
 * Mouse: drawing over words, or pressing the first and then the last, as by touch, where drawing scrolls. Keys, on the text:
 * arrows, Home and End go from word to word, with Shift they choose several. Of chosen words 1 and 2 say how bad the error is,
 * Space marks, widens and changes it, Delete removes it; where none are chosen, digits answer other questions. Enter goes on,
 * as everywhere. A slider for the whole text may follow. Which words there are is said by the server; joined they are the text.
 */

import type { ErrorSpanMessages } from "../languages/error-spans/english";
import { element, textSpan } from "../page/blocks";
import { type FieldOptions, type GivenAnswer, RatingField, ratingField } from "./fields";
import { MarkableText } from "./markable-text";
import { type MarkingActs, MarkingTools } from "./marking-tools";
import type { MarkedSpan } from "./question";
import { type Extent, type Mark, type Severity, Spans } from "./spans";

const SEVERITIES: Readonly<Record<string, Severity>> = { "1": "minor", "2": "major" };

export class ErrorSpansField extends RatingField implements MarkingActs {
  readonly element: HTMLElement;
  private readonly spans = new Spans();
  private readonly slider: RatingField | null;
  private readonly list: HTMLElement;
  private readonly nothing: HTMLElement;
  private readonly message: HTMLElement;
  private readonly text: MarkableText;
  private readonly tools: MarkingTools;
  /** Where a choice of words began, and where it has come to. */
  private from = 0;
  private to = 0;
  private isChosen = false;
  /** The first word of an error, pressed alone: the next press is its last. */
  private pressed: number | null = null;
  private drawnFrom: number | null = null;
  private wasWarned = false;

  /** `paragraph` is the one on the page whose words are marked. */
  constructor(
    options: FieldOptions,
    private readonly messages: ErrorSpanMessages,
    paragraph: HTMLElement,
    words: readonly string[],
  ) {
    super(options);
    const { id, question } = options;
    const texts = this.messages;
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
      element("legend", {}, textSpan(question.text, { class: "rating-text" })),
      hint,
      keys,
      this.list,
      this.nothing,
      this.message,
      ...(this.slider === null ? [] : [this.slider.element]),
    );

    this.text = new MarkableText(paragraph, words, texts, { id, describedBy: `${hint.id} ${keys.id}` });
    this.tools = new MarkingTools(texts, this, { id: `${id}-category`, categories });
    paragraph.after(this.tools.element);
    paragraph.addEventListener("keydown", this.keyed);
    paragraph.addEventListener("mousedown", this.pressedDown);
    paragraph.addEventListener("mouseover", this.drawn);
    paragraph.addEventListener("click", this.clicked);
    document.addEventListener("mouseup", this.released);
    this.show();
  }

  get isAnswered(): boolean {
    return this.slider?.isAnswered ?? true;
  }

  focus(): void {
    if (this.slider !== null && !this.slider.isAnswered) this.slider.focus();
    else this.text.paragraph.focus();
  }

  check(time: number): GivenAnswer | null {
    this.message.textContent = "";
    if (this.slider === null && this.question.required && this.spans.all.length === 0 && !this.wasWarned) {
      this.wasWarned = true;
      this.message.textContent = this.messages.none;
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
      this.tools.category = span.category ?? null;
      this.tools.press(span.severity);
    }
    this.wasWarned = true;
    this.slider?.fill(rating);
  }

  /** The text is repeated on later pages, where it is read-only. */
  override close(): void {
    const { paragraph } = this.text;
    this.tools.element.remove();
    paragraph.removeEventListener("keydown", this.keyed);
    paragraph.removeEventListener("mousedown", this.pressedDown);
    paragraph.removeEventListener("mouseover", this.drawn);
    paragraph.removeEventListener("click", this.clicked);
    document.removeEventListener("mouseup", this.released);
    this.text.restore();
  }

  mark(severity: Severity, time: number): void {
    const marked = this.spans.put(this.chosen, severity, this.tools.category, time);
    this.pressed = null;
    this.tools.refuse("");
    this.message.textContent = "";
    if (marked === null) {
      this.tools.refuse(this.messages.overlap);
      return;
    }
    this.from = marked.start;
    this.to = marked.end;
    // The category may be named after the severity.
    this.isChosen = this.tools.hasCategories;
    this.show();
    this.tools.say(this.described(marked));
  }

  remove(time: number): void {
    const removed = this.spans.remove(this.chosen, time);
    this.pressed = null;
    this.isChosen = false;
    this.tools.refuse("");
    this.show();
    this.tools.say(removed.map((mark) => this.messages.removed(this.text.wordsOf(mark))).join(" "));
  }

  leave(): void {
    this.text.focus();
  }

  categorise(category: string | null, time: number): void {
    const mark = this.spans.within(this.chosen);
    if (mark === null || !this.isChosen) return;
    this.spans.put(mark, mark.severity, category, time);
    this.show();
    this.tools.say(this.described(mark));
  }

  private get chosen(): Extent {
    return { start: Math.min(this.from, this.to), end: Math.max(this.from, this.to) };
  }

  private choose(from: number, to: number): void {
    this.from = from;
    this.to = to;
    this.isChosen = true;
    const mark = this.spans.within(this.chosen);
    this.tools.category = this.spans.meant(this.chosen)?.category ?? null;
    this.tools.refuse("");
    this.show();
    this.tools.say(mark === null ? this.text.wordsOf(this.chosen) : this.described(mark));
  }

  private described(mark: Mark): string {
    const category = mark.category === null ? "" : `, ${mark.category}`;
    return `${this.text.wordsOf(mark)} · ${this.messages[mark.severity]}${category}`;
  }

  private show(): void {
    this.text.show(this.spans, this.isChosen ? this.chosen : null, this.to);
    const isMarked = this.spans.touching(this.chosen).length > 0;
    this.tools.enable({ mark: this.isChosen, remove: this.isChosen && isMarked });
    const marks = this.spans.all;
    this.nothing.hidden = marks.length > 0;
    this.list.hidden = marks.length === 0;
    this.list.replaceChildren(
      ...marks.map((mark) => {
        const button = element("button", { type: "button" }, this.described(mark));
        button.addEventListener("click", () => {
          this.pressed = null;
          this.choose(mark.start, mark.end);
          this.text.paragraph.focus();
        });
        return element("li", {}, button);
      }),
    );
  }

  private readonly keyed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const severity = event.key === " " ? this.severityBySpace : SEVERITIES[event.key];
    const next = this.text.wordAfter(event.key, this.to);
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
      this.text.scrollTo(next);
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

  private readonly pressedDown = (event: MouseEvent): void => {
    if (event.button !== 0) return;
    this.drawnFrom = this.text.placeOf(event);
    // Else the browser would mark the text in its own way.
    event.preventDefault();
    this.text.focus();
  };

  private readonly drawn = (event: MouseEvent): void => {
    const at = this.text.placeOf(event);
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
    const at = this.text.placeOf(event);
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
      this.tools.say("");
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

function spanOf(mark: Mark, onset: number): MarkedSpan {
  return {
    start_word: mark.start + 1,
    end_word: mark.end + 1,
    severity: mark.severity,
    category: mark.category,
    at_ms: Math.max(0, mark.time - onset),
  };
}

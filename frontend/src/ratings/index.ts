/**
 * Asks rating questions about a text, for every plugin that does so.
 *
 * On one page, or one after the other. Keys: digits answer the marked question of a scale, arrows move a slider, whose
 * handle appears with the first touch; a free number is typed; Enter or the button goes on. `rt_ms` of a question runs
 * from the onset of its page to its last answer, or to the confirmation where it has the page to itself.
 */

import { messagesIn } from "../languages/messages";
import { buttonSaying, element } from "../page/blocks";
import { sheet } from "../page/sheet";
import { presses } from "../presses/guard";
import { clock, type Onset, type Showing } from "../timing/clock";
import { Seen } from "../timing/view";
import { typedBy } from "../typing/typed-by";
import { type FieldMaker, type GivenAnswer, type RatingField, ratingField } from "./fields";
import { ratingMessagesIn } from "./messages";
import type { RatingAnswers, RatingQuestion } from "./question";

export type { RatingAnswer, RatingAnswers, RatingQuestion } from "./question";

export interface RatingPage {
  readonly questions: readonly RatingQuestion[];
  /** Answers the questions of this page and goes on, as a participant would; for simulations. */
  answer(ratings: RatingAnswers): void;
}

export interface RatingsOptions {
  readonly display: HTMLElement;
  readonly questions: readonly RatingQuestion[];
  readonly language: string;
  /** All questions on one page, or each on its own. */
  readonly layout: "together" | "one-by-one";
  /** What the page is called in its class. */
  readonly name: string;
  /** What stays above the questions on every page. */
  readonly above?: readonly HTMLElement[];
  /** The new block element with text whose onset counts; the first question where there is none. */
  readonly stimulus?: HTMLElement;
  /** What is judged, which stands above the questions of the first page. */
  readonly judged?: readonly HTMLElement[];
  /** What else happens in the frame that draws the first page, as a sound that begins. */
  readonly drawing?: (draw: () => void) => () => void;
  /** Makes the fields, where there are others than the usual ones. */
  readonly makeField?: FieldMaker | undefined;
  /** Called when a page has been drawn. */
  readonly onPage?: (page: RatingPage) => void;
}

export interface RatingsOutcome {
  readonly ratings: RatingAnswers;
  /** Of the first page. */
  readonly onset: Onset;
  /** Time stamp of the last confirmation, on the clock of the onset. */
  readonly submitted: number;
  /** Presses before the page that they fell on was on the screen. */
  readonly early: number;
  /** How many of what was judged and of the questions had not been in the window as a whole. */
  readonly outOfView: number;
}

/** Resolves when the last page was confirmed. Needs one question at least. */
export async function askRatings(options: RatingsOptions): Promise<RatingsOutcome> {
  const { questions, layout } = options;
  const pages = layout === "together" ? [questions] : questions.map((question) => [question]);
  const ratings: Record<string, RatingAnswers[string]> = {};
  let onset: Onset | null = null;
  let submitted = 0;
  let early = 0;
  let outOfView = 0;
  for (const [index, asked] of pages.entries()) {
    const outcome = await askPage(options, asked, index);
    Object.assign(ratings, outcome.ratings);
    onset ??= outcome.onset;
    submitted = outcome.submitted;
    early += outcome.early;
    outOfView += outcome.outOfView;
  }
  if (onset === null) throw new Error("There are no rating questions to ask.");
  return { ratings, onset, submitted, early, outOfView };
}

async function askPage(
  options: RatingsOptions,
  questions: readonly RatingQuestion[],
  index: number,
): Promise<RatingsOutcome> {
  const { makeField = ratingField } = options;
  const refused = presses.counting();
  const messages = messagesIn(options.language);
  const texts = ratingMessagesIn(options.language);
  const button = buttonSaying(messages.submit);
  let confirm: (time: number) => void = () => {};
  const fields = questions.map((question, at) =>
    makeField({ question, id: `rating-${index + at}`, messages, texts, confirm: (time) => confirm(time) }),
  );
  const most = Math.max(0, ...questions.map((question) => Math.min(question.points, 9)));
  const hint = most > 0 ? [element("p", { class: "quiet keys" }, texts.digitsAnswer(most))] : [];
  const page = sheet({
    name: `${options.name} ratings`,
    content: [...(options.above ?? []), ...fields.map((field) => field.element), ...hint],
    actions: [button],
  });
  const first = index === 0 ? options.stimulus : undefined;
  const stimulus = first ?? page.querySelector<HTMLElement>(".rating-text") ?? null;
  const keys = new PageKeys(fields, button);
  const confirmed = new Promise<{ time: number; answers: GivenAnswer[] }>((resolve) => {
    confirm = (time) => {
      const answers = fields.map((field) => field.check(time));
      const refused = answers.indexOf(null);
      if (refused === -1) resolve({ time, answers: answers as GivenAnswer[] });
      else fields[refused]?.focus();
    };
  });
  button.addEventListener("click", (event) => confirm(event.timeStamp));
  const put = () => options.display.replaceChildren(page);
  const draw = index === 0 && options.drawing !== undefined ? options.drawing(put) : put;
  const seen = new Seen([...(index === 0 ? (options.judged ?? []) : []), ...fields.flatMap(askedIn)]);
  const showing = await clock.show({ draw: seen.drawing(draw), stimulus });
  keys.listen(showing, (time) => confirm(time));
  options.onPage?.({
    questions,
    answer: (ratings) => {
      for (const field of fields) {
        const { rating = null, spans } = ratings[field.question.name] ?? {};
        if (rating !== null || spans !== undefined) field.fill(rating ?? 0, spans);
      }
      button.click();
    },
  });
  const { time, answers } = await confirmed;
  const outOfView = seen.end();
  keys.release();
  for (const field of fields) field.close();
  button.disabled = true;
  const onset = await showing.onset({ before: time });
  const alone = fields.length === 1;
  const named = fields.map((field, at) => [field.question.name, timed(answers[at] as GivenAnswer, onset, alone, time)]);
  return {
    ratings: Object.fromEntries(named),
    onset,
    submitted: time,
    early: keys.early + refused(),
    outOfView,
  };
}

/** What of a question has to be seen: not the room that is kept for what is wrong with an answer. */
function askedIn({ element }: RatingField): Element[] {
  return [...element.children].filter((child) => !child.classList.contains("message"));
}

function timed(answer: GivenAnswer, onset: Onset, alone: boolean, confirmed: number): RatingAnswers[string] {
  const { rating, changes, typed } = answer;
  const spans = answer.spans?.(onset.time);
  // Among other questions, a text that was neither marked nor scored has no response time.
  const isGiven = rating !== null || (spans && (alone || answer.time !== null));
  const rt_ms = isGiven ? Math.max(0, (alone ? confirmed : (answer.time ?? confirmed)) - onset.time) : null;
  return { rating, rt_ms, changes, typed, ...(spans && { spans }) };
}

/** Keys that work anywhere on the page, and the mark of the question that they answer. */
class PageKeys {
  /** How many came before the page was on the screen. */
  early = 0;
  private goOn: (time: number) => void = () => {};
  private showing: Pick<Showing, "isPrecededBy"> | null = null;

  constructor(
    private readonly fields: readonly RatingField[],
    private readonly button: HTMLButtonElement,
  ) {}

  listen(showing: Showing, goOn: (time: number) => void): void {
    this.showing = showing;
    this.goOn = goOn;
    document.addEventListener("keydown", this.pressed);
    document.addEventListener("focusin", this.mark);
    document.addEventListener("change", this.mark);
    const [only] = this.fields;
    // A number is typed at once; a scale would seem to be answered if one of its points had the focus.
    if (this.fields.length === 1 && only?.question.kind === "magnitude") only.focus();
    this.mark();
  }

  release(): void {
    document.removeEventListener("keydown", this.pressed);
    document.removeEventListener("focusin", this.mark);
    document.removeEventListener("change", this.mark);
  }

  private get current(): RatingField | undefined {
    const focused = this.fields.find((field) => field.element.contains(document.activeElement));
    return focused ?? this.fields.find((field) => !field.isAnswered);
  }

  private readonly mark = (): void => {
    const { current } = this;
    for (const field of this.fields) field.element.toggleAttribute("data-current", field === current);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    if (!this.button.isConnected) {
      this.release();
      return;
    }
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.showing?.isPrecededBy(event.timeStamp)) {
      this.early += 1;
      event.preventDefault();
      return;
    }
    const { target } = event;
    if (event.key === "Enter") {
      // On a button, Enter is a click already.
      if (target instanceof Element && target.closest("button, a") !== null) return;
      event.preventDefault();
      this.goOn(event.timeStamp);
      return;
    }
    if (target instanceof HTMLInputElement && target.type === "text") return;
    const { current } = this;
    if (current?.answerByKey(typedBy(event), event.timeStamp)) {
      event.preventDefault();
      this.toNext(current);
    }
  };

  private toNext(answered: RatingField): void {
    const after = this.fields.slice(this.fields.indexOf(answered) + 1);
    const next = after.find((field) => !field.isAnswered);
    if (next !== undefined) next.focus();
    else answered.focus();
    this.mark();
  }
}

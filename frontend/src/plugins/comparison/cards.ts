/** The texts, pictures or sounds of a comparison, each with what can be said of it, and the button for no difference. */

import { element } from "../../page/blocks";
import { picture } from "../../page/media";
import { type Answering, rankSoFar, type Said } from "./answering";
import type { ComparisonMessages } from "./messages";
import type { Option } from "./options";

export class Cards {
  readonly element: HTMLElement;
  /** What is shown first of each option, in their places: its picture, its text, or the button of its sound. */
  readonly shown: readonly HTMLElement[];
  readonly noDifference: HTMLButtonElement | null;
  private readonly buttons: { readonly button: HTMLButtonElement; readonly said: Said; readonly place: number }[] = [];
  /** One for each option, with all that is shown of it and said of it. */
  readonly articles: readonly HTMLElement[];

  constructor(
    options: readonly Option[],
    private readonly answering: Answering,
    private readonly messages: ComparisonMessages,
    withNoDifference: boolean,
    players: readonly (HTMLElement | null)[] = [],
  ) {
    const parts = options.map((option, place) => shownParts(option, players[place] ?? null));
    this.shown = parts.map(([first]) => first);
    this.articles = parts.map((shown, place) => this.article(shown, place));
    this.element = element("div", { class: "compared-texts" }, ...this.articles);
    this.noDifference = withNoDifference ? this.noDifferenceButton() : null;
    this.update();
  }

  /** Whether the texts stand beside each other or below each other. */
  get layout(): "beside" | "stacked" {
    const [first, second] = this.articles.map((article) => article.getBoundingClientRect());
    if (first === undefined || second === undefined) return "stacked";
    const isBeside = second.left >= first.right - 1 || second.right <= first.left + 1;
    return isBeside && first.width > 0 ? "beside" : "stacked";
  }

  /** Shows what has been answered. */
  update(): void {
    for (const { button, said, place } of this.buttons) {
      const pressed = this.answering.isSaid(said, place);
      button.setAttribute("aria-pressed", String(pressed));
      const label = this.labelOf(said, place);
      button.textContent = label;
      button.setAttribute("aria-label", `${label}: ${this.messages.textNamed(place + 1)}`);
    }
    for (const [place, article] of this.articles.entries()) {
      article.toggleAttribute(
        "data-chosen",
        this.answering.offers.some((said) => this.answering.isSaid(said, place)),
      );
    }
    this.noDifference?.setAttribute("aria-pressed", String(this.answering.isNoDifference));
  }

  private labelOf(said: Said, place: number): string {
    const { messages } = this;
    if (said !== "next") return messages[said];
    const order = rankSoFar(this.answering, place);
    if (order === null) return "";
    return order.rank === null ? messages.asNumber(order.next) : messages.rank(order.rank);
  }

  private article(shown: readonly HTMLElement[], place: number): HTMLElement {
    const id = `compared-${place}`;
    const actions = this.answering.offers.map((said) => {
      const button = element("button", { type: "button", class: "choose" });
      button.addEventListener("click", (event) => {
        this.answering.say(said, place, event.timeStamp);
        this.update();
      });
      this.buttons.push({ button, said, place });
      return button;
    });
    const [image] = shown;
    const [only, ...others] = this.answering.offers;
    if (image instanceof HTMLImageElement && only !== undefined && others.length === 0) {
      // A picture is touched before its button is; whoever uses keys or a screen reader has the button.
      image.addEventListener("click", (event) => {
        this.answering.say(only, place, event.timeStamp);
        this.update();
      });
    }
    return element(
      "article",
      { "aria-labelledby": id },
      element("h2", { class: "text-name", id }, this.messages.textNamed(place + 1)),
      ...(shown.length === 1 ? shown : [element("div", { class: "compared-parts" }, ...shown)]),
      element("p", { class: "choose-row" }, ...actions),
    );
  }

  private noDifferenceButton(): HTMLButtonElement {
    const button = element("button", { type: "button", class: "choose no-difference" }, this.messages.noDifference);
    button.addEventListener("click", (event) => {
      this.answering.sayNoDifference(event.timeStamp);
      this.update();
    });
    return button;
  }
}

/** What a page shows of one option: the picture, the text and the button of the sound, as far as there are any. */
function shownParts({ text, image }: Option, player: HTMLElement | null): [HTMLElement, ...HTMLElement[]] {
  const [first, ...others] = [
    ...(image ? [picture(image)] : []),
    ...(text ? [element("p", { class: "compared" }, text)] : []),
    ...(player === null ? [] : [player]),
  ];
  return first === undefined ? [element("p", { class: "compared" }, text)] : [first, ...others];
}

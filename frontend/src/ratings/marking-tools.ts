/** Tools below a text for marking errors: buttons, the category of an error, and the last action. */

import type { ErrorSpanMessages } from "../languages/error-spans/english";
import { element } from "../page/blocks";
import type { Severity } from "./spans";

export interface MarkingActs {
  mark(severity: Severity, time: number): void;
  remove(time: number): void;
  /** A category was chosen, or taken back. */
  categorise(category: string | null, time: number): void;
  /** A button was pressed that may be able to do nothing more, and would take the focus with it. */
  leave(): void;
}

export class MarkingTools {
  readonly element: HTMLElement;
  private readonly buttons: Readonly<Record<Severity | "remove", HTMLButtonElement>>;
  private readonly select: HTMLSelectElement | null;
  private readonly said = element("p", { class: "said quiet", "aria-live": "polite" });
  private readonly refusal = element("p", { class: "message", role: "alert" });

  constructor(
    private readonly texts: ErrorSpanMessages,
    private readonly acts: MarkingActs,
    { id, categories }: { readonly id: string; readonly categories: readonly string[] },
  ) {
    this.buttons = {
      minor: this.button("minor", "1", (time) => acts.mark("minor", time)),
      major: this.button("major", "2", (time) => acts.mark("major", time)),
      remove: this.button("remove", "Delete", (time) => acts.remove(time)),
    };
    this.select = categories.length === 0 ? null : this.categoriesOf(categories, id);
    const { minor, major, remove } = this.buttons;
    this.element = element(
      "div",
      { class: "mark-as", role: "group", "aria-label": texts.markAs },
      this.said,
      element("div", { class: "mark-buttons" }, minor, major, ...this.labelled(id), remove),
      this.refusal,
    );
    // Elsewhere on the page digits answer a scale and Enter goes on.
    this.element.addEventListener("keydown", (event) => event.stopPropagation());
  }

  get hasCategories(): boolean {
    return this.select !== null;
  }

  get category(): string | null {
    return this.select?.value || null;
  }

  set category(category: string | null) {
    if (this.select !== null) this.select.value = category ?? "";
  }

  press(severity: Severity): void {
    this.buttons[severity].click();
  }

  say(what: string): void {
    this.said.textContent = what;
  }

  refuse(why: string): void {
    this.refusal.textContent = why;
  }

  enable(options: { readonly mark: boolean; readonly remove: boolean }): void {
    this.buttons.minor.disabled = !options.mark;
    this.buttons.major.disabled = !options.mark;
    this.buttons.remove.disabled = !options.remove;
  }

  private button(name: Severity | "remove", key: string, act: (time: number) => void): HTMLButtonElement {
    const button = element("button", { type: "button", class: name, "aria-keyshortcuts": key }, this.texts[name]);
    button.addEventListener("click", (event) => {
      act(event.timeStamp);
      this.acts.leave();
    });
    return button;
  }

  private categoriesOf(categories: readonly string[], id: string): HTMLSelectElement {
    const none = element("option", { value: "" }, this.texts.noCategory);
    const options = categories.map((name) => element("option", { value: name }, name));
    const select = element("select", { id }, none, ...options);
    select.addEventListener("change", (event) => this.acts.categorise(this.category, event.timeStamp));
    return select;
  }

  private labelled(id: string): Node[] {
    if (this.select === null) return [];
    const label = element("label", { for: id }, this.texts.category);
    return [element("span", { class: "of-category" }, label, this.select)];
  }
}

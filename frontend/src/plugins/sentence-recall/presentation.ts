/** Fixation cross, the sentence for its time, blank. When the sentence is over, nothing of it is left in the page. */

import { element } from "../../page/blocks";
import { directionOf } from "../../page/direction";
import { clock, type Sequence } from "../../timing/clock";
import { displaysOf, type RecallParams } from "./params";

export class Presentation {
  private readonly page: HTMLElement;

  constructor(
    private readonly display: HTMLElement,
    private readonly trial: RecallParams,
  ) {
    this.page = element("section", { class: `recall-display ${trial.presentation}`, translate: "no" });
  }

  /** Shows the cross where the sentence is about to begin. Resolves in the last frame before the sentence is due. */
  async fixation(): Promise<void> {
    const { fixation_ms } = this.trial;
    if (fixation_ms === 0) return;
    const dir = directionOf(this.trial.text);
    const cross = element("p", { class: "fixation", "aria-hidden": "true", dir }, "+");
    const draw = () => {
      this.page.replaceChildren(cross);
      this.display.replaceChildren(this.page);
    };
    await clock.displaySequence({
      // The sentence is drawn in the frame that follows, and ends the cross.
      steps: [{ draw, duration: Math.max(0, fixation_ms - clock.frameInterval), whole: [cross] }],
      clear: () => {},
    });
  }

  /**
   * Shows the sentence, whole or word by word, and then the blank. Resolves in the last frame before the blank is over, with
   * what will be known of the displays when the browser has reported the blank.
   */
  async sentence(): Promise<Pick<Sequence, "records">> {
    const steps = displaysOf(this.trial).map(({ text, duration }) => {
      const stimulus = element("p", { class: "recall-sentence" }, text);
      return { draw: () => this.draw(stimulus), duration, stimulus, whole: [stimulus] };
    });
    const mark = element("p", { class: "recall-blank", "aria-hidden": "true" });
    const shown = await clock.displaySequence({ steps, clear: () => this.page.replaceChildren(mark), mark });
    const end = shown.cleared + this.trial.blank_ms;
    if (this.trial.blank_ms > 0) while ((await clock.nextFrame()) < end - 1.5 * clock.frameInterval);
    return { records: shown.records };
  }

  private draw(stimulus: HTMLElement): void {
    this.page.replaceChildren(stimulus);
    if (!this.page.isConnected) this.display.replaceChildren(this.page);
  }
}

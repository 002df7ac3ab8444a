/**
 * Presses in their order, each judged against the onset of what it would answer.
 *
 * A press before that is no answer, and is counted. None is lost while the browser is asked when something was shown.
 */

import { presses as guard } from "./guard";

export interface Shown {
  /** Whether something that happened at this time came before the screen showed it. */
  precedes(time: number): Promise<boolean>;
}

export interface Answered<Press> {
  readonly press: Press;
  /** How many presses came before the onset, since the answer before. */
  readonly early: number;
}

export class PressQueue<Press extends { readonly time: number }> {
  private readonly given: Press[] = [];
  private come: () => void = () => {};
  private readonly refused = guard.counting();

  give(press: Press): void {
    this.given.push(press);
    this.come();
  }

  /** Resolves with the first press that does not come before the onset. */
  async answerTo(shown: Shown): Promise<Answered<Press>> {
    for (let early = 0; ; early += 1) {
      const press = await this.next();
      if (!(await shown.precedes(press.time))) return { press, early: early + this.refused() };
    }
  }

  /** Forgets what was pressed while nothing could be answered. */
  forget(): void {
    this.given.length = 0;
    this.refused();
  }

  private async next(): Promise<Press> {
    for (;;) {
      const press = this.given.shift();
      if (press !== undefined) return press;
      await new Promise<void>((resolve) => {
        this.come = resolve;
      });
    }
  }
}

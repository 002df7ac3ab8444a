/** Counts how often a participant left the page during a trial: another window, another tab, a locked screen. */
export class Attention {
  private away = false;
  private losses = 0;

  /** Counts until `signal` is aborted; without a signal, until the page is left. */
  constructor(signal?: AbortSignal) {
    const options = signal === undefined ? {} : { signal };
    window.addEventListener("blur", this.lost, options);
    window.addEventListener("focus", this.back, options);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.lost() : this.back()), options);
  }

  /** Starts counting for a new trial; a participant who is away when it begins counts as having left it, too. */
  reset(): void {
    // A browser may give the focus back without a word.
    if (document.hasFocus()) this.away = false;
    this.losses = this.away ? 1 : 0;
  }

  get count(): number {
    return this.losses;
  }

  private readonly lost = (): void => {
    // Leaving a tab both blurs the window and hides the page: one loss.
    if (!this.away) this.losses += 1;
    this.away = true;
  };

  private readonly back = (): void => {
    this.away = false;
  };
}

/** Whether a program has put other words into the page: translators set its language or wrap their words in `font`. */
export function isTranslated(language: string): boolean {
  return document.documentElement.lang !== language || document.querySelector("font") !== null;
}

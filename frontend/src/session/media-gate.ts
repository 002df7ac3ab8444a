/** Nothing is shown before its pictures and sounds are there: loads them from the begin of a visit, and waits where it must. */

import { textsOf } from "../languages/messages";
import { speakSeldom } from "../languages/seldom";
import type { english as missing } from "../languages/seldom/missing-media";
import { media } from "../media/loader";
import { mediaMessagesIn } from "../media/messages";
import { type MediaParam, mediaIn } from "../media/params";
import { unlock } from "../media/playing";
import { buttonSaying, element } from "../page/blocks";
import type { Stage } from "../page/stage";
import type { TrialDescription } from "../server/contract";

/** Nobody notices a wait as short as this, and a page that comes and goes in it would only disturb. */
const UNNOTICED = 150;
const missingMessagesIn = textsOf<typeof missing>("missing-media");

const FAILURES_TO_SAY = 3;
/** After about ten seconds of an address that answers at once with an error; later on a slow connection. */
const FAILURES_TO_GIVE_UP = 6;

export class MediaGate {
  constructor(
    private readonly stage: Stage,
    private readonly language: string,
  ) {}

  /** Begins to load what these trials need, in their order. */
  load(trials: readonly TrialDescription[]): void {
    media.want(trials.flatMap((trial) => mediaIn(trial.params)));
  }

  /** Resolves when everything in a trial can be shown and played at once. */
  async beforeTrial(
    trial: TrialDescription,
    options: { readonly unlocks: boolean } = { unlocks: true },
  ): Promise<void> {
    const items = mediaIn(trial.params);
    if (items.length === 0) return;
    const asked = performance.now();
    const ready = media.ready(items);
    if (options.unlocks && items.some(sounds) && !(await unlock())) await this.askForSound();
    const isReady = await Promise.race([ready.then(() => true), pause(UNNOTICED).then(() => false)]);
    if (!isReady) await this.wait(ready);
    for (const { kind, url } of items) {
      if (kind === "video" && (await media.film(url)) === null) await this.sayUnplayable();
    }
    // How long the trial had to wait, for inspecting the page's timeline.
    performance.measure("lectern-media-wait", { start: asked });
  }

  private async wait(ready: Promise<void>): Promise<void> {
    const texts = mediaMessagesIn(this.language);
    const count = element("p", { class: "quiet", role: "status" });
    const hint = element("p", {}, texts.loadingText);
    let isMissing = false;
    const say = () => {
      const { loaded, total, failures } = media.state;
      count.textContent = texts.loaded(loaded, total);
      if (failures >= FAILURES_TO_SAY) hint.textContent = texts.loadingSlow;
      if (failures < FAILURES_TO_GIVE_UP || isMissing) return;
      isMissing = true;
      // Where these words do not come either, the next failure asks for them again.
      this.sayMissing(texts.loadingHeading, count).catch(() => {
        isMissing = false;
      });
    };
    this.stage.showPage({ heading: texts.loadingHeading, content: [hint, count] });
    say();
    const forget = media.onChange(say);
    await ready;
    forget();
    this.stage.backToTrials();
  }

  private async sayMissing(heading: string, count: HTMLElement): Promise<void> {
    await speakSeldom();
    // It may have come meanwhile, and the trial have begun.
    if (count.isConnected) this.stage.showMissing(heading, [missingMessagesIn(this.language).text, count]);
  }

  /** Nobody answers what they have not seen: a session ends here, and can go on in another browser. */
  private async sayUnplayable(): Promise<never> {
    await speakSeldom();
    const { videoHeading, videoText } = missingMessagesIn(this.language);
    this.stage.showMissing(videoHeading, [videoText]);
    return new Promise(() => {});
  }

  /** A browser plays nothing before something was pressed on the page, as after it was loaded again. */
  private async askForSound(): Promise<void> {
    const texts = mediaMessagesIn(this.language);
    const button = buttonSaying(texts.soundButton);
    this.stage.showPage({ heading: texts.soundHeading, content: [texts.soundText], actions: [button] });
    button.focus();
    await new Promise<void>((resolve) => {
      button.addEventListener("click", () => {
        void unlock().then(() => resolve());
      });
    });
    this.stage.backToTrials();
  }
}

function sounds(item: MediaParam): boolean {
  return item.kind === "audio" || (item.kind === "video" && !item.muted);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

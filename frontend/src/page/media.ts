/**
 * Pictures and sounds in a trial, for every plugin that shows them.
 *
 *     const media = new TrialMedia(trial);                       // elements for the page: `media.elements`
 *     clock.show({ draw: media.drawing(() => …), stimulus: media.stimulus(text) })
 *     payload: { …, ...media.payload(onset.time) }
 *
 * The runner has loaded and decoded what stands in the trial's parameters before the trial begins. A sound begins in the
 * frame that draws the page.
 */

import type { sounds } from "../languages/english/pages";
import { textsOf } from "../languages/messages";
import type { AudioParam, ImageParam } from "../media/params";
import type { PlayedSound } from "../media/playing";
import { buttonSaying, element } from "./blocks";

export type { AudioParam, ImageParam } from "../media/params";

const soundMessagesIn = textsOf<typeof sounds>("sounds");

export interface MediaOfTrial {
  readonly image?: unknown;
  readonly audio?: unknown;
  readonly language: string;
}

/** A picture for a page: a new element, so that the browser reports when it was shown. */
export function picture(image: ImageParam, name = "picture"): HTMLImageElement {
  const shown = element("img", {
    class: name,
    src: image.url,
    width: String(image.width),
    height: String(image.height),
    alt: image.alt,
    draggable: "false",
  });
  // Of a picture that is there, drawn in the very frame that puts it on the page.
  shown.decoding = "sync";
  return shown;
}

export class TrialMedia {
  readonly picture: HTMLImageElement | null;
  /** The picture, then what belongs to the sound. */
  readonly elements: readonly HTMLElement[];
  private readonly audio: AudioParam | null;
  private readonly mark: HTMLElement | null = null;
  private start: (() => PlayedSound | null) | null = null;
  private first: PlayedSound | null = null;
  private playing: PlayedSound | null = null;
  private plays = 0;
  private ended = false;

  constructor(trial: MediaOfTrial) {
    const image = (trial.image ?? null) as ImageParam | null;
    this.audio = (trial.audio ?? null) as AudioParam | null;
    this.picture = image === null ? null : picture(image);
    const elements: HTMLElement[] = this.picture === null ? [] : [this.picture];
    if (this.audio !== null) {
      const messages = soundMessagesIn(trial.language);
      this.mark = element("p", { class: "sound-mark" }, `♪ ${messages.listen}`);
      elements.push(this.mark);
      if (this.audio.replay) {
        const again = buttonSaying(messages.playAgain, "plain");
        // Replaying the sound while typing must not take the focus away.
        again.addEventListener("mousedown", (event) => event.preventDefault());
        again.addEventListener("click", () => this.play());
        elements.push(element("p", { class: "sound-again" }, again));
      }
    }
    this.elements = elements;
  }

  /** Gets the sound at hand; call it before the trial is drawn. */
  async prepare(): Promise<void> {
    if (this.audio === null) return;
    // Both are there: they have loaded the sound.
    const [{ media }, { play }] = await Promise.all([import("../media/loader"), import("../media/playing")]);
    const sound = await media.sound(this.audio.url);
    if (sound !== null) this.start = () => play(sound);
  }

  /** The sound as it was played first; null before, and where the browser plays none. */
  get played(): PlayedSound | null {
    return this.first;
  }

  /** Ends the sound: nothing plays from now on. */
  end(): void {
    this.ended = true;
    this.playing?.stop();
  }

  /** What draws the page and starts the sound. */
  drawing(draw: () => void): () => void {
    return () => {
      draw();
      this.play();
    };
  }

  /** The element whose onset counts: the picture, else the text where there is any, else the mark of the sound. */
  stimulus(text: HTMLElement): HTMLElement {
    if (this.picture !== null) return this.picture;
    return text.textContent || this.mark === null ? text : this.mark;
  }

  /** What the answer says about the sound; nothing for a trial without one. Ends the sound. */
  payload(onset: number) {
    if (this.audio === null) return {};
    const { first } = this;
    const heard = first === null ? null : first.onset() - onset;
    this.end();
    return { audio_onset_ms: heard, audio_latency_ms: first?.latency ?? null, plays: this.plays };
  }

  private play(): void {
    if (this.start === null || this.ended) return;
    this.playing?.stop();
    this.playing = this.start();
    if (this.playing === null) return;
    this.first ??= this.playing;
    this.plays += 1;
  }
}

/** What a simulation says of a trial's sound without having played it. */
export function simulatedSound(trial: MediaOfTrial) {
  return trial.audio ? { audio_onset_ms: null, audio_latency_ms: null, plays: 0 } : {};
}

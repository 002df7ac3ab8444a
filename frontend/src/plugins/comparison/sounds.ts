/** The sounds of a comparison: a button for each, of which one plays at a time, and how often each was played. */

import { media } from "../../media/loader";
import type { AudioParam } from "../../media/params";
import { type PlayedSound, play } from "../../media/playing";
import { element } from "../../page/blocks";

export interface SoundTexts {
  readonly play: string;
  readonly textNamed: (number: number) => string;
}

export class ComparedSounds {
  /** By places; 0 where an option has no sound. */
  readonly plays: number[];
  /** By places; null where an option has no sound. */
  readonly buttons: readonly (HTMLButtonElement | null)[];
  private playing: PlayedSound | null = null;
  private ended = false;
  private readonly pressed = new Set<number>();

  /** Gets the sounds at hand. */
  static async of(sounds: readonly (AudioParam | null)[], texts: SoundTexts): Promise<ComparedSounds> {
    const buffers = await Promise.all(sounds.map((sound) => (sound === null ? null : media.sound(sound.url))));
    return new ComparedSounds(sounds, buffers, texts);
  }

  private constructor(
    private readonly sounds: readonly (AudioParam | null)[],
    private readonly buffers: readonly (AudioBuffer | null)[],
    texts: SoundTexts,
  ) {
    this.plays = sounds.map(() => 0);
    this.buttons = sounds.map((sound, place) => {
      if (sound === null) return null;
      const label = `${texts.play}: ${texts.textNamed(place + 1)}`;
      const button = element(
        "button",
        { type: "button", class: "choose play", "aria-label": label },
        `♪ ${texts.play}`,
      );
      button.addEventListener("click", () => this.press(place));
      return button;
    });
  }

  /** The first button that nobody has pressed; null where all sounds were asked for. */
  get unheard(): HTMLButtonElement | null {
    return this.buttons.find((button, place) => button !== null && !this.pressed.has(place)) ?? null;
  }

  /** Ends the sound: nothing plays from now on. */
  end(): void {
    this.ended = true;
    this.playing?.stop();
  }

  private press(place: number): void {
    if (this.ended) return;
    // Where a browser cannot play a sound, nobody is kept from going on: the count of plays says so.
    this.pressed.add(place);
    this.playing?.stop();
    const buffer = this.buffers[place] ?? null;
    this.playing = buffer === null ? null : play(buffer);
    const button = this.buttons[place];
    if (this.playing === null || !button) return;
    this.plays[place] = (this.plays[place] ?? 0) + 1;
    if (!this.sounds[place]?.replay) button.disabled = true;
  }
}

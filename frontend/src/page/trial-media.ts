/** Pictures, sounds and videos in a trial: loaded where a session has any, by `prepareMedia` of media.ts. */

import type { sounds } from "../languages/english/pages";
import { textsOf } from "../languages/messages";
import { type PlayedFilm, playFilm, ready } from "../media/film";
import { media } from "../media/loader";
import type { AudioParam, ImageParam, VideoParam } from "../media/params";
import { type PlayedSound, play } from "../media/playing";
import { buttonSaying, element } from "./blocks";
import { type MediaOfTrial, picture, type TrialMedia } from "./picture";

const soundMessagesIn = textsOf<typeof sounds>("sounds");

export class LoadedMedia implements TrialMedia {
  readonly picture: HTMLImageElement | null;
  readonly video: HTMLVideoElement | null;
  readonly elements: readonly HTMLElement[];
  private readonly audio: AudioParam | null;
  private readonly mark: HTMLElement | null = null;
  private readonly film: VideoParam | null;
  private startFilm: (() => PlayedFilm) | null = null;
  private filmPlayed: PlayedFilm | null = null;
  private start: (() => PlayedSound | null) | null = null;
  private first: PlayedSound | null = null;
  private playing: PlayedSound | null = null;
  private plays = 0;
  private ended = false;

  constructor(trial: MediaOfTrial) {
    const image = (trial.image ?? null) as ImageParam | null;
    this.audio = (trial.audio ?? null) as AudioParam | null;
    this.picture = image === null ? null : picture(image);
    this.film = (trial.video ?? null) as VideoParam | null;
    this.video = this.film === null ? null : videoElement(this.film);
    const elements: HTMLElement[] = [this.picture, this.video].filter((each) => each !== null);
    if (this.video !== null && this.audio === null) {
      this.mark = element("p", { class: "video-mark", "aria-hidden": "true" });
      elements.push(this.mark);
    }
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

  async prepare(): Promise<void> {
    const { audio, film, video } = this;
    if (audio === null && film === null) return;
    const sound = audio && (await media.sound(audio.url));
    if (audio && sound) this.start = () => play(sound, this.plays === 0 ? audio.delay_ms : 0);
    const address = film && (await media.film(film.url));
    if (!film || !video || !address) return;
    await ready(video, address);
    this.startFilm = () => playFilm(video, film.duration_ms);
  }

  get played(): PlayedSound | null {
    return this.first ?? this.filmPlayed;
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.filmPlayed?.stop();
    this.playing?.stop();
  }

  drawing(draw: () => void): () => void {
    return () => {
      draw();
      if (!this.ended) this.filmPlayed ??= this.startFilm?.() ?? null;
      this.play();
    };
  }

  stimulus(text: HTMLElement): HTMLElement {
    if (this.picture !== null) return this.picture;
    return text.textContent || this.mark === null ? text : this.mark;
  }

  payload(onset: number) {
    const { first, filmPlayed } = this;
    const heard = first === null ? null : first.onset() - onset;
    const seen = filmPlayed?.isSeen() ? filmPlayed.onset() - onset : null;
    const isOver = filmPlayed?.isOver() ?? false;
    this.end();
    return {
      ...(this.audio && { audio_onset_ms: heard, audio_latency_ms: first?.latency ?? null, plays: this.plays }),
      ...(this.film && {
        video_onset_ms: seen,
        video_dropped_frames: filmPlayed?.dropped() ?? null,
        video_ended: isOver,
      }),
    };
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

/** Never plays by itself; silent where it is to be, as telephones play nothing else without a press. */
function videoElement({ width, height, muted }: VideoParam): HTMLVideoElement {
  const video = element("video", { class: "picture", width: String(width), height: String(height), playsinline: "" });
  video.muted = muted;
  video.preload = "auto";
  video.disablePictureInPicture = true;
  return video;
}

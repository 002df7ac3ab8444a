/**
 * Pictures, sounds and videos in a trial, for every plugin that shows them.
 *
 *     static prepare = prepareMedia;                             // in the class of the plugin
 *     const media = mediaOf(trial);                              // elements for the page: `media.elements`
 *     await media.prepare();
 *     clock.show({ draw: media.drawing(() => …), stimulus: media.stimulus(text) })
 *     payload: { …, ...media.payload(onset.time) }
 *
 * The runner has loaded and decoded what stands in the trial's parameters before the trial begins. Sounds and videos
 * begin in the frame that draws the page, a sound with a delay where it has one. Sessions without any load none of that.
 */

import { type ImageParam, mediaIn } from "../media/params";
import type { PlayedSound } from "../media/playing";
import { element } from "./blocks";

export type { AudioParam, ImageParam, VideoParam } from "../media/params";

export interface MediaOfTrial {
  readonly image?: unknown;
  readonly audio?: unknown;
  readonly video?: unknown;
  readonly language: string;
}

export interface TrialMedia {
  readonly picture: HTMLImageElement | null;
  readonly video: HTMLVideoElement | null;
  /** The picture and the video, then what belongs to the sound. */
  readonly elements: readonly HTMLElement[];
  /** The sound, else the video, as it was played first; null before, and where the browser plays none. */
  readonly played: PlayedSound | null;
  /** Gets sound and video at hand; call it before the trial is drawn. */
  prepare(): Promise<void>;
  /** What draws the page and starts sound and video. */
  drawing(draw: () => void): () => void;
  /** The element whose onset counts: the picture, else the text where there is any, else a mark. */
  stimulus(text: HTMLElement): HTMLElement;
  /** What the answer says about sound and video; nothing for a trial without them. Ends both. */
  payload(onset: number): Record<string, unknown>;
  /** Ends sound and video: nothing plays from now on. */
  end(): void;
}

const NONE: TrialMedia = {
  picture: null,
  video: null,
  elements: [],
  played: null,
  prepare: () => Promise.resolve(),
  drawing: (draw) => draw,
  stimulus: (text) => text,
  payload: () => ({}),
  end: () => {},
};

let loaded: typeof import("./trial-media") | null = null;

/** Loads what trials with pictures, sounds or videos need; `params` are those of all trials to come. */
export async function prepareMedia(params: readonly unknown[]): Promise<void> {
  if (mediaIn(params).length > 0) loaded ??= await import("./trial-media");
}

/** Pictures, sounds and videos of a trial, once they were prepared. */
export function mediaOf(trial: MediaOfTrial): TrialMedia {
  return loaded === null ? NONE : new loaded.LoadedMedia(trial);
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

/** What a simulation says of a trial's sound and video without having played them. */
export function simulatedMedia(trial: MediaOfTrial) {
  return {
    ...(trial.audio ? { audio_onset_ms: null, audio_latency_ms: null, plays: 0 } : {}),
    ...(trial.video ? { video_onset_ms: null, video_dropped_frames: null, video_ended: false } : {}),
  };
}

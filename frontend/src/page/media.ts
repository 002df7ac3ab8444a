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

import { mediaIn } from "../media/params";
import type { MediaOfTrial, TrialMedia } from "./picture";

export type { AudioParam, ImageParam, VideoParam } from "../media/params";
export { type MediaOfTrial, picture, type TrialMedia } from "./picture";

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

/** What a simulation says of a trial's sound and video without having played them. */
export function simulatedMedia(trial: MediaOfTrial) {
  return {
    ...(trial.audio ? { audio_onset_ms: null, audio_latency_ms: null, plays: 0 } : {}),
    ...(trial.video ? { video_onset_ms: null, video_dropped_frames: null, video_ended: false } : {}),
  };
}

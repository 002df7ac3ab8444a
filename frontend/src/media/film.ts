/**
 * Shows videos from memory, and says when their first frame was on the screen.
 *
 * A browser with `requestVideoFrameCallback` reports for every frame when it expects it on the screen, and where in the video it
 * stands: the difference is when the video began. Without it the event `playing` is taken.
 */

import type { PlayedSound } from "./playing";

/** Milliseconds that a browser has to read what a video is, and to have its first frames at hand. */
const PATIENCE = 4_000;
const LATENESS = 1_500;

export interface PlayedFilm extends PlayedSound {
  /** Whether its first frame was on the screen, as far as the browser says. */
  readonly isSeen: () => boolean;
  /** Frames that the browser left out; null where it does not count them. */
  readonly dropped: () => number | null;
  readonly isOver: () => boolean;
}

/** The address of a video in memory; null where this browser cannot play it. */
export async function filmFrom(bytes: ArrayBuffer, url: string): Promise<string | null> {
  const type = url.endsWith(".webm") ? "video/webm" : "video/mp4";
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const video = document.createElement("video");
  video.preload = "metadata";
  video.muted = true;
  video.src = address;
  const playable = await Promise.race([
    event(video, "loadedmetadata").then(() => true),
    event(video, "error").then(() => false),
    // Some browsers read nothing before it is to be played: no reason to stop a session.
    pause(PATIENCE).then(() => true),
  ]);
  video.removeAttribute("src");
  if (!playable) URL.revokeObjectURL(address);
  return playable ? address : null;
}

/** Has a video at hand: its first frames are decoded, or it has had its time. */
export async function ready(video: HTMLVideoElement, address: string): Promise<void> {
  video.src = address;
  await Promise.race([event(video, "canplay"), event(video, "error"), pause(PATIENCE)]);
}

/** Plays a video that is on the page, from its begin. */
export function playFilm(video: HTMLVideoElement, duration: number): PlayedFilm {
  const asked = performance.now();
  let began: number | null = null;
  let failed = false;
  const begin = (time: number) => {
    began ??= Math.max(asked, time);
  };
  if ("requestVideoFrameCallback" in video) {
    video.requestVideoFrameCallback((_now, frame) => begin(frame.expectedDisplayTime - frame.mediaTime * 1000));
  } else (video as HTMLVideoElement).addEventListener("playing", () => begin(performance.now()), { once: true });
  const fail = () => {
    if (began === null) failed = true;
  };
  video.play().catch(fail);
  setTimeout(fail, LATENESS);
  return {
    // Nothing can answer what is not there yet; one that never comes counts from when it was to begin.
    onset: () => began ?? (failed ? asked : Number.POSITIVE_INFINITY),
    isSeen: () => began !== null,
    latency: null,
    duration,
    ended: event(video, "ended"),
    stop: () => video.pause(),
    dropped: () => video.getVideoPlaybackQuality?.().droppedVideoFrames ?? null,
    isOver: () => video.ended,
  };
}

function event(video: HTMLVideoElement, name: string): Promise<void> {
  return new Promise((resolve) => {
    video.addEventListener(name, () => resolve(), { once: true });
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** A picture on a page, and what a trial knows of its pictures, sounds and videos. */

import type { ImageParam } from "../media/params";
import type { PlayedSound } from "../media/playing";
import { element } from "./blocks";

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

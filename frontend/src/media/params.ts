/** Pictures, sounds and videos in the parameters of trials. */

export interface ImageParam {
  readonly kind: "image";
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
}

export interface AudioParam {
  readonly kind: "audio";
  readonly url: string;
  readonly duration_ms: number;
  readonly replay: boolean;
  /** How long after the rest of the trial it begins. */
  readonly delay_ms?: number;
}

export interface VideoParam {
  readonly kind: "video";
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly duration_ms: number;
  readonly muted: boolean;
}

export type MediaParam = ImageParam | AudioParam | VideoParam;

/** Every picture, sound and video in the parameters of a trial, at any depth, in their order. */
export function mediaIn(params: unknown): MediaParam[] {
  if (Array.isArray(params)) return params.flatMap(mediaIn);
  if (typeof params !== "object" || params === null) return [];
  const { kind, url } = params as { readonly kind?: unknown; readonly url?: unknown };
  if ((kind === "image" || kind === "audio" || kind === "video") && typeof url === "string")
    return [params as MediaParam];
  return Object.values(params).flatMap(mediaIn);
}

/** Pictures and sounds in the parameters of trials. */

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
}

export type MediaParam = ImageParam | AudioParam;

/** Every picture and sound in the parameters of a trial, at any depth, in their order. */
export function mediaIn(params: unknown): MediaParam[] {
  if (Array.isArray(params)) return params.flatMap(mediaIn);
  if (typeof params !== "object" || params === null) return [];
  const { kind, url } = params as { readonly kind?: unknown; readonly url?: unknown };
  if ((kind === "image" || kind === "audio") && typeof url === "string") return [params as MediaParam];
  return Object.values(params).flatMap(mediaIn);
}

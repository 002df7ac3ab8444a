/** What is compared in one trial: texts, pictures or sounds. */

import type { AudioParam, ImageParam } from "../../page/media";

/** One text of a comparison as the server sends it, with its picture and its sound or with one of them alone. */
export interface Option {
  readonly text: string;
  readonly image?: ImageParam | null;
  readonly audio?: AudioParam | null;
}

/** Whether pictures are compared, without a text beside any of them. */
export function isOfPictures(options: readonly Option[]): boolean {
  return options.every(({ text, image }) => image && !text);
}

/** Whether sounds are compared, with neither a text nor a picture beside any of them. */
export function isOfSounds(options: readonly Option[]): boolean {
  return options.every(({ text, image, audio }) => audio && !text && !image);
}

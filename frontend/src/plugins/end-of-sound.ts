import type { PlayedSound } from "../media/playing";

/** Milliseconds by which a sound may be late: a browser that is interrupted never says that it is over. */
const LATENESS = 1_500;

/** Resolves when a sound is over, with true, or so late that it never will be, with false. */
export function endOf(sound: PlayedSound): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve(false), sound.duration + LATENESS);
    sound.ended.then(() => {
      clearTimeout(late);
      resolve(true);
    }, reject);
  });
}

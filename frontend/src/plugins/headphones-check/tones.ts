/**
 * The three tones of the headphones check. After Woods, Siegel, Traer & McDermott (2017), Headphone screening to facilitate
 * web-based auditory experiments: 200 Hz, one second each with ramps of 100 ms, half a second between them.
 *
 * One tone is quieter by 6 dB; of another the right side is the left one turned upside down. Over headphones it is as loud
 * as the third. In the air of a room, or where both sides are mixed into one, its sides cancel each other, and it seems
 * the quietest.
 */

export type Tone = "plain" | "turned" | "quiet";

export const QUIETER = 10 ** (-6 / 20);
const [HERTZ, SECONDS, RAMP, GAP, LOUDNESS] = [200, 1, 0.1, 0.5, 0.4];

/** How many samples there are from the begin of one tone to that of the next. */
export const stepOf = (rate: number) => Math.round((SECONDS + GAP) * rate);

/** The samples of the left and the right side. */
export function sidesOf(
  order: readonly Tone[],
  rate: number,
): readonly [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] {
  const step = stepOf(rate);
  const samples = Math.round(SECONDS * rate);
  const left = new Float32Array(step * (order.length - 1) + samples);
  const right = new Float32Array(left.length);
  for (const [place, tone] of order.entries()) {
    const loudness = tone === "quiet" ? LOUDNESS * QUIETER : LOUDNESS;
    for (let at = 0; at < samples; at += 1) {
      const time = at / rate;
      const value = loudness * rampAt(time) * Math.sin(2 * Math.PI * HERTZ * time);
      left[place * step + at] = value;
      right[place * step + at] = tone === "turned" ? -value : value;
    }
  }
  return [left, right];
}

/** Half a cosine up, half a cosine down. */
function rampAt(time: number): number {
  const edge = Math.min(1, time / RAMP, (SECONDS - time) / RAMP);
  return (1 - Math.cos(Math.PI * edge)) / 2;
}

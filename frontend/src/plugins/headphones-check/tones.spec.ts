import { describe, expect, test } from "vitest";
import { QUIETER, sidesOf, stepOf, type Tone } from "./tones";

const RATE = 8_000;
const ORDER: readonly Tone[] = ["turned", "quiet", "plain"];
const [left, right] = sidesOf(ORDER, RATE);

const toneAt = (side: Float32Array, place: number) => side.slice(place * stepOf(RATE), place * stepOf(RATE) + RATE);
const loudness = (side: Float32Array) => Math.sqrt(side.reduce((sum, value) => sum + value * value, 0) / side.length);

describe("the tones of the headphones check", () => {
  test("are three of a second with half a second between them", () => {
    expect(left.length / RATE).toBe(1 + 0.5 + 1 + 0.5 + 1);
    expect(left.slice(RATE, stepOf(RATE)).every((value) => value === 0)).toBe(true);
  });

  test("are equally loud on each side, but for one that is quieter by 6 dB", () => {
    const [turned, quiet, plain] = [0, 1, 2].map((place) => loudness(toneAt(left, place))) as [number, number, number];
    expect(turned).toBeCloseTo(plain, 6);
    expect(20 * Math.log10(quiet / plain)).toBeCloseTo(-6, 4);
    expect(QUIETER).toBeCloseTo(0.501, 3);
    expect(loudness(toneAt(right, 0))).toBeCloseTo(turned, 6);
  });

  test("of which one vanishes where both sides are mixed", () => {
    const mixed = left.map((value, at) => value + (right[at] ?? 0));
    expect([0, 1, 2].map((place) => loudness(toneAt(mixed, place)) > 0)).toEqual([false, true, true]);
  });

  test("sound at 200 Hz and begin and end without a click", () => {
    const tone = toneAt(left, 2);
    const ups = tone.filter((value, at) => value > 0 && (tone[at - 1] ?? 0) <= 0).length;
    expect(Math.abs(ups - 200)).toBeLessThanOrEqual(1);
    expect(Math.abs(tone[1] ?? 1)).toBeLessThan(0.001);
    expect(Math.abs(tone.at(-1) ?? 1)).toBeLessThan(0.001);
    expect(Math.max(...tone)).toBeCloseTo(0.4, 6);
  });
});

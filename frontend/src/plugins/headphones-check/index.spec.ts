import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { find, simulateTrial, startTrial } from "../trial-harness";
import HeadphonesCheck, { rightIn } from "./index";
import type { Tone } from "./tones";

const play = vi.hoisted(() => vi.fn());
vi.mock("../../media/playing", () => ({
  play,
  unlock: async () => true,
  soundContext: () => ({
    sampleRate: 800,
    createBuffer: () => ({ copyToChannel: () => {} }),
  }),
}));

const ORDERS: readonly (readonly Tone[])[] = [
  ["quiet", "plain", "turned"],
  ["quiet", "turned", "plain"],
  ["plain", "quiet", "turned"],
  ["turned", "quiet", "plain"],
  ["plain", "turned", "quiet"],
  ["turned", "plain", "quiet"],
];
const CHECK = { rounds: [ORDERS, [...ORDERS].reverse()], needed: 5 };

beforeEach(() => {
  play.mockReturnValue({ duration: 10, ended: Promise.resolve(), stop: () => {} });
});
afterEach(() => {
  vi.useRealTimers();
  play.mockReset();
});

/** Hears the tones and chooses a place, as often as there are places. */
async function choose(display: HTMLElement, places: readonly number[]): Promise<void> {
  for (const place of places) {
    find<HTMLButtonElement>(display, ".primary").click();
    await vi.waitFor(() => expect(display.querySelectorAll(".sound-choices button")).toHaveLength(3));
    display.querySelectorAll<HTMLButtonElement>(".sound-choices button")[place]?.click();
    await vi.waitFor(() => expect(display.querySelectorAll(".sound-choices button")).toHaveLength(0));
  }
}

const RIGHT = [0, 0, 1, 1, 2, 2];
const FOOLED = ORDERS.map((order) => order.indexOf("turned"));

describe("the headphones check", () => {
  test("is passed with one wrong answer of six", async () => {
    const { display, finished } = await startTrial(HeadphonesCheck, CHECK);
    expect(find(display, "h2").textContent).toBe("Are you wearing headphones?");
    await choose(display, [1, ...RIGHT.slice(1)]);
    expect((await finished).payload).toEqual({ chosen: [[1, ...RIGHT.slice(1)]] });
    expect(play).toHaveBeenCalledTimes(6);
  });

  test("asks for headphones once where loudspeakers fooled somebody, and then lets the study go on", async () => {
    const { display, finished } = await startTrial(HeadphonesCheck, CHECK);
    await choose(display, FOOLED);
    expect(find(display, ".message").textContent).toContain("Please put on headphones");
    expect(find(display, ".where").textContent).toBe("1 of 6");
    await choose(display, [...FOOLED].reverse());
    expect((await finished).payload).toEqual({ chosen: [FOOLED, [...FOOLED].reverse()] });
  });

  test("shows no answers before the tones are over", async () => {
    let end = () => {};
    play.mockReturnValue({
      duration: 4_000,
      stop: () => {},
      ended: new Promise<void>((resolve) => {
        end = resolve;
      }),
    });
    const { display } = await startTrial(HeadphonesCheck, CHECK);
    find<HTMLButtonElement>(display, ".primary").click();
    await vi.waitFor(() => expect(play).toHaveBeenCalled());
    expect(display.querySelector(".sound-choices")).toBeNull();
    end();
    await vi.waitFor(() => expect(display.querySelector(".sound-choices")).not.toBeNull());
  });

  test("says so where the browser plays nothing", async () => {
    play.mockReturnValue(null);
    const { display } = await startTrial(HeadphonesCheck, CHECK);
    find<HTMLButtonElement>(display, ".primary").click();
    await vi.waitFor(() => expect(find(display, ".message").textContent).toContain("played nothing"));
    expect(find<HTMLButtonElement>(display, ".primary").disabled).toBe(false);
  });

  test("offers the tones again where they never end", async () => {
    const stop = vi.fn();
    play.mockReturnValueOnce({ duration: 4_000, ended: new Promise<void>(() => {}), stop });
    const { display } = await startTrial(HeadphonesCheck, CHECK);
    const button = find<HTMLButtonElement>(display, ".primary");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    button.click();
    await vi.advanceTimersByTimeAsync(5_400);
    expect([button.disabled, stop.mock.calls.length]).toEqual([true, 0]);
    await vi.advanceTimersByTimeAsync(200);
    expect([button.disabled, stop.mock.calls.length]).toEqual([false, 1]);
    expect(find(display, ".message").textContent).toContain("played nothing");
    vi.useRealTimers();
    await choose(display, [0]);
    expect(play).toHaveBeenCalledTimes(2);
  });

  test("lets people go on without sound where the browser fails twice", async () => {
    play.mockImplementation(() => {
      throw new Error("no sound here");
    });
    const { display, finished } = await startTrial(HeadphonesCheck, CHECK);
    const button = find<HTMLButtonElement>(display, ".primary");
    const without = find<HTMLButtonElement>(display, ".actions .plain");
    for (const hidden of [true, false]) {
      expect(without.hidden).toBe(true);
      button.click();
      await vi.waitFor(() => expect(button.disabled).toBe(false));
      expect(without.hidden).toBe(hidden);
    }
    expect(without.textContent).toBe("Go on without sound");
    without.click();
    expect((await finished).payload).toEqual({ chosen: [], unplayed: true });
  });

  test("leaves the focus on the button after an answer", async () => {
    const { display } = await startTrial(HeadphonesCheck, CHECK);
    await choose(display, [0]);
    expect(document.activeElement).toBe(find(display, ".primary"));
  });

  test("counts the answers that name the quietest tone", () => {
    expect(rightIn(ORDERS, RIGHT)).toBe(6);
    expect(rightIn(ORDERS, FOOLED)).toBe(0);
    expect(rightIn(ORDERS, [0])).toBe(1);
  });

  test("can be simulated", async () => {
    expect((await simulateTrial(HeadphonesCheck, CHECK)).payload).toEqual({ chosen: [RIGHT] });
  });
});

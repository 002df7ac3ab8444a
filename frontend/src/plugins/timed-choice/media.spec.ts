import { describe, expect, test, vi } from "vitest";
import type { PlayedSound } from "../../media/playing";
import { find, framesPass, isFinished, press, startTrial } from "../trial-harness";
import TimedChoice from "./index";

// jsdom plays nothing: a sound begins when a test says so, and ends when it says so.
const browser = vi.hoisted(() => ({ play: (): PlayedSound | null => null }));
vi.mock("../../media/playing", () => ({ play: () => browser.play() }));
vi.mock("../../media/loader", () => ({ media: { sound: async () => ({}) } }));

const TRIAL = {
  kind: "target",
  text: "otter",
  displays: [],
  stays: true,
  with_text: false,
  prompt: "?",
  answers: [
    { name: "no", label: "no", key: "f" },
    { name: "yes", label: "yes", key: "j" },
  ],
  respond_with: "both",
  timed_from: "onset",
  deadline_ms: null,
  iti_ms: 0,
  feedback: false,
  feedback_ms: 0,
  error_pause_ms: 0,
  index: 1,
  total: 2,
};
const IMAGE = { kind: "image", url: "/otter.png", width: 40, height: 30, alt: "an otter" };
const AUDIO = { kind: "audio", url: "/otter.wav", duration_ms: 400, replay: false };

/** A sound that began at a time on the page's clock. */
function soundFrom(began: number) {
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stop = vi.fn();
  browser.play = () => ({ onset: () => began, latency: null, duration: 400, ended, stop });
  return { finish, stop };
}

describe("timed choice with pictures and sounds", () => {
  test("a picture is the target, with its size, and its text stands under it where it is to be shown", async () => {
    const alone = await startTrial(TimedChoice, { ...TRIAL, image: IMAGE });
    await framesPass(4);
    const picture = find<HTMLImageElement>(alone.display, ".choice-spot img");
    expect([picture.alt, picture.width, picture.height]).toEqual(["an otter", 40, 30]);
    expect(alone.display.querySelector(".choice-text")).toBeNull();
    const both = await startTrial(TimedChoice, { ...TRIAL, with_text: true, image: IMAGE });
    await framesPass(4);
    expect(find(both.display, ".choice-spot img + .choice-text").textContent).toBe("otter");
  });

  test("times run from the begin of a sound, and the answer ends it", async () => {
    const began = performance.now() + 100;
    const { stop } = soundFrom(began);
    const { finished } = await startTrial(TimedChoice, { ...TRIAL, audio: AUDIO });
    await framesPass(4);
    press(document.body, "j", { at: began + 321 });
    expect((await finished).rt_ms).toBeCloseTo(321, 6);
    expect(stop).toHaveBeenCalledOnce();
  });

  test("from the end of a sound, answers are taken and timed when it is over", async () => {
    const began = performance.now();
    const { finish } = soundFrom(began);
    const { finished } = await startTrial(TimedChoice, { ...TRIAL, audio: AUDIO, timed_from: "end" });
    await framesPass(4);
    press(document.body, "j");
    finish();
    await framesPass(1);
    press(document.body, "f", { at: began + 400 + 250 });
    const { payload, rt_ms } = await finished;
    expect(payload).toMatchObject({ answer: 0, early: 1 });
    expect(rt_ms).toBeCloseTo(250, 6);
  });

  test("a sound that is interrupted and never ends holds up nobody: answers are taken when it is too late", async () => {
    soundFrom(performance.now());
    const trial = await startTrial(TimedChoice, { ...TRIAL, audio: AUDIO, timed_from: "end" });
    await framesPass(4);
    press(document.body, "j");
    expect(await isFinished(trial)).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 400 + 1_500));
    press(document.body, "f");
    expect((await trial.finished).payload).toMatchObject({ answer: 0, early: 1 });
  });

  test("a sound that the browser does not play holds up nobody", async () => {
    browser.play = () => null;
    const trial = await startTrial(TimedChoice, { ...TRIAL, audio: AUDIO, timed_from: "end" });
    await framesPass(4);
    press(document.body, "j");
    expect(await isFinished(trial)).toBe(true);
  });
});

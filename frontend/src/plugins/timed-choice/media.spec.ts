import { describe, expect, test, vi } from "vitest";
import type { PlayedSound } from "../../media/playing";
import { find, framesPass, isFinished, press, startTrial } from "../trial-harness";
import TimedChoice from "./index";

// jsdom plays nothing: a sound begins when a test says so, and ends when it says so.
const browser = vi.hoisted(() => ({ play: (_delay?: number): PlayedSound | null => null }));
vi.mock("../../media/playing", () => ({ play: (_sound: unknown, delay?: number) => browser.play(delay) }));
vi.mock("../../media/loader", () => ({ media: { sound: async () => ({}), film: async () => "blob:film" } }));

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
    expect(alone.display.querySelector(".choice-text.target")).toBeNull();
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

  test("a sound with a delay is scheduled with it, and says when it began after its picture", async () => {
    const delays: (number | undefined)[] = [];
    soundFrom(performance.now() + 150);
    const { play } = browser;
    browser.play = (delay) => {
      delays.push(delay);
      return play();
    };
    const audio = { ...AUDIO, delay_ms: 150 };
    const { finished } = await startTrial(TimedChoice, { ...TRIAL, image: IMAGE, audio });
    await framesPass(4);
    press(document.body, "j", { at: performance.now() + 500 });
    const { payload, onset_ms } = await finished;
    expect(delays).toEqual([150]);
    expect(payload).toMatchObject({ plays: 1, audio_latency_ms: null });
    expect((payload as { audio_onset_ms: number }).audio_onset_ms).toBeGreaterThan(0);
    expect(onset_ms).not.toBeNull();
  });
});

describe("pictures, sounds and videos before the target", () => {
  const prime = (file: object, ms = 50) => ({
    ...TRIAL,
    with_text: true,
    displays: [{ kind: "prime", text: "", ms, ...file }],
  });

  test("a picture is the prime as long as it is planned, and nothing is written in its place", async () => {
    const { display, finished } = await startTrial(TimedChoice, prime({ image: IMAGE, file: "otter.png" }, 400));
    const picture = await seen(() => display.querySelector<HTMLImageElement>(".choice-spot img"));
    expect(picture.getAttribute("src")).toBe("/otter.png");
    expect(find(display, ".choice-spot").textContent).toBe("");
    const target = await seen(() => display.querySelector(".choice-text.target"));
    expect([target.textContent, display.querySelector("img")]).toEqual(["otter", null]);
    await framesPass(4);
    press(document.body, "j");
    const { displays } = (await finished).payload as { displays: { measured_ms: number }[] };
    expect(displays).toHaveLength(1);
    expect(displays[0]).not.toHaveProperty("played_ms");
    expect(displays[0]?.measured_ms).toBeGreaterThan(300);
  });

  test("a sound as prime plays on under the target, and says when it began", async () => {
    const began = performance.now() + 30;
    const { stop } = soundFrom(began);
    const { display, finished } = await startTrial(TimedChoice, prime({ audio: AUDIO }));
    await seen(() => display.querySelector(".choice-text.target"));
    expect(stop).not.toHaveBeenCalled();
    await framesPass(4);
    press(document.body, "j");
    const { displays } = (await finished).payload as { displays: { played_ms: number }[] };
    expect(displays[0]?.played_ms).toBe(began);
    expect(stop).toHaveBeenCalledOnce();
  });

  test("a file that is missing is blank", async () => {
    const { display } = await startTrial(TimedChoice, prime({ file: "otter.png" }, 400));
    await seen(() => display.querySelector(".choice-blank"));
    expect(find(display, ".choice-spot").textContent).toBe("");
  });
});

describe("videos as the target", () => {
  const VIDEO = { kind: "video", url: "/a.webm", width: 64, height: 48, duration_ms: 400, muted: true };

  /** A browser that shows the first frame when the test says so. */
  function filmThat(plays: () => Promise<void>) {
    let show = (_time: number) => {};
    const { prototype } = HTMLVideoElement;
    prototype.requestVideoFrameCallback = (callback) => {
      show = (time) => callback(time, { expectedDisplayTime: time, mediaTime: 0 } as VideoFrameCallbackMetadata);
      return 1;
    };
    const stop = vi.fn();
    prototype.play = plays;
    prototype.pause = stop;
    Object.defineProperty(prototype, "src", {
      configurable: true,
      set(this: HTMLVideoElement) {
        queueMicrotask(() => this.dispatchEvent(new Event("canplay")));
      },
    });
    return { show: (time: number) => show(time), stop };
  }

  test("times run from the first frame; what is pressed before it answers nothing", async () => {
    const { show, stop } = filmThat(() => Promise.resolve());
    const { display, finished } = await startTrial(TimedChoice, { ...TRIAL, video: VIDEO });
    await framesPass(4);
    const video = find<HTMLVideoElement>(display, ".choice-spot video");
    expect([video.muted, video.hasAttribute("playsinline"), video.autoplay]).toEqual([true, true, false]);
    press(document.body, "f");
    const shown = performance.now() + 40;
    show(shown);
    press(document.body, "j", { at: shown + 250 });
    const { payload, rt_ms } = await finished;
    expect(payload).toMatchObject({ answer: 1, early: 1, video_ended: false });
    expect(rt_ms).toBeCloseTo(250, 6);
    expect((payload as { video_onset_ms: number }).video_onset_ms).toBeGreaterThan(0);
    expect(stop).toHaveBeenCalledOnce();
  });

  test("one that the browser refuses to play holds up nobody, and has no onset of a picture", async () => {
    filmThat(() => Promise.reject(new Error("not allowed")));
    const trial = await startTrial(TimedChoice, { ...TRIAL, video: VIDEO });
    await framesPass(4);
    press(document.body, "j", { at: performance.now() + 20 });
    expect((await trial.finished).payload).toMatchObject({ answer: 1, early: 0, video_onset_ms: null });
  });
});

/** What a page shows as soon as it does. */
async function seen<Kind>(look: () => Kind | null): Promise<Kind> {
  for (let frame = 0; frame < 120; frame += 1) {
    const found = look();
    if (found !== null) return found;
    await framesPass(1);
  }
  throw new Error("It never came.");
}

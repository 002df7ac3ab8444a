import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { find, simulateTrial, startTrial } from "../trial-harness";
import SoundCheck from "./index";

const browser = vi.hoisted(() => ({ play: vi.fn(), unlock: vi.fn() }));
vi.mock("../../media/playing", () => ({ ...browser, tones: (count: number) => ({ count }) }));

const CHECK = { tones: [3, 2, 4] };

beforeEach(() => {
  browser.unlock.mockResolvedValue(true);
  browser.play.mockReturnValue({ duration: 10, ended: Promise.resolve(), stop: () => {} });
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

async function press(display: HTMLElement): Promise<void> {
  const button = find<HTMLButtonElement>(display, ".primary");
  button.click();
  await vi.waitFor(() => expect(button.disabled).toBe(false));
}

async function answer(display: HTMLElement, count: number): Promise<void> {
  find<HTMLButtonElement>(display, `[data-count="${count}"]`).click();
  await vi.waitFor(() => expect(display.querySelector("[data-count]")).toBeNull());
}

describe("the sound check", () => {
  test("is passed by whoever counts the tones rightly", async () => {
    const { display, finished } = await startTrial(SoundCheck, CHECK);
    expect(display.querySelector("[data-count]")).toBeNull();
    await press(display);
    await answer(display, 2);
    expect(find(display, ".message").textContent).not.toBe("");
    await press(display);
    find<HTMLButtonElement>(display, '[data-count="2"]').click();
    expect((await finished).payload).toEqual({ heard: [2, 2], plays: 2, passed: true });
  });

  test("can be left where the browser plays nothing: after two vain presses it asks, and none is an answer", async () => {
    browser.unlock.mockResolvedValue(false);
    const { display, finished } = await startTrial(SoundCheck, CHECK);
    await press(display);
    expect(find(display, ".message").textContent).toContain("played nothing");
    expect(display.querySelector("[data-count]")).toBeNull();
    await press(display);
    await answer(display, 0);
    await press(display);
    await answer(display, 0);
    await press(display);
    find<HTMLButtonElement>(display, `[data-count="0"]`).click();
    expect((await finished).payload).toEqual({ heard: [0, 0, 0], plays: 0, passed: false });
  });

  test("can be left where a browser throws instead of playing", async () => {
    browser.play.mockImplementation(() => {
      throw new Error("no sound here");
    });
    const { display } = await startTrial(SoundCheck, CHECK);
    await press(display);
    await press(display);
    expect(display.querySelector("[data-count]")).not.toBeNull();
  });

  test("offers the tones again where they never end", async () => {
    browser.play.mockReturnValue({ duration: 2_000, ended: new Promise<void>(() => {}), stop: () => {} });
    const { display } = await startTrial(SoundCheck, CHECK);
    const button = find<HTMLButtonElement>(display, ".primary");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    button.click();
    await vi.advanceTimersByTimeAsync(3_400);
    expect(button.disabled).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(button.disabled).toBe(false);
  });

  test("can be simulated", async () => {
    expect((await simulateTrial(SoundCheck, CHECK)).payload).toEqual({ heard: [3], plays: 1, passed: true });
  });
});

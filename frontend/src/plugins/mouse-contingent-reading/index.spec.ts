import { describe, expect, test, vi } from "vitest";
import { find, framesPass, isFinished, press, simulateTrial, startTrial } from "../trial-harness";
import { visitsIn } from "./columns-harness";
import { modeOfPress } from "./desk";
import MouseContingentReading from "./index";
import type { TextToLay } from "./measure";

// jsdom lays nothing out: words are where they would be if all letters were equally wide.
vi.mock("./measure", async (original) => ({
  ...(await original<typeof import("./measure")>()),
  fontFor: async () => true,
  measure: (text: TextToLay) => estimate.layout(text),
}));
const estimate = vi.hoisted(() => ({ layout: (_text: TextToLay): unknown => null }));
const { estimatedLayout } = await import("./simulated");
estimate.layout = estimatedLayout;

const SENTENCES = ["The bank was robbed", "Nobody was hurt", "The police came late"];
const TRIAL = {
  kind: "target",
  areas: SENTENCES.map((text) => ({ text, words: text.split(" ").length, before: " " })),
  arrangement: "bands",
  mask: "bar",
  modes: ["pointer", "keyboard"],
  ask_device: false,
  ratings: [],
  question: null,
  record_path: true,
  full_screen: false,
  index: 2,
  total: 16,
};
const BAND = 66;

async function begin(changes: Record<string, unknown> = {}) {
  const trial = await startTrial(MouseContingentReading, { ...TRIAL, ...changes });
  const start = find<HTMLButtonElement>(trial.display, ".reading-buttons button");
  return { trial, start, text: find(trial.display, ".reading-text"), done: find(trial.display, ".actions button") };
}

async function pressStart(start: HTMLElement, pointerType: string): Promise<void> {
  start.dispatchEvent(Object.assign(new MouseEvent("click", { detail: pointerType === "" ? 0 : 1 }), { pointerType }));
  await framesPass();
}

function move(y: number, at?: number): void {
  const event = Object.assign(new MouseEvent("pointermove", { clientX: 50, clientY: y, bubbles: true }), {
    pointerType: "mouse",
  });
  if (at !== undefined) Object.defineProperty(event, "timeStamp", { value: at });
  document.body.dispatchEvent(event);
}

describe("mouse-contingent reading", () => {
  test("no word of the text is on the page until the pointer is there, and then those of one area only", async () => {
    const { trial, start, text } = await begin();
    expect(trial.display.textContent).not.toContain("robbed");
    await pressStart(start, "mouse");
    expect(text.textContent).toBe("");
    move(BAND + 5);
    expect(text.textContent?.trim()).toBe("Nobody was hurt");
    move(5);
    expect(text.textContent?.trim()).toBe("The bank was robbed");
    move(-5);
    expect(text.textContent).toBe("");
  });

  test("visits carry the times of the events, and the path tells the same", async () => {
    const { trial, start, done } = await begin();
    await pressStart(start, "mouse");
    const now = performance.now();
    move(5, now + 100);
    move(BAND + 5, now + 350.26);
    move(3 * BAND + 50, now + 900);
    done.click();
    const data = await trial.finished;
    const onset = data.onset_ms ?? Number.NaN;
    const since = (time: number) => Math.round((time - onset) * 10) / 10;
    expect(visitsIn(data.payload.visits)).toEqual([
      [1, since(now + 100), since(now + 350.26), "moved"],
      [2, since(now + 350.26), since(now + 900), "moved"],
    ]);
    expect(data.payload).toMatchObject({ mode: "pointer", pointer_type: "mouse", layout_changes: 0, ratings: {} });
    expect(data.rt_ms).toBe(data.payload.finished_ms);
    expect(data.events?.flat().map((event) => (event as { type: string }).type)).toEqual(["path", "leave"]);
  });

  test("areas do not open before Start", async () => {
    const { text } = await begin();
    move(5);
    expect(text.textContent).toBe("");
  });

  test("Done does nothing until something was read", async () => {
    const { trial, start, done } = await begin();
    await pressStart(start, "mouse");
    done.click();
    expect(await isFinished(trial)).toBe(false);
  });

  test("pressing Start with a key reads with the arrow keys", async () => {
    const { trial, start, text, done } = await begin();
    await pressStart(start, "");
    expect(document.activeElement).toBe(text);
    press(text, "ArrowDown");
    press(text, "ArrowDown");
    expect(text.textContent?.trim()).toBe("Nobody was hurt");
    press(text, "Escape");
    expect(text.textContent).toBe("");
    done.click();
    const { payload } = await trial.finished;
    expect(payload.mode).toBe("keyboard");
    expect(visitsIn(payload.visits).map((visit) => [visit[0], visit[3]])).toEqual([
      [1, "key"],
      [2, "escape"],
    ]);
  });

  test("a way of reading that the study does not allow is refused in words", async () => {
    const { trial, start, text } = await begin({ modes: ["pointer"] });
    await pressStart(start, "touch");
    expect(find(trial.display, ".reading-notices > [data-shown]").textContent).toContain("cannot be read by touch");
    move(5);
    expect(text.textContent).toBe("");
  });

  test.each([
    ["a mouse", "mouse", 1, "pointer"],
    ["a pen", "pen", 1, "pointer"],
    ["a finger", "touch", 1, "drag"],
    ["a key", "", 0, "keyboard"],
    ["a mouse that the event does not name", undefined, 1, "pointer"],
  ])("%s that presses Start reads in its own way", (_what, pointerType, detail, mode) => {
    const event = Object.assign(new MouseEvent("click", { detail }), { pointerType });
    expect(modeOfPress(event, null)).toBe(mode);
  });

  test("a finger is known by what went before where the click does not name it", () => {
    const event = new MouseEvent("click", { detail: 1 });
    expect(modeOfPress(event, { type: "touch", time: event.timeStamp - 50 })).toBe("drag");
  });

  test("a browser that does not give the whole screen does not end the study", async () => {
    Object.defineProperty(document, "fullscreenEnabled", { configurable: true, value: true });
    Object.defineProperty(document, "fullscreenElement", { configurable: true, value: null });
    document.documentElement.requestFullscreen = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    const started = startTrial(MouseContingentReading, { ...TRIAL, full_screen: true });
    await vi.waitFor(() => find(document.body, ".reading-full-screen button").click());
    expect(find((await started).display, ".reading-buttons button").textContent).not.toBe("");
    Reflect.deleteProperty(document, "fullscreenEnabled");
  });

  test("a simulation yields what a participant might", async () => {
    const question = { prompt: "Who came late?", choices: ["The police", "Nobody"] };
    const { payload, rt_ms } = await simulateTrial(MouseContingentReading, { ...TRIAL, ask_device: true, question });
    const visits = visitsIn(payload.visits);
    expect(new Set(visits.map((visit) => visit[0]))).toEqual(new Set([1, 2, 3]));
    expect(payload).toMatchObject({ mode: "pointer", device: { device: "mouse", hand: "right" } });
    expect(rt_ms).toBeGreaterThan(visits.at(-1)?.[2] ?? Number.POSITIVE_INFINITY);
  });
});

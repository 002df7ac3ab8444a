import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Answer } from "../server/api";
import { Supervision } from "./index";

const page = document.createElement("main");
let paused: boolean;
let release: string;
let offline: boolean;
let requests: string[];
let trialsBack: number;

const stage = {
  showPage: (options: { heading: string; content: readonly (Node | string)[]; actions?: readonly HTMLElement[] }) =>
    page.replaceChildren(options.heading, ...options.content, ...(options.actions ?? [])),
  backToTrials: () => {
    trialsBack += 1;
    page.replaceChildren("trial");
  },
};

async function send(path: string, body: string | null, options: { method?: string } = {}): Promise<Answer> {
  if (offline) throw new TypeError("offline");
  requests.push(`${options.method ?? "POST"} ${path}`);
  if (path === "session/pause/" && options.method !== "GET") paused = true;
  if (path === "session/release/") {
    if (JSON.parse(body ?? "{}").release_code !== release) return { status: 409, body: {}, retryAfter: null };
    paused = false;
  }
  return { status: 200, body: { paused }, retryAfter: null };
}

function setFullScreen(on: boolean): void {
  Object.defineProperty(document, "fullscreenElement", {
    configurable: true,
    get: () => (on ? document.documentElement : null),
  });
  document.dispatchEvent(new Event("fullscreenchange"));
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function press(name: string): void {
  const button = [...page.querySelectorAll("button")].find((each) => each.textContent === name);
  if (button === undefined) throw new Error(`There is no button "${name}" in: ${page.textContent}`);
  button.click();
}

async function typeCode(code: string): Promise<void> {
  const field = page.querySelector("input");
  if (field === null) throw new Error("There is no field for the code.");
  field.value = code;
  page.querySelector("form")?.dispatchEvent(new Event("submit", { cancelable: true }));
  await settled();
}

/** Whether a promise has been fulfilled. */
function watched(promise: Promise<void>): { done: boolean } {
  const state = { done: false };
  void promise.then(() => {
    state.done = true;
  });
  return state;
}

beforeEach(() => {
  vi.useFakeTimers();
  [paused, release, offline, requests, trialsBack] = [false, "R2L2S2", false, [], 0];
  document.body.replaceChildren(page);
  setFullScreen(false);
  document.documentElement.requestFullscreen = async () => setFullScreen(true);
});

afterEach(() => vi.useRealTimers());

async function begun(): Promise<Supervision> {
  const supervision = new Supervision({ stage, send, language: "en" });
  const start = supervision.begin();
  await settled();
  press("Go to full screen");
  await start;
  return supervision;
}

describe("a supervised session", () => {
  test("begins in full screen", async () => {
    const supervision = new Supervision({ stage, send, language: "en" });
    const start = watched(supervision.begin());
    await settled();
    expect(start.done).toBe(false);
    press("Go to full screen");
    await settled();
    expect(start.done).toBe(true);
    expect(document.fullscreenElement).not.toBeNull();
  });

  test("says so where the browser refuses full screen, and does not begin", async () => {
    document.documentElement.requestFullscreen = () => Promise.reject(new TypeError("not allowed"));
    const start = watched(new Supervision({ stage, send, language: "en" }).begin());
    await settled();
    press("Go to full screen");
    await settled();
    expect(page.textContent).toContain("did not go to full screen");
    expect(start.done).toBe(false);
  });

  test("is not paused between trials as long as full screen stays", async () => {
    const supervision = await begun();
    await supervision.beforeTrial();
    await supervision.beforeTrial();
    expect(requests).not.toContain("POST session/pause/");
    expect(trialsBack).toBe(0);
  });

  test("is paused before the next trial where full screen was left, until the experimenter's code ends it", async () => {
    const supervision = await begun();
    await supervision.beforeTrial();
    setFullScreen(false);
    const next = watched(supervision.beforeTrial());
    await settled();
    expect(requests).toContain("POST session/pause/");
    expect(page.textContent).toContain("The study is paused");
    await typeCode("WRONG1");
    expect(page.textContent).toContain("This is not the release code");
    expect(next.done).toBe(false);
    await typeCode(release);
    press("Go to full screen");
    await settled();
    expect(next.done).toBe(true);
    expect(trialsBack).toBe(1);
  });

  test("goes on when the experimenter ends the pause on their own page", async () => {
    const supervision = await begun();
    await supervision.beforeTrial();
    setFullScreen(false);
    const next = watched(supervision.beforeTrial());
    await settled();
    paused = false;
    await vi.advanceTimersByTimeAsync(3_000);
    press("Go to full screen");
    await settled();
    expect(next.done).toBe(true);
  });

  test("is paused before the next trial where the experimenter asked for it", async () => {
    const supervision = await begun();
    paused = true;
    await supervision.beforeTrial();
    const next = watched(supervision.beforeTrial());
    await settled();
    expect(page.textContent).toContain("The study is paused");
    await typeCode(release);
    await settled();
    expect(next.done).toBe(true);
    expect(requests).not.toContain("POST session/pause/");
  });

  test("stays paused over a reload", async () => {
    paused = true;
    const start = watched(new Supervision({ stage, send, language: "en" }).begin());
    await settled();
    expect(page.textContent).toContain("The study is paused");
    await typeCode(release);
    press("Go to full screen");
    await settled();
    expect(start.done).toBe(true);
  });

  test("is paused offline as well, and says that the server cannot be reached", async () => {
    const supervision = await begun();
    await supervision.beforeTrial();
    offline = true;
    setFullScreen(false);
    const next = watched(supervision.beforeTrial());
    await settled();
    await typeCode(release);
    expect(page.textContent).toContain("The server cannot be reached");
    expect(next.done).toBe(false);
    offline = false;
    await typeCode(release);
    press("Go to full screen");
    await settled();
    expect(next.done).toBe(true);
  });
});

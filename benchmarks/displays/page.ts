/**
 * Displays of the same words by several mechanisms in turn: the clock of the platform; opacity animated by the compositor,
 * with and without a frame loop beside it on the main thread; a canvas that a worker draws.
 */

import { Clock, type DisplayRecord } from "../../frontend/src/timing/clock";

interface Plan {
  readonly run: string;
  readonly busy: boolean;
  readonly trials: readonly {
    readonly mechanism: string;
    readonly texts: readonly string[];
    readonly duration: number;
  }[];
}

interface Told {
  readonly mechanism: string;
  readonly duration: number;
  readonly began: number;
  readonly ended: number;
  readonly records: readonly Partial<DisplayRecord>[];
  /** When each text, and in the end the blank, is on the screen, as far as the page knows. */
  readonly due: readonly number[];
  /** What Element Timing reports of the texts. */
  readonly painted: readonly number[];
  /** The frames of whoever watches over the display: the main thread's loop or the worker's. */
  readonly frames: readonly number[];
}

const BLOCKED = 45;
const FREE = 52;
const LEAD = 250;
const BETWEEN = 300;

const plan = JSON.parse(new URLSearchParams(location.search).get("plan") ?? "{}") as Plan;
const stage = document.querySelector("#stage") as HTMLElement;
const clock = new Clock();
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function paragraph(text: string): HTMLElement {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

async function byClock(texts: readonly string[], duration: number): Promise<Partial<Told>> {
  const mark = paragraph(".");
  mark.style.color = "#fff";
  const steps = texts.map((text) => {
    const stimulus = paragraph(text);
    return { draw: () => stage.replaceChildren(stimulus), duration, stimulus };
  });
  const shown = await clock.displaySequence({ steps, clear: () => stage.replaceChildren(mark), mark });
  const records = await shown.records();
  const due = [...records.map(({ shown_ms }) => shown_ms), records.at(-1)?.gone_ms ?? 0];
  return { records, due };
}

async function byCompositor(texts: readonly string[], duration: number, keepsLoop: boolean): Promise<Partial<Told>> {
  const interval = clock.frameInterval;
  const last = texts.length * duration;
  const whole = LEAD + last + 200;
  const painted: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      painted.push((entry as unknown as { presentationTime?: number; renderTime: number }).presentationTime ?? -1);
    }
  });
  observer.observe({ type: "element" } as PerformanceObserverInit);
  const frame = await clock.nextFrame();
  // Half a frame before the frame that it is meant for, so that no rounding puts it into another one.
  const onset = Math.ceil(LEAD / interval) * interval - interval / 2;
  const animations = texts.map((text, index) => {
    const made = paragraph(text);
    made.style.willChange = "opacity";
    made.style.opacity = "0";
    made.setAttribute("elementtiming", `text-${index}`);
    stage.append(made);
    const on = (onset + index * duration) / whole;
    const off = (onset + (index + 1) * duration) / whole;
    const animation = made.animate(
      [
        { opacity: 0, offset: 0, easing: "steps(1, end)" },
        { opacity: 1, offset: on, easing: "steps(1, end)" },
        { opacity: 0, offset: off, easing: "steps(1, end)" },
        { opacity: 0, offset: 1 },
      ],
      { duration: whole, fill: "both" },
    );
    animation.startTime = frame;
    return animation;
  });
  const frames: number[] = [];
  if (keepsLoop) while ((frames.at(-1) ?? 0) < frame + whole) frames.push(await clock.nextFrame());
  else clock.release();
  await Promise.all(animations.map((animation) => animation.finished));
  await pause(100);
  observer.disconnect();
  for (const animation of animations) animation.cancel();
  stage.replaceChildren();
  const due = [
    ...texts.map((_, index) => frame + onset + interval / 2 + index * duration),
    frame + onset + interval / 2 + last,
  ];
  return { due, painted, frames };
}

const canvas = document.createElement("canvas");
canvas.width = 680;
canvas.height = 60;
const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const offscreen = canvas.transferControlToOffscreen();
worker.postMessage(offscreen, [offscreen]);

async function byWorker(texts: readonly string[], duration: number, keepsLoop: boolean): Promise<Partial<Told>> {
  stage.replaceChildren(canvas);
  const interval = clock.frameInterval;
  const frame = await clock.nextFrame();
  const onset = frame + Math.ceil(LEAD / interval) * interval;
  const done = new Promise<{ changes: number[]; frames: number[] }>((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
  });
  worker.postMessage({ texts, onset: onset + performance.timeOrigin, duration, interval });
  if (!keepsLoop) clock.release();
  const { changes, frames } = await done;
  await pause(100);
  const here = (time: number) => time - performance.timeOrigin;
  return { due: changes.map(here), frames: frames.map(here) };
}

const MECHANISMS: Record<string, (texts: readonly string[], duration: number) => Promise<Partial<Told>>> = {
  clock: byClock,
  compositor: (texts, duration) => byCompositor(texts, duration, true),
  "compositor-alone": (texts, duration) => byCompositor(texts, duration, false),
  worker: (texts, duration) => byWorker(texts, duration, true),
  "worker-alone": (texts, duration) => byWorker(texts, duration, false),
};

if (plan.busy) {
  const work = () => {
    const end = performance.now() + BLOCKED;
    while (performance.now() < end);
    setTimeout(work, FREE);
  };
  setTimeout(work, FREE);
}
await pause(1000);
await clock.measureFrameInterval();
const { left, top, width, height } = stage.getBoundingClientRect();
const tell = (told: object) =>
  fetch("/told/", {
    method: "POST",
    body: JSON.stringify({ run: plan.run, origin_ms: performance.timeOrigin, ...told }),
  });
await tell({ rectangle: [left, top, width, height].map((value) => Math.round(value * devicePixelRatio)) });
await pause(500);
const trials: Told[] = [];
for (const { mechanism, texts, duration } of plan.trials) {
  clock.prime();
  await pause(BETWEEN);
  const began = performance.now();
  const more = await (MECHANISMS[mechanism] as (typeof MECHANISMS)[string])(texts, duration);
  await pause(50);
  trials.push({
    mechanism,
    duration,
    began,
    ended: performance.now(),
    records: [],
    due: [],
    painted: [],
    frames: [],
    ...more,
  });
}
await tell({ trials, interval: clock.frameInterval });

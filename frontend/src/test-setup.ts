import { afterAll, vi } from "vitest";
import "./languages/en";
import "./languages/de";

// What is waited for comes, however busy the machine is; the limit only ends what hangs.
const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === "number" ? options : { timeout: 60_000, ...options });

// jsdom has no screen: it is a computer with a mouse, and nothing else that is asked about it holds.
const MOUSE = /^(\(any-hover: hover\) and )?\(any-pointer: fine\)$/;
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { matches: MOUSE.test(media), media }) as MediaQueryList;

// jsdom stamps events with the time of day; browsers stamp them on the clock of `performance.now`.
const stamps = new WeakMap<Event, number>();

Object.defineProperty(Event.prototype, "timeStamp", {
  configurable: true,
  get(this: Event) {
    const stamp = stamps.get(this) ?? performance.now();
    stamps.set(this, stamp);
    return stamp;
  },
});

// It scrolls nothing.
globalThis.scrollTo = () => {};

// Its frames count on a clock of their own, too; in browsers frames and events share one. They come by the real timer: one
// that a test replaces takes its frame along, and the frame loop of the next trial waits for it forever.
const { setTimeout: later, clearTimeout: never } = globalThis;
const frames = new Set<ReturnType<typeof later>>();

globalThis.requestAnimationFrame = (callback) => {
  const handle = later(() => {
    frames.delete(handle);
    callback(performance.now());
  }, 16);
  frames.add(handle);
  return handle as unknown as number;
};
globalThis.cancelAnimationFrame = (handle) => never(handle);

// The frame loop of a clock never ends by itself.
afterAll(() => {
  globalThis.requestAnimationFrame = () => 0;
  for (const handle of frames) never(handle);
});

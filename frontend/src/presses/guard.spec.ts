import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { framesPass } from "../plugins/trial-harness";
import { DOUBLE_TAP_MS, JUDGES_PRESSES, PressGuard } from "./guard";

let guard: PressGuard;
let place: HTMLElement;
let heard: string[];
let finger = 0;

beforeEach(() => {
  guard = new PressGuard();
  guard.listen();
  place = document.createElement("main");
  document.body.replaceChildren(place);
  guard.watch(place);
});

afterEach(() => guard.release());

const KINDS = ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "keydown", "keyup"] as const;

/** Puts a page with one button there that hears everything, and waits until it is on the screen. */
async function page({ isShown = true } = {}): Promise<HTMLButtonElement> {
  const button = document.createElement("button");
  heard = [];
  for (const kind of KINDS) button.addEventListener(kind, () => heard.push(kind));
  place.replaceChildren(button);
  await Promise.resolve();
  if (isShown) await framesPass(2);
  heard = [];
  return button;
}

interface Touch {
  readonly id: number;
  readonly isPrimary: boolean;
  readonly pointerType: string;
}

function pointer(target: Element, kind: string, touch: Touch, at?: number, detail = 0): void {
  const event = new MouseEvent(kind, { bubbles: true, cancelable: true, detail });
  Object.defineProperties(event, {
    pointerId: { value: touch.id },
    isPrimary: { value: touch.isPrimary },
    pointerType: { value: touch.pointerType },
  });
  if (at !== undefined) Object.defineProperty(event, "timeStamp", { value: at });
  target.dispatchEvent(event);
}

function mouse(target: Element, kind: string, detail = 1, at?: number): void {
  const event = new MouseEvent(kind, { bubbles: true, cancelable: true, detail });
  if (at !== undefined) Object.defineProperty(event, "timeStamp", { value: at });
  target.dispatchEvent(event);
}

function key(target: EventTarget, kind: string, name: string, init: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent(kind, { key: name, code: name, bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
}

function newFinger(pointerType = "touch", isPrimary = true): Touch {
  finger += 1;
  return { id: finger, isPrimary, pointerType };
}

/** The release of a finger, and the mouse events and the click that a browser makes of it. */
function lift(target: Element, touch: Touch, at?: number): void {
  pointer(target, "pointerup", touch, at);
  for (const kind of ["mousedown", "mouseup"]) mouse(target, kind, 1, at);
  pointer(target, "click", touch, at, 1);
}

describe("one press acts on one page", () => {
  test.each(["touch", "mouse", "pen"])(
    "what a %s began on a page does nothing on the next, and a new press does",
    async (type) => {
      const first = await page();
      const press = newFinger(type);
      pointer(first, "pointerdown", press);
      const second = await page();
      lift(second, press);
      expect(heard).toEqual([]);
      const later = performance.now() + DOUBLE_TAP_MS + 1;
      const another = newFinger(type);
      pointer(second, "pointerdown", another, later);
      lift(second, another, later);
      expect(heard).toEqual(["pointerdown", "pointerup", "mousedown", "mouseup", "click"]);
      expect(guard.early).toBe(0);
    },
  );

  test("a key that is held does nothing on the next page by its repeats or its release, and types nothing", async () => {
    key(await page(), "keydown", "Enter");
    const second = await page();
    const again = key(second, "keydown", "Enter", { repeat: true });
    const release = key(second, "keyup", "Enter");
    expect([heard, again.defaultPrevented, release.defaultPrevented]).toEqual([[], true, true]);
    key(second, "keydown", "Enter");
    key(second, "keyup", "Enter");
    expect(heard).toEqual(["keydown", "keyup"]);
  });

  test("the click that a key's release makes goes with it", async () => {
    key(await page(), "keydown", " ");
    const second = await page();
    key(second, "keyup", " ");
    mouse(second, "click", 0);
    expect(heard).toEqual([]);
  });

  test("the click of a screen reader, without pointer or key, is let through", async () => {
    pointer(await page(), "pointerdown", newFinger());
    const second = await page();
    mouse(second, "click", 0);
    expect(heard).toEqual(["click"]);
  });

  test("what is pressed before the page is on the screen is kept from it and counted", async () => {
    await page();
    const second = await page({ isShown: false });
    const since = guard.counting();
    const press = newFinger("mouse");
    pointer(second, "pointerdown", press);
    key(document.body, "keydown", "e");
    await framesPass(2);
    lift(second, press);
    key(second, "keydown", "e", { repeat: true });
    expect(heard).toEqual([]);
    expect([since(), since()]).toEqual([2, 0]);
    key(second, "keydown", "i");
    expect(heard).toEqual(["keydown"]);
  });

  test.each([0, 150, DOUBLE_TAP_MS])(
    "the second tap of a double tap, %i ms later, belongs to the page of the first",
    async (gap) => {
      const first = await page();
      const tap = newFinger();
      pointer(first, "pointerdown", tap);
      const second = await page();
      const lifted = performance.now();
      lift(second, tap, lifted);
      const again = newFinger();
      pointer(second, "pointerdown", again, lifted + gap);
      lift(second, again, lifted + gap + 20);
      expect([heard, guard.early]).toEqual([[], 1]);
    },
  );

  test("a second finger beside one of the page before does nothing, unless it comes much later", async () => {
    const held = newFinger();
    pointer(await page(), "pointerdown", held);
    const second = await page();
    pointer(second, "pointerdown", newFinger("touch", false));
    expect(heard).toEqual([]);
    pointer(second, "pointerdown", newFinger("touch", false), performance.now() + DOUBLE_TAP_MS + 1);
    expect(heard).toEqual(["pointerdown"]);
  });

  test("the second click of a double click belongs to the page of the first; two quick clicks do not", async () => {
    const press = newFinger("mouse");
    const first = await page();
    pointer(first, "pointerdown", press);
    lift(first, press);
    const second = await page();
    pointer(second, "pointerdown", press);
    for (const kind of ["mousedown", "mouseup", "click"]) mouse(second, kind, 2);
    expect(heard).toEqual(["pointerdown"]);
    pointer(second, "pointerdown", press);
    mouse(second, "click", 1);
    expect(heard).toEqual(["pointerdown", "pointerdown", "click"]);
  });

  test("where presses are judged against an onset, a quick second tap is left to that", async () => {
    const tap = newFinger();
    pointer(await page(), "pointerdown", tap);
    const second = await page();
    second.setAttribute(JUDGES_PRESSES, "");
    lift(second, tap);
    pointer(second, "pointerdown", newFinger());
    expect(heard).toEqual(["pointerdown"]);
  });

  test("keys of the browser, and what stands beside the page, are left alone", async () => {
    const beside = document.createElement("button");
    document.body.append(beside);
    let besides = 0;
    beside.addEventListener("click", () => {
      besides += 1;
    });
    const press = newFinger("mouse");
    pointer(beside, "pointerdown", press);
    const second = await page({ isShown: false });
    pointer(beside, "click", press, undefined, 1);
    expect(besides).toBe(1);
    for (const name of ["Tab", "Escape"]) expect(key(second, "keydown", name).defaultPrevented).toBe(false);
    expect(key(second, "keydown", "r", { ctrlKey: true }).defaultPrevented).toBe(false);
    expect(heard).toEqual(["keydown", "keydown", "keydown"]);
  });

  test("a frame that was due before the press which turned the page lets nothing of that press through", async () => {
    const first = await page();
    const press = newFinger();
    pointer(first, "pointerdown", press);
    const due = performance.now() - 100;
    const late = vi.spyOn(window, "requestAnimationFrame").mockImplementation((callback) => {
      queueMicrotask(() => callback(due));
      return 0;
    });
    const second = await page({ isShown: false });
    late.mockRestore();
    await framesPass(2);
    lift(second, press);
    const another = newFinger();
    pointer(second, "pointerdown", another);
    lift(second, another);
    expect(heard).toEqual([]);
  });

  test("a page that takes presses at once still refuses those that began before it", async () => {
    const button = await page();
    key(button, "keydown", "Enter");
    await framesPass(1);
    guard.turn({ atOnce: true });
    key(button, "keydown", "Enter", { repeat: true });
    expect(heard).toEqual(["keydown"]);
    await framesPass(1);
    key(button, "keydown", "1");
    expect(heard).toEqual(["keydown", "keydown"]);
  });

  test("a key whose beginning nobody saw began on the document before", async () => {
    const button = await page();
    key(button, "keydown", "Enter", { repeat: true });
    key(button, "keyup", "Enter");
    expect(heard).toEqual([]);
  });
});

/** Whether this computer can run the study, checked before anybody agrees to anything. */

import type { Messages } from "../languages/messages";
import { isHandheld } from "../page/keys";
import { storageWorks } from "../server/database";
import { Clock } from "../timing/clock";

export type CheckState = "waiting" | "passed" | "failed";

export interface Check {
  readonly name: string;
  readonly label: string;
  readonly waiting: string;
  /** Resolves once it is known. A check that waits for the participant resolves when they did it. */
  run(): Promise<CheckOutcome>;
}

export interface CheckOutcome {
  readonly passed: boolean;
  readonly text: string;
  /** Where it can be passed on another device alone. */
  readonly needsComputer?: boolean;
}

const LEAST_WIDTH = 320;
const LEAST_WIDE_WIDTH = 1024;
const SLOWEST_SCREEN = 24;
const FRAMES_MEASURED = 30;
/** How long a telephone is given to show that it has a keyboard. */
const PATIENCE_WITHOUT_KEYS = 6_000;

export function checksFor(requirements: readonly string[], messages: Messages): Check[] {
  const checks = [browserCheck(messages), storageCheck(messages), windowCheck(requirements, messages)];
  if (requirements.includes("pointer")) checks.push(pointerCheck(messages));
  if (requirements.includes("pointer-or-keys")) checks.push(pointerOrKeysCheck(messages));
  checks.push(screenCheck(messages));
  if (requirements.includes("keyboard")) checks.push(keyboardCheck(messages));
  return checks;
}

/** Refresh rates are multiples of few numbers; a measured 59.94 is shown as 60. */
function refreshRate(frameInterval: number): number {
  return Math.round(1000 / frameInterval);
}

function browserCheck(messages: Messages): Check {
  return {
    name: "browser",
    label: messages.checkBrowser,
    waiting: "",
    run: async () => {
      const passed =
        "indexedDB" in window &&
        "locks" in navigator &&
        "PerformanceObserver" in window &&
        "getRandomValues" in crypto &&
        typeof AbortSignal.timeout === "function" &&
        typeof Object.hasOwn === "function";
      return { passed, text: passed ? messages.checkBrowserPassed : messages.checkBrowserFailed };
    },
  };
}

function storageCheck(messages: Messages): Check {
  return {
    name: "storage",
    label: messages.checkStorage,
    waiting: "",
    run: async () => {
      const passed = await storageWorks();
      return { passed, text: passed ? messages.checkStoragePassed : messages.checkStorageFailed };
    },
  };
}

function windowCheck(requirements: readonly string[], messages: Messages): Check {
  const least = requirements.includes("wide-window") ? LEAST_WIDE_WIDTH : LEAST_WIDTH;
  return {
    name: "window",
    label: messages.checkWindow,
    waiting: "",
    run: async () => {
      const { innerWidth, innerHeight } = window;
      const passed = innerWidth >= least;
      const text = passed
        ? messages.checkWindowPassed(innerWidth, innerHeight)
        : messages.checkWindowFailed(innerWidth, innerHeight, least);
      return { passed, text };
    },
  };
}

function screenCheck(messages: Messages): Check {
  return {
    name: "screen",
    label: messages.checkScreen,
    waiting: messages.checkScreenWaiting,
    run: async () => {
      const clock = new Clock();
      const rate = refreshRate(await clock.measureFrameInterval(FRAMES_MEASURED));
      clock.release();
      const passed = rate >= SLOWEST_SCREEN;
      return { passed, text: passed ? messages.checkScreenPassed(rate) : messages.checkScreenFailed };
    },
  };
}

function keyboardCheck(messages: Messages): Check {
  return {
    name: "keyboard",
    label: messages.checkKeyboard,
    waiting: messages.checkKeyboardWaiting,
    run: () =>
      new Promise((resolve) => {
        const end = (outcome: CheckOutcome) => {
          document.removeEventListener("keydown", pressed);
          clearTimeout(timer);
          resolve(outcome);
        };
        const pressed = (event: KeyboardEvent) => {
          if (event.key !== " ") return;
          event.preventDefault();
          end({ passed: true, text: messages.checkKeyboardPassed });
        };
        document.addEventListener("keydown", pressed);
        // Nobody can wait for a key on a telephone that has none; one that has can check again.
        const fail = () => end({ passed: false, text: messages.checkKeyboardFailed, needsComputer: true });
        const timer = isHandheld() ? setTimeout(fail, PATIENCE_WITHOUT_KEYS) : undefined;
      }),
  };
}

function pointerCheck(messages: Messages): Check {
  return {
    name: "pointer",
    label: messages.checkPointer,
    waiting: messages.checkPointerWaiting,
    run: () => {
      if (!window.matchMedia("(any-pointer: fine)").matches) {
        return Promise.resolve({ passed: false, text: messages.checkPointerFailed, needsComputer: true });
      }
      return new Promise((resolve) => {
        const moved = (event: PointerEvent) => {
          if (event.pointerType !== "mouse") return;
          document.removeEventListener("pointermove", moved);
          resolve({ passed: true, text: messages.checkPointerPassed });
        };
        document.addEventListener("pointermove", moved);
      });
    },
  };
}

/** For studies that can be done with the arrow keys, too, by those who cannot use a pointer. */
function pointerOrKeysCheck(messages: Messages): Check {
  const hasPointer = window.matchMedia("(any-pointer: fine)").matches;
  return {
    name: "pointer",
    label: messages.checkPointer,
    waiting: hasPointer ? messages.checkPointerOrKeysWaiting : messages.checkPointerOrKeysMissing,
    run: () =>
      new Promise((resolve) => {
        const pass = (text: string) => {
          document.removeEventListener("pointermove", moved);
          document.removeEventListener("keydown", pressed);
          resolve({ passed: true, text });
        };
        const moved = (event: PointerEvent) => {
          if (event.pointerType === "mouse") pass(messages.checkPointerPassed);
        };
        const pressed = (event: KeyboardEvent) => {
          if (!event.key.startsWith("Arrow")) return;
          event.preventDefault();
          pass(messages.checkArrowKeysPassed);
        };
        document.addEventListener("pointermove", moved);
        document.addEventListener("keydown", pressed);
      }),
  };
}

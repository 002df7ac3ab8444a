/** Runs one trial of a plugin in a test, and acts as a participant. */

import { initJsPsych, type JsPsych } from "jspsych";
import type { TrialData } from "../server/contract";

interface Plugin {
  trial(display: HTMLElement, trial: never, onLoad?: () => void): Promise<TrialData>;
  simulate(trial: never, mode: "data-only" | "visual", options: unknown, onLoad?: () => void): Promise<TrialData>;
}

export interface PluginConstructor {
  prepare?(params: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
  new (jsPsych: JsPsych): Plugin;
}

export interface StartedTrial {
  readonly display: HTMLElement;
  readonly finished: Promise<TrialData>;
}

/** Starts a trial and resolves when it is on the page. */
export async function startTrial(plugin: PluginConstructor, params: Record<string, unknown>): Promise<StartedTrial> {
  const display = document.createElement("main");
  document.body.replaceChildren(display);
  window.scrollTo = () => {};
  await plugin.prepare?.([params]);
  let finished: Promise<TrialData> | null = null;
  await new Promise<void>((resolve) => {
    finished = new plugin(initJsPsych()).trial(display, { language: "en", ...params } as never, resolve);
  });
  if (finished === null) throw new Error("The trial did not start.");
  return { display, finished };
}

/** Starts a trial and resolves when its page is on the screen: what is pressed before answers nothing. */
export async function showTrial(plugin: PluginConstructor, params: Record<string, unknown>): Promise<StartedTrial> {
  const trial = await startTrial(plugin, params);
  await framesPass(3);
  return trial;
}

export function simulateTrial(plugin: PluginConstructor, params: Record<string, unknown>): Promise<TrialData> {
  return new plugin(initJsPsych()).simulate({ language: "en", ...params } as never, "data-only", {});
}

export function find<Kind extends Element = HTMLElement>(root: ParentNode, selector: string): Kind {
  const found = root.querySelector<Kind>(selector);
  if (found === null) throw new Error(`Nothing on the page matches ${selector}.`);
  return found;
}

/** Presses a key, at a time on the page's clock where one is given. */
export function press(target: EventTarget, key: string, options: { at?: number; repeat?: boolean } = {}): void {
  const event = new KeyboardEvent("keydown", {
    key,
    bubbles: true,
    cancelable: true,
    repeat: options.repeat ?? false,
  });
  if (options.at !== undefined) Object.defineProperty(event, "timeStamp", { value: options.at });
  target.dispatchEvent(event);
}

/** Puts a text into a field as typing does. */
export function type(input: HTMLInputElement, text: string): void {
  input.value = text;
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

export function isFinished(trial: StartedTrial): Promise<boolean> {
  const open = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), 60);
  });
  return Promise.race([trial.finished.then(() => true), open]);
}

/** Lets as many frames pass as a plugin needs to draw what comes next. Counted, as no number of milliseconds is enough. */
export async function framesPass(number = 5): Promise<void> {
  for (let frame = 0; frame < number; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

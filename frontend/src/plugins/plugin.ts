/** What all plugins have in common: where their trials stand, the data they yield and how they are simulated. */

import { type JsPsych, ParameterType, type PluginInfo, type TrialType } from "jspsych";
import { messagesIn } from "../languages/messages";
import { element } from "../page/blocks";
import type { TrialData } from "../server/contract";
import { clock, type Onset } from "../timing/clock";

const FRAMES_BEFORE_SIMULATED_ANSWER = 4;

export type Simulated = Pick<TrialData, "payload" | "rt_ms">;

export type SimulationMode = "data-only" | "visual";

/** The parameters of a trial as jsPsych hands them over: defaults are filled in. */
export type Shown<Info extends PluginInfo> = TrialType<Info> &
  Required<Pick<TrialType<Info>, keyof Info["parameters"] & string>>;

/** The data of every plugin: its own payload, and the times on the page's monotonic clock. */
export const TRIAL_DATA = {
  payload: { type: ParameterType.OBJECT },
  /** From the onset to the response. */
  rt_ms: { type: ParameterType.FLOAT },
  onset_ms: { type: ParameterType.FLOAT },
  /** Which clock the onset was taken from. */
  clock: { type: ParameterType.STRING },
  /** By how much the onset may be off. */
  onset_error_ms: { type: ParameterType.FLOAT },
  /** How many of the things that are timed were not in the window as a whole. */
  out_of_view: { type: ParameterType.INT },
} as const;

/** The position of a trial among those of its kind. */
export interface Place {
  readonly kind: "practice" | "target";
  readonly index: number;
  readonly total: number;
  readonly language: string;
}

/** The parameters of a plugin that give the position of its trial. */
export const PLACE = {
  /** "practice" or "target". */
  kind: { type: ParameterType.STRING, default: "target" },
  index: { type: ParameterType.INT, default: 1 },
  total: { type: ParameterType.INT, default: 1 },
  language: { type: ParameterType.STRING, default: "en" },
} as const;

type Placed = Omit<Place, "kind"> & { readonly kind?: string };

export function whereOf(trial: Placed): string {
  const messages = messagesIn(trial.language);
  const place = messages.trialOf(trial.index, trial.total);
  return trial.kind === "practice" ? `${messages.practice} · ${place}` : place;
}

/** The line above the trial that shows its position. */
export function whereLine(trial: Placed): HTMLElement {
  return element("p", { class: "label where" }, whereOf(trial));
}

/**
 * What every trial says about its onset. `outOfView`: how many of the things that it times were not in the window as a whole,
 * where that is more than what had to be there at this onset.
 */
export function onsetData(
  onset: Onset | null,
  outOfView: number | null = typeof onset?.inView === "boolean" ? Number(!onset.inView) : null,
): Pick<TrialData, "onset_ms" | "clock" | "onset_error_ms" | "out_of_view"> {
  return {
    onset_ms: onset?.time ?? null,
    clock: onset?.clock ?? "none",
    onset_error_ms: onset?.error ?? null,
    out_of_view: outOfView,
  };
}

export abstract class TimedPlugin<Info extends PluginInfo> {
  /** True while a simulation answers the trial on the page. */
  protected simulated = false;

  constructor(protected readonly jsPsych: JsPsych) {}

  abstract trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData>;

  /** What a participant might have answered; a plugin may load what only simulations need. */
  protected abstract simulatedData(trial: Shown<Info>): Simulated | Promise<Simulated>;

  /** Has a simulation answer on the page, some frames after the stimulus has come up. */
  protected async answerIfSimulated(answer: () => void): Promise<void> {
    if (!this.simulated) return;
    for (let frame = 0; frame < FRAMES_BEFORE_SIMULATED_ANSWER; frame += 1) await clock.nextFrame();
    answer();
  }

  async simulate(trial: Shown<Info>, mode: SimulationMode, _options: unknown, onLoad?: () => void): Promise<TrialData> {
    if (mode === "visual") {
      this.simulated = true;
      return this.trial(this.jsPsych.getDisplayElement(), trial, onLoad);
    }
    onLoad?.();
    return { ...(await this.simulatedData(trial)), ...onsetData(null) };
  }
}

/** A plugin's class when it is not known which. */
export interface AnyPluginClass {
  readonly info: PluginInfo;
  /** Loads what only some trials of the plugin need; awaited before the first trial, with the parameters of those to come. */
  prepare?(params: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
  new (jsPsych: JsPsych): TimedPlugin<never>;
}

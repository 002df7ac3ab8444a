/** Turns the server's trials into a jsPsych timeline, and each trial into one that is recorded before the next begins. */

import { initJsPsych, type JsPsych } from "jspsych";
import type { AnyPluginClass, Shown } from "../plugins/plugin";
import { presses } from "../presses/guard";
import type { Carried, Check, TrialData, TrialDescription } from "../server/contract";
import { pluginNamed } from "./registry";

export interface TrialHooks {
  /** Awaited before anything of the trial is on the page. True where the trial is left out. */
  before(trial: TrialDescription): Promise<boolean>;
  /** Awaited after the response, before the page of the trial is taken away. */
  after(trial: TrialDescription, data: TrialData): Promise<void>;
  /** How a trial asks about an answer within it. */
  check(trial: TrialDescription): Check;
}

export function jsPsychIn(display: HTMLElement): JsPsych {
  const jsPsych = initJsPsych({
    display_element: display,
    use_webaudio: false,
    // jsPsych makes its element a stop of the tab key; nothing can be done there, so it is none.
    on_trial_start: () => {
      display.tabIndex = -1;
      presses.watch(jsPsych.getDisplayElement());
    },
  });
  return jsPsych;
}

/** Colour and size of the text of a trial, where its materials say them; styles of the plugins read them. */
function wear(look: unknown): void {
  const { colour, size } = (look ?? {}) as { readonly colour?: string; readonly size?: number };
  const { style } = document.documentElement;
  style.setProperty("--text-colour", colour ?? "");
  style.setProperty("--text-size", size === undefined ? "" : String(size));
}

type AnyPlugin = {
  trial(display: HTMLElement, trial: Shown<never>, onLoad?: () => void): Promise<TrialData>;
  simulate(
    trial: Shown<never>,
    mode: "data-only" | "visual",
    options: unknown,
    onLoad?: () => void,
  ): Promise<TrialData>;
};

export function timelineOf(options: {
  readonly trials: readonly TrialDescription[];
  readonly language: string;
  readonly carried: () => Carried;
  readonly hooks: TrialHooks;
}) {
  return options.trials.map((trial) => ({
    ...trial.params,
    type: recorded(pluginNamed(trial.plugin), trial, options.hooks),
    language: options.language,
    // Read when the trial begins, because an earlier trial of this visit may supply it.
    carried: options.carried,
    ...("check" in pluginNamed(trial.plugin).info.parameters ? { check: options.hooks.check(trial) } : {}),
    data: { position: trial.position, phase: trial.phase },
  }));
}

/** A plugin whose trials wait for the hooks. */
function recorded(plugin: AnyPluginClass, description: TrialDescription, hooks: TrialHooks) {
  return class {
    static readonly info = plugin.info;
    private readonly plugin: AnyPlugin;

    constructor(jsPsych: JsPsych) {
      this.plugin = new plugin(jsPsych) as unknown as AnyPlugin;
    }

    trial(display: HTMLElement, trial: Shown<never>, onLoad?: () => void): Promise<TrialData> {
      return this.record(() => this.plugin.trial(display, trial, onLoad));
    }

    simulate(
      trial: Shown<never>,
      mode: "data-only" | "visual",
      options: unknown,
      onLoad?: () => void,
    ): Promise<TrialData> {
      return this.record(() => this.plugin.simulate(trial, mode, options, onLoad));
    }

    private async record(run: () => Promise<TrialData>): Promise<TrialData> {
      if (await hooks.before(description)) return {} as TrialData;
      wear(description.params.look);
      const data = await run();
      await hooks.after(description, data);
      return data;
    }
  };
}

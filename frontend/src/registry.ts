/** The plugins by the names that the server uses for them. A new plugin is one line here. */

import type { Carried } from "./contract";
import BackgroundQuestions from "./plugins/background-questions";
import Break from "./plugins/break";
import LineLength from "./plugins/line-length";
import MagnitudeEstimation from "./plugins/magnitude-estimation";
import Pages from "./plugins/pages";

const PLUGINS = {
  "background-questions": BackgroundQuestions,
  pages: Pages,
  "line-length": LineLength,
  "magnitude-estimation": MagnitudeEstimation,
  break: Break,
};

export type PluginClass = (typeof PLUGINS)[keyof typeof PLUGINS];

interface CarryingPlugin {
  carried(params: Readonly<Record<string, unknown>>, payload: Readonly<Record<string, unknown>>): Carried;
}

/** Throws where the server names a plugin that this page does not have. */
export function pluginNamed(name: string): PluginClass {
  if (!Object.hasOwn(PLUGINS, name)) throw new Error(`This page has no plugin "${name}".`);
  return PLUGINS[name as keyof typeof PLUGINS];
}

/** What a trial of a plugin leaves for later trials; most leave nothing. */
export function carriedBy(
  trial: { readonly plugin: string; readonly params: Readonly<Record<string, unknown>> },
  payload: Readonly<Record<string, unknown>>,
): Carried {
  const plugin = pluginNamed(trial.plugin) as Partial<CarryingPlugin>;
  return plugin.carried?.(trial.params, payload) ?? {};
}

/**
 * The plugins by the names that the server uses for them. A new plugin is one line here. A page loads those that its own
 * session needs, all of them before the first trial, so that a trial never waits for a script.
 */

import type { AnyPluginClass } from "../plugins/plugin";
import type { Carried } from "../server/contract";

const LOADERS: Readonly<Record<string, () => Promise<{ readonly default: AnyPluginClass }>>> = {
  "background-questions": () => import("../plugins/background-questions"),
  pages: () => import("../plugins/pages"),
  "line-length": () => import("../plugins/line-length"),
  "magnitude-estimation": () => import("../plugins/magnitude-estimation"),
  rating: () => import("../plugins/rating"),
  "self-paced-reading": () => import("../plugins/self-paced-reading"),
  break: () => import("../plugins/break"),
  "sentence-recall": () => import("../plugins/sentence-recall"),
  "mouse-contingent-reading": () => import("../plugins/mouse-contingent-reading"),
};

const loaded = new Map<string, AnyPluginClass>();

interface CarryingPlugin {
  carried(params: Readonly<Record<string, unknown>>, payload: Readonly<Record<string, unknown>>): Carried;
}

/** Throws where the server names a plugin that this page does not have. */
export async function loadPlugins(names: Iterable<string>): Promise<void> {
  await Promise.all(
    [...new Set(names)].map(async (name) => {
      if (!Object.hasOwn(LOADERS, name)) throw new Error(`This page has no plugin "${name}".`);
      loaded.set(name, (await (LOADERS[name] as (typeof LOADERS)[string])()).default);
    }),
  );
}

/** Throws for a plugin that was not loaded. */
export function pluginNamed(name: string): AnyPluginClass {
  const plugin = loaded.get(name);
  if (plugin === undefined) throw new Error(`The plugin "${name}" was not loaded.`);
  return plugin;
}

/** What a trial of a plugin leaves for later trials; most leave nothing. */
export function carriedBy(
  trial: { readonly plugin: string; readonly params: Readonly<Record<string, unknown>> },
  payload: Readonly<Record<string, unknown>>,
): Carried {
  const plugin = pluginNamed(trial.plugin) as Partial<CarryingPlugin>;
  return plugin.carried?.(trial.params, payload) ?? {};
}

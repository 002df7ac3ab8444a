/**
 * The plugins by the names that the server uses for them. A new plugin is one line here. A page loads those that its own
 * session needs, all of them before the first trial, so that a trial never waits for a script.
 */

import type { AnyPluginClass } from "../plugins/plugin";
import type { Carried, TrialDescription } from "../server/contract";

const LOADERS: Readonly<Record<string, () => Promise<{ readonly default: AnyPluginClass }>>> = {
  "background-questions": () => import("../plugins/background-questions"),
  pages: () => import("../plugins/pages"),
  "line-length": () => import("../plugins/line-length"),
  "magnitude-estimation": () => import("../plugins/magnitude-estimation"),
  rating: () => import("../plugins/rating"),
  "self-paced-reading": () => import("../plugins/self-paced-reading"),
  comparison: () => import("../plugins/comparison"),
  maze: () => import("../plugins/maze"),
  "sound-check": () => import("../plugins/sound-check"),
  "headphones-check": () => import("../plugins/headphones-check"),
  break: () => import("../plugins/break"),
  "break-feedback": () => import("../plugins/break-feedback"),
  "sentence-recall": () => import("../plugins/sentence-recall"),
  "timed-choice": () => import("../plugins/timed-choice"),
  "typed-production": () => import("../plugins/typed-production"),
  "mouse-contingent-reading": () => import("../plugins/mouse-contingent-reading"),
};

export const PLUGIN_NAMES: readonly string[] = Object.keys(LOADERS);

const loaded = new Map<string, AnyPluginClass>();

interface CarryingPlugin {
  carried(params: Readonly<Record<string, unknown>>, payload: Readonly<Record<string, unknown>>): Carried;
}

/** Plugin → address of its module, for plugins that a package on the server brings. */
export type OwnModules = Readonly<Record<string, string>>;

/**
 * Loads the plugins of these trials, and whatever else of a plugin its trials need, so that none of them waits for a script.
 * Throws where the server names a plugin that this page does not have.
 */
export async function loadPlugins(trials: readonly TrialDescription[], own: OwnModules = {}): Promise<void> {
  await Promise.all(
    [...new Set(trials.map((trial) => trial.plugin))].map(async (name) => {
      const plugin = await load(name, own);
      await plugin.prepare?.(trials.filter((trial) => trial.plugin === name).map((trial) => trial.params));
      loaded.set(name, plugin);
    }),
  );
}

async function load(name: string, own: OwnModules): Promise<AnyPluginClass> {
  if (Object.hasOwn(own, name)) return fromPackage(name, own[name] as string);
  const loader = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
  if (loader === undefined) throw new Error(`This page has no plugin "${name}".`);
  return (await loader()).default;
}

/** The module of a package makes its plugin from what the platform hands it, so that both share one clock. */
async function fromPackage(name: string, address: string): Promise<AnyPluginClass> {
  const [{ lectern }, module] = await Promise.all([import("../plugins/lectern"), import(/* @vite-ignore */ address)]);
  const { default: make } = module as { default?: (given: typeof lectern) => AnyPluginClass };
  if (make === undefined) throw new Error(`The module of the plugin "${name}" has no default export.`);
  return make(lectern);
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

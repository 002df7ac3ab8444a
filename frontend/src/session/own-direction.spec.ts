/** Walks through a trial of every plugin: whatever text of a study it shows runs in the direction of that text. */

import { initJsPsych } from "jspsych";
import { afterEach, describe, expect, test, vi } from "vitest";
import { directionOf } from "../page/direction";
import { framesPass } from "../plugins/trial-harness";
import { loadPlugins, PLUGIN_NAMES, pluginNamed } from "./registry";

vi.mock("../plugins/mouse-contingent-reading/measure", async (original) => ({
  ...(await original<typeof import("../plugins/mouse-contingent-reading/measure")>()),
  fontFor: async () => true,
  measure: (text: never) => estimate.layout(text),
}));
const estimate = vi.hoisted(() => ({ layout: (_text: never): unknown => null }));
const { estimatedLayout } = await import("../plugins/mouse-contingent-reading/simulated");
estimate.layout = estimatedLayout as never;

// Nothing is laid out here, so no text has boxes.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

type Say = (number: number) => string;
type Params = Readonly<Record<string, unknown>>;

const PLACE = { kind: "target", index: 1, total: 2 };
const question = (t: Say) => ({ prompt: t(8), choices: [t(9), t(10)] });
const regionsOf = (text: string) =>
  text.split(" ").map((word, at) => ({ text: word, words: 1, before: at === 0 ? "" : " " }));
const asked = { required: true };

/** A trial of each plugin that shows texts of a study, with a text of its own at every place for one. */
const TRIALS: Readonly<Record<string, (t: Say) => Params>> = {
  pages: (t) => ({
    pages: [
      [
        { type: "heading", text: t(1) },
        { type: "paragraph", text: t(2), spans: [{ text: t(2), strong: true }] },
        { type: "list", items: [t(3), t(4)] },
        { type: "example", text: t(5) },
      ],
    ],
  }),
  break: (t) => ({ done: 1, total: 2, pages: [[{ type: "paragraph", text: t(1) }]] }),
  "break-feedback": (t) => ({
    ...{ done: 1, total: 2, pages: [[{ type: "paragraph", text: t(1) }]], feedback: "both" },
    check: () => Promise.resolve({ right: 1, mean_ms: 500, again: null, skips: [] }),
  }),
  "background-questions": (t) => ({
    title: t(1),
    questions: [
      { ...asked, name: "a", kind: "information", label: `${t(2)}\n\n${t(3)}` },
      { ...asked, name: "b", kind: "choice", label: t(4), help: t(5), choices: [t(6), t(7)] },
      { ...asked, name: "c", kind: "several", label: t(8), choices: [t(9), t(10)] },
      { ...asked, name: "d", kind: "choice", label: t(11), choices: [12, 13, 14, 15, 16, 17, 18, 19].map(t) },
      { ...asked, name: "e", kind: "number", label: t(20), unit: t(21) },
      { ...asked, name: "f", kind: "scale", label: t(22), points: 3, labels: [t(23), t(24), t(25)] },
      { ...asked, name: "g", kind: "slider", label: t(26), labels: [t(27), t(28)] },
      { ...asked, name: "h", kind: "statement", label: t(29) },
      { ...asked, name: "i", kind: "long-text", label: t(30) },
      {
        ...asked,
        ...{ name: "j", kind: "matrix", label: t(31), points: 5, labels: [t(32), t(33)] },
        items: [
          { name: "one", label: t(34) },
          { name: "two", label: t(35) },
        ],
      },
    ],
  }),
  "magnitude-estimation": (t) => ({
    ...{ ...PLACE, text: t(1), modulus_text: t(2), question: t(3), carried: { modulus_number: 50 } },
  }),
  rating: (t) => ({
    ...{ ...PLACE, texts: [t(1), t(2)], context: t(3) },
    questions: [
      { ...asked, name: "a", kind: "scale", text: t(4), points: 5, labels: [t(5), t(6)] },
      { ...asked, name: "b", kind: "scale", text: t(7), points: 3, labels: [t(8), t(9), t(10)] },
      { ...asked, name: "c", kind: "slider", text: t(11), points: 0, labels: [t(12), t(13)] },
      { ...asked, name: "d", kind: "magnitude", text: t(14), points: 0, labels: [] },
      { ...asked, required: false, name: "e", kind: "magnitude", text: t(15), points: 0, labels: [] },
    ],
  }),
  comparison: (t) => ({ ...PLACE, options: [{ text: t(1) }, { text: t(2) }], question: t(3), context: t(4) }),
  "self-paced-reading": (t) => ({ ...PLACE, regions: regionsOf(t(1)), window: "cumulative", question: question(t) }),
  maze: (t) => ({
    ...{ ...PLACE, regions: [{ text: t(1) }, { text: t(2) }], distractors: [t(3), t(4)], sides: ["left", "right"] },
    ...{ after_error: "redo", delay_ms: 0, question: question(t) },
  }),
  "sentence-recall": (t) => ({ ...PLACE, text: t(1), display_ms: 100, fixation_ms: 0, blank_ms: 0 }),
  "timed-choice": (t) => ({
    ...{ ...PLACE, text: t(1), iti_ms: 0 },
    displays: [{ kind: "prime", text: t(2), ms: 200 }],
    answers: [
      { name: "no", label: t(3), key: "f" },
      { name: "yes", label: t(4), key: "j" },
    ],
  }),
  "typed-production": (t) => ({ ...PLACE, task: "paraphrase", prompt: t(1), text: t(2), fields: 2 }),
  "mouse-contingent-reading": (t) => ({
    ...{ ...PLACE, arrangement: "bands", mask: "bar", modes: ["keyboard"], ask_device: false, record_path: false },
    ...{ full_screen: false, ratings: [], question: question(t) },
    areas: [1, 2].map((n) => ({ text: t(n), words: 4, before: " " })),
  }),
};
/** All that these say are texts of the platform in the language of the page. */
const WITHOUT_TEXTS = ["line-length", "sound-check", "headphones-check"];

const HEBREW: Say = (n) => `הילד (${n}) אכל pizza אתמול.`;
const ENGLISH: Say = (n) => `He ate (${n}) the פיצה yesterday.`;
const MOST_FRAMES = 1_500;
const LETTERS = { rtl: /\p{Script=Hebrew}{2}/u, ltr: /\p{Script=Latin}{2}/u };

afterEach(() => document.documentElement.removeAttribute("dir"));

test("every plugin is walked through", () => {
  expect([...Object.keys(TRIALS), ...WITHOUT_TEXTS].sort()).toEqual([...PLUGIN_NAMES].sort());
});

describe.each([
  ["ltr", "rtl", HEBREW],
  ["rtl", "ltr", ENGLISH],
] as const)("on a page that runs %s", (page, own, say) => {
  test.each(Object.keys(TRIALS))("texts of %s run as they are written", async (name) => {
    document.documentElement.dir = page;
    const { wrong, seen, typed } = await walked(name, say, own);
    expect(wrong).toEqual([]);
    const wanted = JSON.stringify(TRIALS[name]?.(say)).match(/\(\d+\)/gu) ?? [];
    expect([...new Set(wanted)].filter((place) => !seen.has(place))).toEqual([]);
    expect(typed.filter((field) => field.dir !== "auto").map((field) => field.outerHTML)).toEqual([]);
  });
});

/** Has a simulation go through a trial, and looks at every frame of it. */
async function walked(name: string, say: Say, own: "rtl" | "ltr") {
  const params = TRIALS[name]?.(say) ?? {};
  await loadPlugins([{ position: 1, phase: "target", plugin: name, params }]);
  const display = document.createElement("main");
  document.body.replaceChildren(display);
  window.scrollTo = () => {};
  const seen = new Set<string>();
  const wrong = new Set<string>();
  const typed = new Set<HTMLElement>();
  let finished = false;
  const Plugin = pluginNamed(name);
  const { parameters } = Plugin.info;
  const defaults = Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, value.default]));
  const plugin = Object.assign(new Plugin(initJsPsych({ display_element: display })), { simulated: true });
  void plugin.trial(display, { ...defaults, language: "en", ...params } as never).then(() => {
    finished = true;
  });
  for (let frame = 0; !finished; frame += 1) {
    if (frame === MOST_FRAMES) throw new Error(`The trial does not go on from: ${display.textContent}`);
    for (const place of display.textContent?.match(/\(\d+\)/gu) ?? []) seen.add(place);
    for (const field of display.querySelectorAll<HTMLElement>("textarea, input[type=text]")) typed.add(field);
    for (const node of textsIn(display)) {
      if (LETTERS[own].test(node.data) && directionAt(node) !== own) wrong.add(node.data);
    }
    await framesPass(1);
  }
  return { wrong: [...wrong], seen, typed: [...typed] };
}

function textsIn(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

function directionAt(node: Text): string {
  const holder = node.parentElement?.closest<HTMLElement>("[dir]");
  return holder?.dir === "auto" ? directionOf(holder.textContent ?? "") : (holder?.dir ?? "");
}

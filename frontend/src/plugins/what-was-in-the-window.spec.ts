import { initJsPsych } from "jspsych";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { TrialData } from "../server/contract";
import { FakeWindow } from "../timing/fake-window";
import Comparison from "./comparison";
import LineLength from "./line-length";
import MagnitudeEstimation from "./magnitude-estimation";
import Maze from "./maze";
import MouseContingentReading from "./mouse-contingent-reading";
import type { TextToLay } from "./mouse-contingent-reading/measure";
import Rating from "./rating";
import SelfPacedReading from "./self-paced-reading";
import SentenceRecall from "./sentence-recall";
import TimedChoice from "./timed-choice";
import TypedProduction from "./typed-production";

vi.mock("./mouse-contingent-reading/measure", async (original) => ({
  ...(await original<typeof import("./mouse-contingent-reading/measure")>()),
  fontFor: async () => true,
  measure: (text: TextToLay) => estimate.layout(text),
}));
const estimate = vi.hoisted(() => ({ layout: (_text: TextToLay): unknown => null }));
const { estimatedLayout } = await import("./mouse-contingent-reading/simulated");
estimate.layout = estimatedLayout;

const PLACE = { kind: "target", index: 1, total: 2, language: "en" };
const QUESTION = { prompt: "What barked?", choices: ["the cat", "the dog"] };
const SCALE = { name: "focus", text: "Is it clear?", kind: "scale", points: 5, labels: ["no", "yes"], required: true };
const region = (text: string, before = " ") => ({ text, words: 1, before });
const REGIONS = [region("The", ""), region("dog"), region("barked.")];

/** Each plugin that times something, with a trial, and how many things there are that can be out of the window. */
const PLUGINS: [string, unknown, Record<string, unknown>, number][] = [
  ["self-paced-reading", SelfPacedReading, { regions: REGIONS, window: "moving", question: QUESTION }, 3 + 3],
  ["self-paced-reading, centred", SelfPacedReading, { regions: REGIONS, window: "centred", question: null }, 3],
  [
    "self-paced-reading, by itself",
    SelfPacedReading,
    { regions: REGIONS, window: "rsvp", region_ms: 60, blank_ms: 30, question: null },
    3,
  ],
  [
    "maze",
    Maze,
    {
      regions: REGIONS,
      distractors: ["x-x-x", "sum", "formed."],
      sides: ["left", "right", "left"],
      after_error: "redo",
      delay_ms: 0,
      message: "",
      keys: { left: "e", right: "i" },
      buttons: true,
      question: QUESTION,
    },
    3 + 3,
  ],
  ["magnitude-estimation", MagnitudeEstimation, { text: "A sentence.", modulus_text: "Another.", carried: {} }, 1],
  ["line-length", LineLength, { reference: 0.25, length: 0.6, reference_number: 10 }, 2],
  [
    "rating",
    Rating,
    { texts: ["First.", "Second."], active: 1, context: "", questions: [SCALE], layout: "together" },
    3,
  ],
  [
    "comparison",
    Comparison,
    { task: "pair", options: [{ text: "a" }, { text: "b" }], question: "", context: "", no_difference: false },
    2,
  ],
  [
    "typed-production",
    TypedProduction,
    {
      task: "completion",
      prompt: "",
      text: "She spread the ___.",
      segments: ["She spread the ", "."],
      image: null,
      audio: null,
      fields: 1,
      one_word: true,
      length_unit: "characters",
      minimum_length: 1,
      maximum_length: 0,
      may_be_empty: true,
      time_limit_ms: null,
      keystroke_log: false,
    },
    2,
  ],
  [
    "sentence-recall",
    SentenceRecall,
    {
      text: "It rained.",
      words: 2,
      presentation: "whole",
      ms_per_word: 50,
      display_ms: 60,
      segments: [],
      fixation_ms: 0,
      blank_ms: 0,
      problems: [{ a: 1, operator: "+", b: 2 }],
      time_limit_ms: null,
      feedback: false,
      keystroke_log: false,
      full_screen: false,
      check: async () => null,
    },
    1 + 1 + 2,
  ],
  [
    "timed-choice",
    TimedChoice,
    {
      text: "otter",
      displays: [{ kind: "prime", text: "water", ms: 50 }],
      stays: true,
      with_text: true,
      prompt: "?",
      answers: [
        { name: "no", label: "no", key: "f" },
        { name: "yes", label: "yes", key: "j" },
      ],
      respond_with: "both",
      timed_from: "onset",
      deadline_ms: null,
      iti_ms: 0,
      feedback: false,
      feedback_ms: 0,
      error_pause_ms: 0,
      check: async () => null,
    },
    2,
  ],
  [
    "mouse-contingent-reading",
    MouseContingentReading,
    {
      areas: REGIONS,
      arrangement: "bands",
      mask: "bar",
      modes: ["pointer"],
      ask_device: false,
      ratings: [SCALE],
      question: QUESTION,
      record_path: false,
      full_screen: false,
    },
    Number.NaN,
  ],
];

let fake: FakeWindow;

afterEach(() => fake.restore());

async function simulated(plugin: unknown, params: Record<string, unknown>, top: number): Promise<TrialData> {
  // Everything stands at one place; below the window there is nothing to scroll to.
  const size = { width: 1024, height: 768, pageHeight: 768 };
  fake = new FakeWindow(size, () => ({ left: 10, top, right: 110, bottom: top + 20 }));
  const display = document.createElement("main");
  document.body.replaceChildren(display);
  const jsPsych = initJsPsych();
  jsPsych.getDisplayElement = () => display;
  const Plugin = plugin as new (
    of: unknown,
  ) => {
    simulate(trial: unknown, mode: string, options: unknown): Promise<TrialData>;
  };
  return new Plugin(jsPsych).simulate({ ...PLACE, ...params }, "visual", {});
}

describe.each(PLUGINS)("%s", (name, plugin, params, things) => {
  test("says that everything was in the window where it was", async () => {
    expect((await simulated(plugin, params, 50)).out_of_view).toBe(0);
  }, 60_000);

  test("says how much was not in the window where nothing was", async () => {
    const { out_of_view, payload } = await simulated(plugin, params, 5_000);
    if (Number.isNaN(things)) {
      const areas = payload.out_of_view as number[];
      expect(areas.length).toBeGreaterThan(0);
      // The rating question and the points of its scale, the prompt and its choices.
      expect(out_of_view).toBeGreaterThanOrEqual(areas.length + 4);
    } else expect(out_of_view, name).toBe(things);
  }, 60_000);
});

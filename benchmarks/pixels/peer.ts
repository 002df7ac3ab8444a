/**
 * The peer: plain jsPsych with its own plugin and its own style sheet, doing what the sessions of the platform do. Trials
 * are told by when jsPsych began and ended them; what its data say of time is `rt`.
 */

import HtmlKeyboardResponse from "@jspsych/plugin-html-keyboard-response";
import { initJsPsych } from "jspsych";
import "../../frontend/node_modules/jspsych/css/jspsych.css";

interface Plan {
  readonly kind: "rt" | "displays";
  readonly sentences: readonly string[];
  readonly wordByWord: boolean;
  readonly duration: number;
  readonly fixation: number;
  readonly blank: number;
}

const plan = JSON.parse(new URLSearchParams(location.search).get("plan") ?? "{}") as Plan;
const trials: { kind: string; began: number; ended: number; rt: number | null; intended: number | null }[] = [];

function timed(kind: string, intended: number | null) {
  let began = 0;
  return {
    on_load: () => {
      began = performance.now();
    },
    on_finish: (data: Record<string, unknown>) => {
      const rt = typeof data.rt === "number" ? data.rt : null;
      trials.push({ kind, began, ended: performance.now(), rt, intended });
    },
  };
}

function display(text: string, kind: string, duration: number, gap = 0) {
  const stimulus = kind === "fixation" ? `<p>${text}</p>` : `<p class="stimulus">${text}</p>`;
  return {
    type: HtmlKeyboardResponse,
    stimulus,
    choices: "NO_KEYS",
    trial_duration: duration,
    post_trial_gap: gap,
    ...timed(kind, kind === "display" ? duration : null),
  };
}

function reaction(text: string) {
  const stimulus = `<p class="stimulus">${text}</p>`;
  return { type: HtmlKeyboardResponse, stimulus, choices: ["Enter"], post_trial_gap: 150, ...timed("rt", null) };
}

function shown(sentence: string) {
  const parts = plan.wordByWord ? sentence.split(" ") : [sentence];
  const last = parts.length - 1;
  return [
    display("+", "fixation", plan.fixation),
    ...parts.map((part, index) => display(part, "display", plan.duration, index === last ? plan.blank : 0)),
    { ...reaction("Recall."), stimulus: "<p>Please recall.</p>", ...timed("recall", null) },
  ];
}

const jsPsych = initJsPsych({ use_webaudio: false });
await jsPsych.run(plan.kind === "rt" ? plan.sentences.map(reaction) : plan.sentences.flatMap(shown));
const run = new URLSearchParams(location.search).get("run");
await fetch("/benchmark/", { method: "POST", body: JSON.stringify({ run, trials }) });

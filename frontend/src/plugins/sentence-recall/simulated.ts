/** What a participant of sentence recall might do, for simulations of jsPsych. */

import type { JsPsych } from "jspsych";
import { NeedsRegions, splitWords } from "../../languages/words";
import type { ProblemAnswer } from "./arithmetic";
import { displaysOf, type Problem, type RecallParams } from "./params";

const RIGHT = 0.9;
const KEPT = 0.85;
const FRAME = 1000 / 60;
const MS_PER_CHARACTER = 180;

/** The sentence with some of its words lost. */
export function simulatedRecall(trial: RecallParams): string {
  return wordsOf(trial)
    .filter(() => Math.random() < KEPT)
    .join(" ");
}

/** Only a simulation works a problem out in the browser. */
export function simulatedResult({ a, operator, b }: Problem): number {
  const result = operator === "+" ? a + b : a - b;
  return Math.random() < RIGHT ? result : result + 10;
}

export function simulatedTrial(trial: RecallParams, jsPsych: JsPsych) {
  const recall = simulatedRecall(trial);
  const chance = jsPsych.randomization;
  const first_key_ms = chance.sampleExGaussian(900, 200, 1 / 400, true);
  const typing_ms = MS_PER_CHARACTER * recall.length;
  let onset_ms = 0;
  const displays = displaysOf(trial).map(({ duration }) => {
    const display = {
      intended_ms: duration,
      onset_ms,
      offset_ms: onset_ms + duration,
      measured_ms: duration,
      dropped_frames: 0,
      late_frames: null,
      frame_interval_ms: FRAME,
      flagged: false,
    };
    onset_ms += duration;
    return display;
  });
  const arithmetic = trial.problems.map((problem): ProblemAnswer => {
    const answer = simulatedResult(problem);
    const ms = Math.min(chance.sampleExGaussian(3500, 700, 1 / 1500, true), trial.time_limit_ms ?? 60_000);
    return { typed: String(answer), answer, ms, first_key_ms: 0.7 * ms, timed_out: false };
  });
  const payload = {
    displays,
    arithmetic,
    recall,
    first_key_ms: recall === "" ? null : first_key_ms,
    typing_ms,
    edits: chance.randomInt(0, 4),
    paste_attempts: 0,
    drop_attempts: 0,
    copy_attempts: 0,
    focus_losses: 0,
    full_screen_exits: 0,
  };
  return { payload, rt_ms: first_key_ms + typing_ms + 500 };
}

function wordsOf(trial: RecallParams): string[] {
  try {
    return splitWords(trial.text);
  } catch (error) {
    // The browser does not know the regions of such a text.
    if (error instanceof NeedsRegions) return [...trial.text];
    throw error;
  }
}

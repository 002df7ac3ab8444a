/** What a participant of typed production might do, for simulations of jsPsych. */

import type { JsPsych } from "jspsych";
import { simulatedMedia } from "../../page/media";
import type { ProductionParams } from "./params";

const MS_PER_CHARACTER = 180;
const WORDS = ["water", "house", "paper", "light", "table", "summer"];

/** An answer that the trial takes. */
export function simulatedAnswer(trial: ProductionParams): string {
  const word = WORDS[Math.floor(Math.random() * WORDS.length)] ?? "water";
  if (trial.length_unit === "words") {
    return Array.from({ length: trial.minimum_length }, () => word).join(" ");
  }
  const long = word.padEnd(trial.minimum_length, "n");
  return trial.maximum_length > 0 ? long.slice(0, trial.maximum_length) : long;
}

export function simulatedTrial(trial: ProductionParams, jsPsych: JsPsych) {
  const chance = jsPsych.randomization;
  let first_key_ms = chance.sampleExGaussian(1100, 250, 1 / 400, true);
  let typing_ms = 0;
  const limit = trial.time_limit_ms ?? Number.POSITIVE_INFINITY;
  const responses = Array.from({ length: trial.fields }, () => {
    const typed = first_key_ms < limit ? simulatedAnswer(trial) : "";
    const answer = {
      typed,
      first_key_ms: typed === "" ? null : first_key_ms,
      typing_ms: typed === "" ? 0 : MS_PER_CHARACTER * typed.length,
      edits: 0,
    };
    typing_ms += answer.typing_ms;
    first_key_ms += answer.typing_ms + 400;
    return answer;
  });
  const rt_ms = Math.min(limit, first_key_ms + 500);
  const payload = {
    responses,
    typing_ms,
    timed_out: rt_ms === limit,
    paste_attempts: 0,
    drop_attempts: 0,
    copy_attempts: 0,
    focus_losses: 0,
    ...simulatedMedia(trial),
  };
  return { payload, rt_ms };
}

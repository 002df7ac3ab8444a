/** What a participant might have chosen, without a page. */

import type { JsPsych } from "jspsych";
import { simulatedQuestion, type TextQuestion } from "../text-question";
import type { Side } from "./choosing";

const FRAME_MS = 1000 / 60;

export function simulatedMaze(
  chance: JsPsych["randomization"],
  trial: {
    readonly sides: readonly Side[];
    readonly isRedone: boolean;
    readonly delay_ms: number;
    readonly question: TextQuestion | null;
    readonly shareRight: number;
  },
) {
  const pairs: { onset_ms: number; tries: { ms: number; side: Side; input: "key" }[] }[] = [];
  let now = 0;
  let isRight = true;
  for (const side of trial.sides) {
    const onset = now;
    const tries: { ms: number; side: Side; input: "key" }[] = [];
    now += chance.sampleExGaussian(620, 90, 1 / 150, true);
    isRight = chance.sampleBernoulli(trial.shareRight) === 1;
    if (!isRight) {
      tries.push({ ms: now, side: side === "left" ? "right" : "left", input: "key" });
      now += trial.delay_ms + chance.sampleExGaussian(400, 60, 1 / 80, true);
    }
    if (isRight || trial.isRedone) tries.push({ ms: now, side, input: "key" });
    isRight = isRight || trial.isRedone;
    pairs.push({ onset_ms: onset, tries });
    if (!isRight) break;
    now += FRAME_MS;
  }
  const answer = simulatedQuestion(isRight ? trial.question : null, chance);
  return {
    payload: {
      pairs,
      frame_interval_ms: FRAME_MS,
      message_ms: isRight ? null : trial.delay_ms + chance.sampleExGaussian(600, 100, 1 / 200, true),
      question: answer,
    },
    rt_ms: (pairs[pairs.length - 1]?.tries.at(-1)?.ms ?? 0) + (answer?.rt_ms ?? 0),
  };
}

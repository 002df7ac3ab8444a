/** Answers as a participant might give them. */

import type { JsPsych } from "jspsych";
import { type RatingAnswer, type RatingAnswers, type RatingQuestion, SLIDER_MAXIMUM } from "./question";

export function simulatedRatings(questions: readonly RatingQuestion[], jsPsych: JsPsych): RatingAnswers {
  return Object.fromEntries(questions.map((question) => [question.name, simulatedRating(question, jsPsych)]));
}

/** From the onset to the confirmation that goes with simulated ratings. */
export function simulatedRatingsMs(ratings: RatingAnswers): number {
  return Object.values(ratings).reduce((sum, answer) => sum + (answer.rt_ms ?? 0), 300);
}

function simulatedRating(question: RatingQuestion, jsPsych: JsPsych): RatingAnswer {
  const chance = jsPsych.randomization;
  const rt_ms = chance.sampleExGaussian(2500, 500, 1 / 1000, true);
  if (!question.required && Math.random() < 0.1) return { rating: null, rt_ms: null, changes: 0, typed: null };
  switch (question.kind) {
    case "magnitude": {
      const number = Math.max(0.1, Math.round(500 * Math.exp(chance.sampleNormal(0, 0.5))) / 10);
      return { rating: number, rt_ms, changes: 0, typed: String(number) };
    }
    case "scale":
      return { rating: chance.randomInt(1, question.points), rt_ms, changes: 0, typed: null };
    case "slider":
      return { rating: chance.randomInt(0, SLIDER_MAXIMUM), rt_ms, changes: 0, typed: null };
  }
}

/** Answers as a participant might give them. */

import type { JsPsych } from "jspsych";
import {
  type MarkedSpan,
  type RatingAnswer,
  type RatingAnswers,
  type RatingQuestion,
  SLIDER_MAXIMUM,
} from "./question";

/** `words` is how many words of the text can be marked. */
export function simulatedRatings(questions: readonly RatingQuestion[], jsPsych: JsPsych, words = 0): RatingAnswers {
  return Object.fromEntries(questions.map((question) => [question.name, simulatedRating(question, jsPsych, words)]));
}

/** From the onset to the confirmation that goes with simulated ratings. */
export function simulatedRatingsMs(ratings: RatingAnswers): number {
  return Object.values(ratings).reduce((sum, answer) => sum + (answer.rt_ms ?? 0), 300);
}

function simulatedRating(question: RatingQuestion, jsPsych: JsPsych, words: number): RatingAnswer {
  const chance = jsPsych.randomization;
  const rt_ms = chance.sampleExGaussian(2500, 500, 1 / 1000, true);
  const isLeftOut = !question.required && question.kind !== "error-spans" && Math.random() < 0.1;
  if (isLeftOut) return { rating: null, rt_ms: null, changes: 0, typed: null };
  switch (question.kind) {
    case "magnitude": {
      const number = Math.max(0.1, Math.round(500 * Math.exp(chance.sampleNormal(0, 0.5))) / 10);
      return { rating: number, rt_ms, changes: 0, typed: String(number) };
    }
    case "scale":
      return { rating: chance.randomInt(1, question.points), rt_ms, changes: 0, typed: null };
    case "error-spans": {
      const rating = question.score ? chance.randomInt(0, SLIDER_MAXIMUM) : null;
      return { rating, rt_ms, changes: 0, typed: null, spans: simulatedSpans(question, words, rt_ms) };
    }
    case "slider":
      return { rating: chance.randomInt(0, SLIDER_MAXIMUM), rt_ms, changes: 0, typed: null };
  }
}

/** One or two words here and there. */
function simulatedSpans(question: RatingQuestion, words: number, until: number): MarkedSpan[] {
  const spans: MarkedSpan[] = [];
  for (let word = 1; word <= words; word += 1) {
    if (Math.random() > 0.1) continue;
    const end = Math.min(words, word + Math.floor(2 * Math.random()));
    const { categories = [] } = question;
    spans.push({
      start_word: word,
      end_word: end,
      severity: Math.random() < 0.3 ? "major" : "minor",
      category: categories[Math.floor(categories.length * Math.random())] ?? null,
      at_ms: until * (word / (words + 1)),
    });
    word = end;
  }
  return spans;
}

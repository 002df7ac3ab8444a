/** Answers as a participant might give them. */

import type { JsPsych } from "jspsych";
import { shownNames } from "./conditions";
import {
  type Answers,
  type AnswerTime,
  type AnswerValue,
  MOST_SKILL,
  mayDecline,
  type Question,
  SKILLS,
  SLIDER_MAXIMUM,
  USUAL_POINTS,
} from "./question";

export function simulatedAnswers(questions: readonly Question[], jsPsych: JsPsych): Answers {
  const answers: Answers = {};
  for (const question of questions) {
    if (question.kind === "information" || !shownNames(questions, answers).has(question.name)) continue;
    answers[question.name] = mayDecline(question) && Math.random() < 0.1 ? null : simulatedAnswer(question, jsPsych);
  }
  return answers;
}

function simulatedAnswer(question: Question, jsPsych: JsPsych): AnswerValue {
  const chance = jsPsych.randomization;
  const choices = [...(question.choices ?? [])];
  const points = question.points ?? USUAL_POINTS;
  switch (question.kind) {
    case "choice":
      return chance.sampleWithoutReplacement(choices, 1)[0] ?? null;
    case "several":
      return chance.sampleWithoutReplacement(choices, chance.randomInt(1, choices.length));
    case "number":
      return simulatedNumber(question, jsPsych);
    case "scale":
      return chance.randomInt(1, points);
    case "matrix":
      return Object.fromEntries((question.items ?? []).map((item) => [item.name, chance.randomInt(1, points)]));
    case "slider":
      return chance.randomInt(0, SLIDER_MAXIMUM);
    case "birth-year":
      return chance.randomInt(1955, 2004);
    case "languages":
      return [
        {
          language: "English",
          age: 0,
          years: 20,
          skills: Object.fromEntries(SKILLS.map((skill) => [skill, MOST_SKILL])),
        },
      ];
    case "statement":
      return question.required || Math.random() < 0.7;
    default:
      return "simulated";
  }
}

function simulatedNumber(question: Question, jsPsych: JsPsych): number {
  const { minimum, maximum } = question;
  if (minimum === undefined && maximum === undefined) return jsPsych.randomization.randomInt(18, 70);
  const least = Math.ceil(minimum ?? 0);
  const most = Math.floor(maximum ?? least + 60);
  return least <= most ? jsPsych.randomization.randomInt(least, most) : (maximum ?? minimum ?? 0);
}

/** Times that go with answers that nobody gave on a page. */
export function simulatedTimes(answers: Answers): Record<string, AnswerTime> {
  return Object.fromEntries(
    Object.keys(answers).map((name, at) => [name, { first_ms: 2000 * (at + 1), last_ms: 2000 * (at + 1), changes: 1 }]),
  );
}

/** Which questions are shown: the rule of the server, to which `tests/contract/questions.json` holds both. Pure. */

import type { Answers, AnswerValue, Condition, Question } from "./question";

/** A condition holds of an answer that is there; of none only `not-answered` holds. */
function holds(condition: Condition, value: AnswerValue | undefined): boolean {
  const operator = condition.operator ?? "is";
  const wanted = condition.value;
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) {
    return operator === "not-answered";
  }
  switch (operator) {
    case "is":
      return same(value, wanted);
    case "is-not":
      return !same(value, wanted);
    case "includes":
      return named(value).some((entry) => same(entry, wanted));
    case "excludes":
      return !named(value).some((entry) => same(entry, wanted));
    case "at-least":
      return Number(value) >= Number(wanted);
    case "at-most":
      return Number(value) <= Number(wanted);
    case "above":
      return Number(value) > Number(wanted);
    case "below":
      return Number(value) < Number(wanted);
    default:
      return operator === "answered";
  }
}

function same(value: unknown, wanted: unknown): boolean {
  if (typeof value === "string" && typeof wanted === "string") return folded(value) === folded(wanted);
  return value === wanted;
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}

function named(value: AnswerValue): readonly unknown[] {
  if (!Array.isArray(value)) return [value];
  return value.map((entry: unknown) =>
    typeof entry === "object" && entry !== null && "language" in entry ? entry.language : entry,
  );
}

/** The names of the questions that are shown with these answers; the answer to a hidden one counts as none. */
export function shownNames(questions: readonly Question[], answers: Answers): Set<string> {
  const shown = new Set<string>();
  const known: Answers = {};
  for (const question of questions) {
    const condition = question.shown_if;
    if (condition !== undefined && !holds(condition, known[condition.question])) continue;
    shown.add(question.name);
    Object.assign(known, variables(question, answers[question.name] ?? null));
  }
  return shown;
}

/** The values of a question by their names in the data: a matrix has one for every item. */
export function variables(question: Question, value: AnswerValue): Answers {
  if (question.kind !== "matrix") return { [question.name]: value };
  const points = (value ?? {}) as Readonly<Record<string, number | null>>;
  return Object.fromEntries(
    (question.items ?? []).map((item) => [`${question.name}_${item.name}`, points[item.name] ?? null]),
  );
}

/** Whether check items are answered as expected, known from digests: the page never holds the expected answers. */

import { variables } from "./conditions";
import type { Answers, AnswerValue, Question } from "./question";

export interface Checks {
  readonly salt: string;
  /** A digest of the expected answer for every check item, by its name in the data. */
  readonly digests: Readonly<Record<string, string>>;
}

/** The names of the check items among the shown questions whose answers are not the expected ones. */
export function failedChecks(
  questions: readonly Question[],
  shown: ReadonlySet<string>,
  answers: Answers,
  checks: Checks,
): string[] {
  const failed: string[] = [];
  for (const question of questions) {
    if (!shown.has(question.name)) continue;
    for (const [name, value] of Object.entries(variables(question, answers[question.name] ?? null))) {
      const wanted = checks.digests[name];
      if (wanted !== undefined && digest(checks.salt, value) !== wanted) failed.push(name);
    }
  }
  return failed;
}

/** FNV-1a with 64 bits over salt and answer, as the server makes it. */
export function digest(salt: string, value: AnswerValue): string {
  let number = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(`${salt}:${canonical(value)}`)) {
    number = BigInt.asUintN(64, (number ^ BigInt(byte)) * 0x100000001b3n);
  }
  return number.toString(16).padStart(16, "0");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return value.map(canonical).sort().join("|");
  return String(value).trim().toLowerCase();
}

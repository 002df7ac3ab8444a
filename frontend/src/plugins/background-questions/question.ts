/** What a question is and what an answer to it is; the server has the same shapes (`experiments/questionnaire`). */

export type Kind =
  | "choice"
  | "several"
  | "number"
  | "text"
  | "long-text"
  | "scale"
  | "matrix"
  | "slider"
  | "birth-year"
  | "languages"
  | "statement"
  | "information";

export interface Item {
  readonly name: string;
  readonly label: string;
}

export interface Question {
  readonly name: string;
  readonly label: string;
  readonly kind: Kind;
  readonly choices?: readonly string[];
  /** How choices are shown where people do not read them in the main language of the study; stored is the choice. */
  readonly said?: Readonly<Record<string, string>>;
  readonly required: boolean;
  readonly help?: string;
  readonly decline?: boolean;
  readonly shown_if?: Condition;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly unit?: string;
  readonly points?: number;
  readonly labels?: readonly string[];
  readonly items?: readonly Item[];
}

export interface Condition {
  readonly question: string;
  readonly operator?: string;
  readonly value?: string | number | boolean;
}

export interface Language {
  readonly language: string;
  readonly age: number | null;
  readonly years: number | null;
  readonly skills: Readonly<Record<string, number | null>>;
}

export type Points = Readonly<Record<string, number | null>>;
export type AnswerValue = string | number | boolean | readonly string[] | Points | readonly Language[] | null;
export type Answers = Record<string, AnswerValue>;

/** When an answer was first and last changed since the onset, and how often it was changed. */
export interface AnswerTime {
  readonly first_ms: number | null;
  readonly last_ms: number | null;
  readonly changes: number;
}

export const USUAL_POINTS = 5;
export const SLIDER_MAXIMUM = 100;
export const SKILLS = ["understanding", "speaking", "reading", "writing"] as const;
export const MOST_SKILL = 10;
export const MAX_LANGUAGES = 10;
export const FIRST_YEAR = 1900;
export const OLDEST = 120;
export const LONGEST_TEXT = 500;
export const LONGEST_LONG_TEXT = 10_000;

/** Whether "prefer not to say" is offered. */
export function mayDecline(question: Question): boolean {
  if (question.kind === "statement" || question.kind === "information") return false;
  return question.decline ?? !question.required;
}

/** How a choice is shown. */
export function shownChoice(question: Question, choice: string): string {
  return question.said?.[choice] ?? choice;
}

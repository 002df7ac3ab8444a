import { beforeEach, describe, expect, test } from "vitest";
import contract from "../../../../tests/contract/questions.json";
import { find, framesPass, isFinished, simulateTrial, startTrial, type } from "../trial-harness";
import { digest } from "./checks";
import { shownNames } from "./conditions";
import BackgroundQuestions from "./index";
import { type Answers, type AnswerValue, mayDecline, type Question } from "./question";

const base = { label: "Label", required: true } as const;
const QUESTIONS: readonly Question[] = [
  { ...base, name: "told", kind: "information", label: "One.\n\nTwo." },
  { ...base, name: "hand", kind: "choice", choices: ["left", "right"] },
  { ...base, name: "since", kind: "long-text", shown_if: { question: "hand", operator: "is", value: "left" } },
  { ...base, name: "reads", kind: "several", choices: ["paper", "screen"] },
  { ...base, name: "books", kind: "number", minimum: 0, maximum: 100, unit: "books" },
  { ...base, name: "born", kind: "birth-year" },
  { ...base, name: "tired", kind: "scale", points: 5, labels: ["not at all", "very"] },
  {
    ...base,
    name: "now",
    kind: "matrix",
    points: 5,
    labels: ["no", "yes"],
    items: [
      { name: "calm", label: "I am calm." },
      { name: "awake", label: "I am awake." },
    ],
  },
  { ...base, name: "mood", kind: "slider", labels: ["bad", "good"] },
  { ...base, name: "languages", kind: "languages" },
  { ...base, name: "honest", kind: "statement" },
];

async function start(questions: readonly Question[] = QUESTIONS, params: Record<string, unknown> = {}) {
  const trial = await startTrial(BackgroundQuestions, { title: "", questions, ...params });
  const field = (name: string) => {
    const place = questions.findIndex((question) => question.name === name);
    const found = trial.display.querySelectorAll<HTMLElement>(".field")[place];
    if (found === undefined) throw new Error(`There is no field for ${name}.`);
    return found;
  };
  return { trial, field, submit: () => find(trial.display, ".primary").click() };
}

function said(field: HTMLElement): string {
  return field.querySelector(".message")?.textContent ?? "";
}

describe("questions of every kind", () => {
  test("every kind says in its own words what is missing", async () => {
    const { field, submit } = await start();
    submit();
    expect(said(field("reads"))).toBe("Please choose at least one answer.");
    expect(said(field("tired"))).toBe("Please choose a point.");
    expect(said(field("now"))).toBe("2 lines have no answer yet.");
    expect(said(field("mood"))).toBe("Please click on the line, or press an arrow key on it.");
    expect(said(field("honest"))).toBe("Please tick this box to go on.");
    expect(said(field("told"))).toBe("");
  });

  test("answers of all kinds are recorded by name, with times", async () => {
    const { trial, field, submit } = await start();
    find(field("hand"), "input[value=right]").click();
    find(field("reads"), "input[value=screen]").click();
    type(find<HTMLInputElement>(field("books"), "input"), "12");
    type(find<HTMLInputElement>(field("born"), "input"), "1990");
    find(field("tired"), "input[value='4']").click();
    for (const row of field("now").querySelectorAll(".matrix-row")) find(row, "input[value='2']").click();
    const slider = find<HTMLInputElement>(field("mood"), "input");
    slider.value = "70";
    slider.dispatchEvent(new Event("change", { bubbles: true }));
    const [name, age, years] = [...field("languages").querySelectorAll("input")];
    if (!name || !age || !years) throw new Error("A field of the language is missing.");
    type(name, "Welsh");
    type(age, "0");
    type(years, "20");
    find(field("honest"), "input").click();
    submit();
    const { payload } = await trial.finished;
    expect(payload.answers).toEqual({
      hand: "right",
      reads: ["screen"],
      books: 12,
      born: 1990,
      tired: 4,
      now: { calm: 2, awake: 2 },
      mood: 70,
      languages: [
        {
          language: "Welsh",
          age: 0,
          years: 20,
          skills: { understanding: null, speaking: null, reading: null, writing: null },
        },
      ],
      honest: true,
    });
    const times = payload.times as Record<string, { changes: number; first_ms: number; last_ms: number }>;
    expect(Object.keys(times)).not.toContain("since");
    expect(times.now?.changes).toBe(2);
    for (const time of Object.values(times)) expect(time.last_ms).toBeGreaterThanOrEqual(time.first_ms);
  });

  test("a question comes with the answer that asks for it and goes with another", async () => {
    const { field, submit } = await start();
    expect(field("since").hidden).toBe(true);
    find(field("hand"), "input[value=left]").click();
    expect(field("since").hidden).toBe(false);
    find(field("hand"), "input[value=right]").click();
    submit();
    expect(field("since").hidden).toBe(true);
    expect(said(field("since"))).toBe("");
  });

  test("numbers and years outside their range are refused with the range", async () => {
    const { field, submit } = await start();
    type(find<HTMLInputElement>(field("books"), "input"), "101");
    type(find<HTMLInputElement>(field("born"), "input"), "90");
    submit();
    expect(said(field("books"))).toBe("Please write a number from 0 to 100.");
    expect(said(field("born"))).toMatch(/^Please write a year with four digits, from 1900 to 20\d\d\.$/u);
  });

  test("a language can be added and removed", async () => {
    const { field } = await start();
    const languages = field("languages");
    find(languages, ":scope > .plain").click();
    expect(languages.querySelectorAll(".language")).toHaveLength(2);
    expect(document.activeElement).toBe(languages.querySelectorAll(".language input")[3]);
    const [first] = languages.querySelectorAll<HTMLElement>(".language .plain");
    first?.click();
    expect(languages.querySelectorAll(".language")).toHaveLength(1);
  });

  test("what may be left empty is, and is recorded as null", async () => {
    const { trial, submit } = await start([{ name: "a", label: "A", kind: "text", required: false, decline: false }]);
    expect(trial.display.textContent).toContain("(optional)");
    submit();
    expect((await trial.finished).payload.answers).toEqual({ a: null });
  });

  test("declining closes the fields of an answer", async () => {
    const { trial, field, submit } = await start([
      { name: "s", label: "S", kind: "scale", required: false, points: 3 },
    ]);
    find(field("s"), "input[type=checkbox]").click();
    expect(find<HTMLInputElement>(field("s"), "input[type=radio]").disabled).toBe(true);
    submit();
    expect((await trial.finished).payload.answers).toEqual({ s: null });
  });

  test("a simulation answers what is shown, and what is needed never with null", async () => {
    for (let repetition = 0; repetition < 30; repetition += 1) {
      const { payload } = await simulateTrial(BackgroundQuestions, { title: "", questions: QUESTIONS });
      const answers = payload.answers as Answers;
      expect(new Set(Object.keys(answers))).toEqual(
        new Set([...shownNames(QUESTIONS, answers)].filter((name) => name !== "told")),
      );
      expect(Object.values(answers).filter((answer) => answer === null)).toEqual([]);
    }
  });
});

describe("a check of the instructions", () => {
  const check: Question = { ...base, name: "check", kind: "choice", choices: ["yes", "no"] };
  const params = {
    attempts: 2,
    salt: "s",
    checks: { check: digest("s", "yes") },
    pages: [[{ type: "paragraph", text: "Read this." }]],
  };
  beforeEach(() => sessionStorage.clear());

  test("is over where it is answered as expected", async () => {
    const { trial, field, submit } = await start([check], params);
    find(field("check"), "input[value=yes]").click();
    submit();
    expect((await trial.finished).payload).not.toHaveProperty("earlier_attempts");
  });

  test("shows the instructions and the questions once more where it is not, and records both attempts", async () => {
    const { trial, field, submit } = await start([check], params);
    find(field("check"), "input[value=no]").click();
    submit();
    await framesPass();
    expect(trial.display.textContent).toContain("Read this.");
    expect(trial.display.textContent).toContain("Please read the instructions once more");
    find(trial.display, ".primary").click();
    await framesPass();
    expect(find<HTMLInputElement>(trial.display, "input[value=no]").checked).toBe(false);
    find(trial.display, "input[value=no]").click();
    submit();
    const { payload } = await trial.finished;
    expect(payload.answers).toEqual({ check: "no" });
    expect(payload.earlier_attempts).toMatchObject([{ answers: { check: "no" } }]);
  });

  test("gives no further attempt to whoever loads the page again, nor keeps what failed once it is over", async () => {
    const before = await start([check], params);
    find(before.field("check"), "input[value=no]").click();
    before.submit();
    await framesPass();
    const { trial, submit } = await start([check], params);
    expect(trial.display.textContent).toContain("Read this.");
    submit();
    await framesPass();
    find(trial.display, "input[value=yes]").click();
    submit();
    const { payload } = await trial.finished;
    expect(payload.answers).toEqual({ check: "yes" });
    expect(payload.earlier_attempts).toMatchObject([{ answers: { check: "no" } }]);
    expect(sessionStorage).toHaveLength(0);
  });

  test("knows nothing of the attempts of another session in this browser", async () => {
    const before = await start([check], { ...params, salt: "t", checks: { check: digest("t", "yes") } });
    find(before.field("check"), "input[value=no]").click();
    before.submit();
    await framesPass();
    const { trial, field, submit } = await start([check], params);
    find(field("check"), "input[value=yes]").click();
    submit();
    expect((await trial.finished).payload).not.toHaveProperty("earlier_attempts");
  });

  test("asks for nothing to be read where there is nothing", async () => {
    const { trial, field, submit } = await start([check], { ...params, pages: [] });
    find(field("check"), "input[value=no]").click();
    submit();
    await framesPass();
    expect(trial.display.textContent).toContain("Please answer the questions once more");
    expect(trial.display.textContent).not.toContain("instructions");
  });

  test("goes on with the server's judgement where there is one attempt only", async () => {
    const { trial, field, submit } = await start([check], { ...params, attempts: 1 });
    find(field("check"), "input[value=no]").click();
    submit();
    expect(await isFinished(trial)).toBe(true);
  });
});

describe("the rules of the server", () => {
  const questions = contract.questions as readonly Question[];

  test.each(contract.shown)("the same questions are shown: $names", ({ answers, names }) => {
    expect([...shownNames(questions, answers as unknown as Answers)]).toEqual(names);
  });

  test.each(contract.digests)("the same digest of $value", ({ salt, value, digest: wanted }) => {
    expect(digest(salt, value as AnswerValue)).toBe(wanted);
  });

  test("a required answer cannot be declined, unless a question says so", () => {
    expect(mayDecline({ ...base, name: "a", kind: "text" })).toBe(false);
    expect(mayDecline({ name: "a", label: "A", kind: "text", required: false })).toBe(true);
    expect(mayDecline({ name: "a", label: "A", kind: "text", required: false, decline: false })).toBe(false);
  });
});

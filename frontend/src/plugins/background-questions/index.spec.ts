import { describe, expect, test } from "vitest";
import { find, isFinished, simulateTrial, startTrial, type } from "../trial-harness";
import BackgroundQuestions from "./index";

const QUESTIONS = {
  title: "About you",
  questions: [
    {
      name: "language",
      label: "Native language",
      kind: "choice",
      choices: ["English", "other"],
      required: true,
      help: "",
    },
    { name: "age", label: "Age", kind: "number", required: false, help: "In years." },
    {
      name: "country",
      label: "Country",
      kind: "choice",
      choices: ["A", "B", "C", "D", "E", "F", "G", "H"],
      required: false,
      help: "",
    },
    { name: "remarks", label: "Remarks", kind: "text", required: false, help: "" },
  ],
};

async function start() {
  const trial = await startTrial(BackgroundQuestions, QUESTIONS);
  const fields = [...trial.display.querySelectorAll<HTMLElement>(".field")];
  const field = (index: number) => fields[index] ?? trial.display;
  return { trial, field, submit: find(trial.display, ".primary") };
}

function messages(display: HTMLElement): string[] {
  return [...display.querySelectorAll(".message")].map((message) => message.textContent ?? "");
}

describe("background questions", () => {
  test("every question has its label, and its help where there is one", async () => {
    const { field } = await start();
    expect(find(field(0), "legend").textContent).toBe("Native language");
    expect(find(field(1), "label").getAttribute("for")).toBe(find(field(1), "input").id);
    expect(field(1).textContent).toContain("In years.");
  });

  test("only what is not required can be declined", async () => {
    const { field } = await start();
    expect(field(0).textContent).not.toContain("Prefer not to say");
    for (const index of [1, 2, 3]) expect(field(index).textContent).toContain("Prefer not to say");
  });

  test("what is missing is said at each question, and the first gets the focus", async () => {
    const { trial, field, submit } = await start();
    submit.click();
    expect(await isFinished(trial)).toBe(false);
    expect(messages(trial.display)).toEqual([
      "This answer is needed to take part.",
      "Please answer, or choose “Prefer not to say”.",
      "Please answer, or choose “Prefer not to say”.",
      "Please answer, or choose “Prefer not to say”.",
    ]);
    expect(document.activeElement).toBe(find(field(0), "input"));
  });

  test("answers are recorded by name: texts, numbers, and null where declined", async () => {
    const { trial, field, submit } = await start();
    find(field(0), "input[value=other]").click();
    type(find<HTMLInputElement>(field(1), "input"), "34,5");
    find<HTMLSelectElement>(field(2), "select").value = "C";
    find(field(3), "input[type=checkbox]").click();
    submit.click();
    const { payload, rt_ms } = await trial.finished;
    expect(payload.answers).toEqual({ language: "other", age: 34.5, country: "C", remarks: null });
    expect(rt_ms).toBeGreaterThanOrEqual(0);
  });

  test("a number must be one", async () => {
    const { trial, field, submit } = await start();
    type(find<HTMLInputElement>(field(1), "input"), "thirty");
    submit.click();
    expect(messages(trial.display)[1]).toBe("Please write a number in digits.");
  });

  test("a declined field cannot be typed in", async () => {
    const { field } = await start();
    const box = find<HTMLInputElement>(field(1), "input[type=checkbox]");
    box.click();
    expect(find<HTMLInputElement>(field(1), "input[type=text]").disabled).toBe(true);
    box.click();
    expect(find<HTMLInputElement>(field(1), "input[type=text]").disabled).toBe(false);
  });

  test("the browser asks before a page is left that is filled in by half, and only then", async () => {
    const leavesFreely = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    const { trial, field, submit } = await start();
    expect(leavesFreely()).toBe(true);
    find(field(0), "input[value=other]").click();
    expect(leavesFreely()).toBe(false);
    for (const index of [1, 3]) find(field(index), "input[type=checkbox]").click();
    find<HTMLSelectElement>(field(2), "select").value = "C";
    submit.click();
    await trial.finished;
    trial.display.replaceChildren();
    expect(leavesFreely()).toBe(true);
  });

  test("a simulation answers every question, and required ones never with null", async () => {
    for (let repetition = 0; repetition < 20; repetition += 1) {
      const { payload } = await simulateTrial(BackgroundQuestions, QUESTIONS);
      const answers = payload.answers as Record<string, unknown>;
      expect(Object.keys(answers)).toEqual(["language", "age", "country", "remarks"]);
      expect(["English", "other"]).toContain(answers.language);
    }
  });
});

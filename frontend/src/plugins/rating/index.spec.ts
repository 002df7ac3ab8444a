import { describe, expect, test } from "vitest";
import { find, press, showTrial, simulateTrial } from "../trial-harness";
import Rating from "./index";

const QUESTION = {
  name: "focus",
  text: "Does the text stay with its topic?",
  kind: "scale",
  points: 5,
  labels: ["very poor", "very good"],
  required: true,
};
const PAGE = {
  kind: "target",
  texts: ["First text.", "Second text.", "Third text."],
  active: 1,
  context: "",
  questions: [QUESTION],
  layout: "together",
  index: 2,
  total: 6,
};

describe("a rating page", () => {
  test("shows all texts at their places and marks the one to be rated", async () => {
    const { display } = await showTrial(Rating, PAGE);
    const texts = [...display.querySelectorAll(".rated")].map((text) => text.textContent);
    expect(texts).toEqual(PAGE.texts);
    expect(find(display, "article.active").textContent).toBe("Text B · to be rated nowSecond text.");
    expect(find(display, ".where").textContent).toBe("2 of 6");
  });

  test("of one text is that text alone, without a letter", async () => {
    const { display } = await showTrial(Rating, { ...PAGE, texts: ["Only text."], active: 0, kind: "practice" });
    expect(display.querySelector("h2")).toBeNull();
    expect(find(display, ".where").textContent).toBe("Practice · 2 of 6");
  });

  test("shows what the text was made from above it, and all of it as text", async () => {
    const context = "<b>Input</b> & more";
    const { display } = await showTrial(Rating, { ...PAGE, context });
    expect(find(display, ".rating-context").textContent).toBe(context);
    expect(display.querySelector("b")).toBeNull();
  });

  test("records the ratings with the times of the events", async () => {
    const { finished } = await showTrial(Rating, PAGE);
    const now = performance.now();
    press(document.body, "4", { at: now + 1200 });
    press(document.body, "Enter", { at: now + 1900 });
    const data = await finished;
    const onset = data.onset_ms ?? Number.NaN;
    expect(data.payload).toEqual({
      ratings: { focus: { rating: 4, rt_ms: now + 1900 - onset, changes: 0, typed: null } },
      early: 0,
    });
    expect(data.rt_ms).toBe(now + 1900 - onset);
  });

  test("has the focus on the text, so that it is read out first", async () => {
    const { display } = await showTrial(Rating, PAGE);
    expect(document.activeElement).toBe(find(display, "article.active"));
  });

  test("can be simulated", async () => {
    const data = await simulateTrial(Rating, PAGE);
    const ratings = data.payload.ratings as Record<string, { rating: number }>;
    expect([1, 2, 3, 4, 5]).toContain(ratings.focus?.rating);
    expect(data.rt_ms).toBeGreaterThan(0);
  });
});

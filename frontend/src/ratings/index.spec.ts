import { beforeEach, describe, expect, test } from "vitest";
import { find, framesPass, press, type } from "../plugins/trial-harness";
import { askRatings, type RatingPage, type RatingQuestion, type RatingsOptions } from "./index";

const GRAMMAR: RatingQuestion = {
  name: "grammaticality",
  text: "Is the text free of errors?",
  kind: "scale",
  points: 5,
  labels: ["very poor", "very good"],
  required: true,
};
const FOCUS: RatingQuestion = { ...GRAMMAR, name: "focus", text: "Does it stay with its topic?" };
const EASE: RatingQuestion = {
  name: "ease",
  text: "How easy was it to read?",
  kind: "slider",
  points: 0,
  labels: ["hard", "easy"],
  required: true,
};
const CLARITY: RatingQuestion = {
  name: "clarity",
  text: "How clear is it?",
  kind: "magnitude",
  points: 0,
  labels: [],
  required: true,
};

let display: HTMLElement;

beforeEach(() => {
  display = document.createElement("main");
  document.body.replaceChildren(display);
  window.scrollTo = () => {};
});

/** Asks, and resolves when the first page is there. */
async function ask(questions: readonly RatingQuestion[], changes: Partial<RatingsOptions> = {}) {
  const pages: RatingPage[] = [];
  let shown: () => void = () => {};
  const first = new Promise<void>((resolve) => {
    shown = resolve;
  });
  const outcome = askRatings({
    display,
    questions,
    language: "en",
    layout: "together",
    name: "test",
    onPage: (page) => {
      pages.push(page);
      shown();
    },
    ...changes,
  });
  await first;
  await framesPass(3);
  return { outcome, pages };
}

function marked(): string | undefined {
  return display.querySelector("[data-current] .rating-text")?.textContent ?? undefined;
}

describe("rating questions", () => {
  test("digits answer one question after the other and Enter goes on", async () => {
    const { outcome } = await ask([GRAMMAR, FOCUS]);
    expect(marked()).toBe(GRAMMAR.text);
    press(document.body, "4");
    expect(marked()).toBe(FOCUS.text);
    press(document.activeElement ?? document.body, "2");
    press(document.activeElement ?? document.body, "Enter");
    const { ratings } = await outcome;
    expect(ratings.grammaticality).toMatchObject({ rating: 4, changes: 0, typed: null });
    expect(ratings.focus?.rating).toBe(2);
  });

  test("a digit beyond the scale answers nothing", async () => {
    await ask([GRAMMAR]);
    press(document.body, "6");
    press(document.body, "0");
    expect(display.querySelector("input:checked")).toBeNull();
  });

  test("on a scale of ten points, 0 stands for 10", async () => {
    const { outcome } = await ask([{ ...GRAMMAR, points: 10 }]);
    press(document.body, "0");
    press(document.body, "Enter");
    expect((await outcome).ratings.grammaticality?.rating).toBe(10);
  });

  test("each time runs from the onset of the page to the last answer", async () => {
    const { outcome } = await ask([GRAMMAR, FOCUS]);
    const now = performance.now();
    press(document.body, "3", { at: now + 1000 });
    press(document.body, "5", { at: now + 1800 });
    press(document.body, "Enter", { at: now + 2500 });
    const { ratings, onset, submitted } = await outcome;
    expect(ratings.grammaticality?.rt_ms).toBeCloseTo(now + 1000 - onset.time, 6);
    expect(ratings.focus?.rt_ms).toBeCloseTo(now + 1800 - onset.time, 6);
    expect(submitted).toBe(now + 2500);
  });

  test("a question alone on its page is timed to the confirmation", async () => {
    const { outcome } = await ask([GRAMMAR]);
    const now = performance.now();
    press(document.body, "3", { at: now + 1000 });
    press(document.body, "Enter", { at: now + 1500 });
    const { ratings, onset } = await outcome;
    expect(ratings.grammaticality?.rt_ms).toBeCloseTo(now + 1500 - onset.time, 6);
  });

  test("another answer to the same question is a change", async () => {
    const { outcome } = await ask([GRAMMAR]);
    for (const digit of ["3", "3", "4"]) press(document.body, digit);
    press(document.body, "Enter");
    expect((await outcome).ratings.grammaticality).toMatchObject({ rating: 4, changes: 1 });
  });

  test("a required question that is left out is pointed at and keeps the page", async () => {
    const { outcome } = await ask([GRAMMAR, FOCUS]);
    press(document.body, "3");
    press(document.body, "Enter");
    const messages = [...display.querySelectorAll("[role=alert]")].map((message) => message.textContent);
    expect(messages).toEqual(["", "Please choose a point on the scale."]);
    press(document.activeElement ?? document.body, "1");
    expect(display.querySelectorAll("[role=alert]")[1]?.textContent).toBe("");
    press(document.activeElement ?? document.body, "Enter");
    expect((await outcome).ratings.focus?.rating).toBe(1);
  });

  test("an optional question may be left out, and has no time then", async () => {
    const { outcome } = await ask([{ ...GRAMMAR, required: false }]);
    expect(find(display, "legend").textContent).toContain("(optional)");
    press(document.body, "Enter");
    expect((await outcome).ratings.grammaticality).toEqual({ rating: null, rt_ms: null, changes: 0, typed: null });
  });

  test("the ends of a scale are read out with their points", async () => {
    await ask([GRAMMAR]);
    const names = [...display.querySelectorAll("input")].map((input) => input.getAttribute("aria-label"));
    expect(names).toEqual(["1, very poor", "2", "3", "4", "5, very good"]);
    const ends = [...display.querySelectorAll(".end")].map((end) => end.textContent);
    expect(ends).toEqual(["very poor", "very good"]);
  });

  test("a slider has no handle and no value to hold on to until it is touched", async () => {
    const { outcome } = await ask([EASE]);
    const slider = find<HTMLInputElement>(display, "input[type=range]");
    expect(slider.classList.contains("untouched")).toBe(true);
    expect(slider.getAttribute("aria-valuetext")).toBe("no answer yet");
    press(document.body, "Enter");
    expect(find(display, "[role=alert]").textContent).toContain("Please click on the line");
    slider.value = "70";
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    expect(slider.classList.contains("untouched")).toBe(false);
    expect(slider.hasAttribute("aria-valuetext")).toBe(false);
    press(slider, "Enter");
    expect((await outcome).ratings.ease).toMatchObject({ rating: 70, typed: null });
  });

  test("a click in the very middle of a slider is an answer", async () => {
    const { outcome } = await ask([EASE]);
    find(display, "input[type=range]").click();
    press(document.body, "Enter");
    expect((await outcome).ratings.ease).toMatchObject({ rating: 50, changes: 0 });
  });

  test("a slider that is drawn and let go again was changed once", async () => {
    const { outcome } = await ask([EASE]);
    const slider = find<HTMLInputElement>(display, "input[type=range]");
    for (const stop of [
      ["20", "21", "22"],
      ["30", "40"],
    ]) {
      for (const value of stop) {
        slider.value = value;
        slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }
      slider.dispatchEvent(new Event("change", { bubbles: true }));
      slider.click();
    }
    press(slider, "Enter");
    expect((await outcome).ratings.ease).toMatchObject({ rating: 40, changes: 1 });
  });

  test("a free number is typed at once, and refused with its reason", async () => {
    const { outcome } = await ask([CLARITY]);
    const input = find<HTMLInputElement>(display, "input");
    expect(document.activeElement).toBe(input);
    type(input, "-3");
    press(input, "Enter");
    expect(find(display, "[role=alert]").textContent).toContain("negative number");
    type(input, "12,5");
    press(input, "Enter");
    expect((await outcome).ratings.clarity).toMatchObject({ rating: 12.5, typed: "12,5", changes: 1 });
  });

  test("several free numbers on one page go on together", async () => {
    const { outcome } = await ask([{ ...CLARITY, name: "fluency" }, CLARITY]);
    const [first, second] = [...display.querySelectorAll("input")] as [HTMLInputElement, HTMLInputElement];
    expect(first.id).not.toBe(second.id);
    type(first, "10");
    press(first, "Enter");
    expect(document.activeElement).toBe(second);
    type(second, "20");
    press(second, "Enter");
    const { ratings } = await outcome;
    expect([ratings.fluency?.rating, ratings.clarity?.rating]).toEqual([10, 20]);
  });

  test("a digit typed into a number answers no scale", async () => {
    await ask([CLARITY, GRAMMAR]);
    const input = find<HTMLInputElement>(display, "input[type=text]");
    input.focus();
    press(input, "4");
    expect(display.querySelector("input:checked")).toBeNull();
  });

  test("one by one, each question has a page and an onset of its own, under the same text", async () => {
    const above = document.createElement("p");
    above.textContent = "The text.";
    const { outcome, pages } = await ask([GRAMMAR, FOCUS], { layout: "one-by-one", above: [above] });
    const first = performance.now();
    press(document.body, "5");
    press(document.body, "Enter");
    await framesPass();
    expect(pages).toHaveLength(2);
    expect(display.textContent).toContain("The text.");
    expect(display.querySelectorAll("fieldset")).toHaveLength(1);
    const second = performance.now();
    press(document.body, "1", { at: second + 10 });
    press(document.body, "Enter", { at: second + 40 });
    const { ratings, submitted } = await outcome;
    // Its time runs from its own onset, which came after the first answer.
    expect(ratings.focus?.rt_ms).toBeLessThanOrEqual(submitted - first);
    expect(ratings.grammaticality?.rating).toBe(5);
  });

  test("a key that is still held down from before answers nothing", async () => {
    await ask([GRAMMAR]);
    press(document.body, "3", { repeat: true });
    expect(display.querySelector("input:checked")).toBeNull();
  });

  test("a simulation answers what it is given", async () => {
    const { outcome, pages } = await ask([GRAMMAR, EASE, CLARITY]);
    const answer = (rating: number) => ({ rating, rt_ms: 1, changes: 0, typed: null });
    pages[0]?.answer({ grammaticality: answer(2), ease: answer(33), clarity: answer(7) });
    const { ratings } = await outcome;
    expect(Object.values(ratings).map((given) => given.rating)).toEqual([2, 33, 7]);
    expect(ratings.clarity?.typed).toBe("7");
  });

  test("the page speaks German where the study does", async () => {
    await ask([{ ...CLARITY, required: false }, GRAMMAR], { language: "de" });
    expect(display.textContent).toContain("freiwillig");
    expect(display.textContent).toContain("Die Tasten 1 bis 5");
  });

  test("a refusal goes when the answer is right, though another is still missing", async () => {
    const { outcome } = await ask([CLARITY, GRAMMAR]);
    const input = find<HTMLInputElement>(display, "input[type=text]");
    find(display, "button").click();
    expect(input.getAttribute("aria-invalid")).toBe("true");
    type(input, "12");
    find(display, "button").click();
    expect(input.getAttribute("aria-invalid")).toBeNull();
    expect(find(display, ".field.number [role=alert]").textContent).toBe("");
    press(document.body, "3");
    find<HTMLInputElement>(display, "input[type=radio][value='3']").click();
    find(display, "button").click();
    expect((await outcome).ratings.clarity?.rating).toBe(12);
  });
});

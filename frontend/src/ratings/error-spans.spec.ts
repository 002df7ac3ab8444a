import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Data } from "../languages/data";
import { english } from "../languages/error-spans/english";
import Rating from "../plugins/rating";
import { find, framesPass, press, simulateTrial, startTrial } from "../plugins/trial-harness";
import type { MarkedSpan } from "./question";

const QUESTION = {
  name: "errors",
  text: "Mark the errors.",
  kind: "error-spans",
  points: 0,
  labels: ["bad", "good"],
  required: true,
  categories: ["grammar", "style"],
  score: true,
};
const WORDS = ["“One ", "two ", "three ", "four – ", "five”."];
const PAGE = {
  kind: "target",
  texts: [WORDS.join("")],
  words: WORDS,
  active: 0,
  context: "",
  questions: [QUESTION],
  layout: "together",
  index: 1,
  total: 1,
};

let display: HTMLElement;

async function start(changes: Record<string, unknown> = {}) {
  const trial = await startTrial(Rating, { ...PAGE, ...changes });
  display = trial.display;
  await framesPass(3);
  return trial;
}

const text = () => find(display, ".rated");
const word = (number: number) => display.querySelectorAll<HTMLElement>(".word")[number - 1] as HTMLElement;
const mouse = (target: Element, kind: string) =>
  target.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true, button: 0, buttons: 1 }));
const click = (selector: string) => find(display, selector).click();
const keys = (...pressed: string[]) => {
  for (const key of pressed) {
    const shiftKey = key.startsWith("Shift+");
    text().dispatchEvent(
      new KeyboardEvent("keydown", { key: key.replace("Shift+", ""), shiftKey, bubbles: true, cancelable: true }),
    );
  }
};

function draw(from: number, to: number): void {
  mouse(word(from), "mousedown");
  for (let at = from + 1; at <= to; at += 1) mouse(word(at), "mouseover");
  mouse(word(to), "mouseup");
}

function score(value: number): void {
  const slider = find<HTMLInputElement>(display, "input[type=range]");
  slider.value = String(value);
  slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

async function sent(trial: Awaited<ReturnType<typeof start>>) {
  const data = await trial.finished;
  const answer = (data.payload.ratings as Record<string, { rating: number | null; rt_ms: number; changes: number }>)
    .errors;
  const { spans } = answer as unknown as { spans: MarkedSpan[] };
  return { answer, spans, marked: spans.map((one) => [one.start_word, one.end_word, one.severity, one.category]) };
}

beforeEach(() => {
  document.documentElement.lang = "en";
});
afterEach(() => {
  document.documentElement.lang = "";
});

describe("errors in a text", () => {
  test("are marked by keys alone, and the text stays as it was", async () => {
    const trial = await start();
    expect(text().textContent).toBe(WORDS.join(""));
    expect(document.activeElement).toBe(text());
    keys("Home", "1", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "2");
    score(40);
    expect(find(display, ".marked").textContent).toBe("“One · minor errorthree four – · major error");
    click(".primary");
    const { answer, marked, spans } = await sent(trial);
    expect(marked).toEqual([
      [1, 1, "minor", null],
      [3, 4, "major", null],
    ]);
    expect(answer).toMatchObject({ rating: 40, changes: 0, typed: null });
    expect(spans.every((span) => span.at_ms >= 0)).toBe(true);
  });

  test("are marked by drawing over words, and by pressing on the first and the last", async () => {
    const trial = await start();
    draw(1, 2);
    click(".mark-as .minor");
    word(3).click();
    word(5).click();
    click(".mark-as .major");
    score(10);
    click(".primary");
    expect((await sent(trial)).marked).toEqual([
      [1, 2, "minor", null],
      [3, 5, "major", null],
    ]);
  });

  test("are changed, widened and removed", async () => {
    const trial = await start();
    keys("ArrowRight", "1", " ");
    expect(word(2).className).toContain("major");
    keys("Home", "Shift+ArrowRight", "Shift+ArrowRight", "1");
    expect([1, 2, 3].every((at) => word(at).className.includes("minor"))).toBe(true);
    keys("End", "2", "Delete");
    expect(word(5).getAttribute("aria-label")).toBeNull();
    score(70);
    click(".primary");
    const { answer, marked } = await sent(trial);
    expect(marked).toEqual([[1, 3, "minor", null]]);
    expect(answer?.changes).toBe(3);
  });

  test("do not overlap: the page says what to do and marks nothing", async () => {
    const trial = await start();
    draw(2, 3);
    click(".mark-as .minor");
    draw(3, 4);
    click(".mark-as .major");
    expect(find(display, ".mark-as [role=alert]").textContent).toBe(english.overlap);
    score(70);
    click(".primary");
    expect((await sent(trial)).marked).toEqual([[2, 3, "minor", null]]);
  });

  test("have a category that is chosen before or after the severity, and naming it is no change", async () => {
    const trial = await start();
    const select = find<HTMLSelectElement>(display, ".mark-as select");
    keys("Home", "1");
    select.value = "style";
    select.dispatchEvent(new Event("change", { bubbles: true }));
    word(4).click();
    select.value = "grammar";
    click(".mark-as .major");
    score(20);
    click(".primary");
    const { answer, marked } = await sent(trial);
    expect(marked).toEqual([
      [1, 1, "minor", "style"],
      [4, 4, "major", "grammar"],
    ]);
    expect(answer?.changes).toBe(0);
  });

  test("need the score where one is asked, and a second confirmation where there are none and no score", async () => {
    const scored = await start();
    click(".primary");
    expect(find(display, "fieldset .slider [role=alert]").textContent).not.toBe("");
    score(100);
    click(".primary");
    expect((await sent(scored)).marked).toEqual([]);

    const alone = await start({ questions: [{ ...QUESTION, score: false, labels: [], categories: [] }] });
    expect(display.querySelector("input, select")).toBeNull();
    click(".primary");
    expect(find(display, ".error-spans [role=alert]").textContent).toBe(english.none);
    click(".primary");
    const { answer, marked } = await sent(alone);
    expect(marked).toEqual([]);
    expect(answer?.rating).toBeNull();
    expect(answer?.rt_ms).toBeGreaterThanOrEqual(0);
  });

  test("are only read on the page of another question", async () => {
    const focus = { ...QUESTION, name: "focus", text: "Focus?", kind: "scale", points: 5 };
    await start({ questions: [QUESTION, focus], layout: "one-by-one" });
    expect(text().getAttribute("dir")).toBe("ltr");
    keys("Home", "1");
    score(50);
    click(".primary");
    await framesPass();
    expect(find(display, "legend").textContent).toBe("Focus?");
    expect(display.querySelector(".word, .mark-as, [role=listbox]")).toBeNull();
    expect(text().textContent).toBe(WORDS.join(""));
  });

  test("keep their category and their severity where they are widened, until another is chosen", async () => {
    const trial = await start();
    const select = find<HTMLSelectElement>(display, ".mark-as select");
    word(2).click();
    select.value = "grammar";
    click(".mark-as .major");
    keys("Home", "Shift+ArrowRight", "Shift+ArrowRight");
    expect(select.value).toBe("grammar");
    keys(" ");
    draw(4, 5);
    expect(select.value).toBe("");
    score(30);
    click(".primary");
    expect((await sent(trial)).marked).toEqual([[1, 3, "major", "grammar"]]);
  });

  test("are not marked by keys where nothing is chosen: Enter confirms the page", async () => {
    const trial = await start();
    keys("1", "2", " ");
    expect(display.querySelector(".word.minor, .word.major, [aria-selected=true]")).toBeNull();
    keys("Enter");
    expect(find(display, "fieldset .slider [role=alert]").textContent).not.toBe("");
    expect(document.activeElement).toBe(find(display, "input[type=range]"));
    score(90);
    press(document.activeElement as Element, "Enter");
    expect((await sent(trial)).marked).toEqual([]);
  });

  test("leave Enter to going on after the last was marked by mouse", async () => {
    const trial = await start();
    score(80);
    draw(2, 3);
    click(".mark-as .minor");
    expect(document.activeElement).toBe(text());
    keys("Enter");
    expect((await sent(trial)).marked).toEqual([[2, 3, "minor", null]]);
  });

  test("are none where Enter says so twice", async () => {
    const trial = await start({ questions: [{ ...QUESTION, score: false, labels: [] }] });
    keys("Enter");
    expect(find(display, ".error-spans [role=alert]").textContent).toBe(english.none);
    press(document.activeElement as Element, "Enter");
    expect((await sent(trial)).spans).toEqual([]);
  });

  test("leave digits to a scale where no words are chosen, and have no time where there is nothing", async () => {
    const focus = { ...QUESTION, name: "focus", text: "Focus?", kind: "scale", points: 5 };
    const trial = await start({ questions: [focus, { ...QUESTION, required: false, score: false, labels: [] }] });
    const checked = () => display.querySelector<HTMLInputElement>("fieldset.scale input:checked")?.value;
    keys("Home", "1", "Delete", "Home", "2");
    press(find(display, ".mark-as select"), "2");
    expect(checked()).toBeUndefined();
    keys("Delete", "2");
    expect(checked()).toBe("2");
    expect(word(1).className).not.toContain("major");
    click(".primary");
    expect((await sent(trial)).answer?.rt_ms).not.toBeNull();

    const untouched = await start({ questions: [focus, { ...QUESTION, required: false, score: false, labels: [] }] });
    keys("1");
    click(".primary");
    expect((await sent(untouched)).answer).toEqual({ rating: null, rt_ms: null, changes: 0, typed: null, spans: [] });
  });

  test("have a hint for the mouse and another for touch, one of which is shown", async () => {
    await start();
    expect(find(display, ".by-mouse").textContent).toBe(english.how);
    expect(find(display, ".by-touch").textContent).toBe(english.howByTouch);
    expect(text().getAttribute("aria-describedby")).toContain(find(display, ".by-touch").parentElement?.id);
  });

  test("can be simulated", async () => {
    const data = await simulateTrial(Rating, PAGE);
    const { errors } = data.payload.ratings as Record<string, { spans: MarkedSpan[] }>;
    let end = 0;
    for (const span of errors?.spans ?? []) {
      expect(span.start_word).toBeGreaterThan(end);
      end = span.end_word;
    }
    expect(end).toBeLessThanOrEqual(WORDS.length);
  });
});

const files = import.meta.glob<Data>("../languages/error-spans/*.json", { eager: true, import: "default" });
const whole = Object.keys(import.meta.glob("../languages/*.json")).map((path) => path.split("/").at(-1));

test("every language has all texts of error spans", () => {
  expect(Object.keys(files).map((path) => path.split("/").at(-1))).toEqual(whole);
  for (const [path, data] of Object.entries(files)) {
    expect(Object.keys(data), path).toEqual(Object.keys(english));
    for (const [key, said] of Object.entries(data)) {
      expect(String(said).includes("{1}"), `${path} ${key}`).toBe(
        typeof english[key as keyof typeof english] !== "string",
      );
      expect(said, `${path} ${key}`).not.toBe(english[key as keyof typeof english]);
      expect(String(said)).not.toContain("!");
    }
  }
});

test("the texts are those of the page's language", async () => {
  document.documentElement.lang = "de";
  await start();
  expect(find(display, ".mark-as .minor").textContent).toBe("leichter Fehler");
});

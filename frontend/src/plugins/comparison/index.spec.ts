import { describe, expect, test, vi } from "vitest";
import { find, isFinished, press, showTrial, simulateTrial } from "../trial-harness";
import Comparison from "./index";

const PAGE = {
  kind: "target",
  task: "pair",
  options: [{ text: "One <b>text</b>." }, { text: "Another text." }],
  question: "",
  context: "The source.",
  no_difference: true,
  index: 2,
  total: 12,
};
const SEVERAL = { ...PAGE, options: [{ text: "a" }, { text: "b" }, { text: "c" }], no_difference: false };

const picture = (name: string) => ({ kind: "image", url: `/media/${name}.png`, width: 320, height: 240, alt: name });
const PICTURES = {
  ...PAGE,
  options: [
    { text: "", image: picture("one") },
    { text: "", image: picture("two") },
  ],
};

// jsdom plays nothing: a sound is played where the loader has one.
const { play, stop } = vi.hoisted(() => {
  const stop = vi.fn();
  const played = () => ({ onset: () => 0, latency: null, duration: 400, ended: Promise.resolve(), stop });
  return { stop, play: vi.fn(played) };
});
vi.mock("../../media/playing", () => ({ play }));
vi.mock("../../media/loader", () => ({
  media: { sound: async (url: string) => (url.includes("broken") ? null : { url }) },
}));

const sound = (name: string, replay = true) => ({ kind: "audio", url: `/media/${name}.wav`, duration_ms: 400, replay });
const SOUNDS = {
  ...PAGE,
  options: [
    { text: "", audio: sound("one") },
    { text: "", audio: sound("two") },
  ],
};

describe("a comparison of sounds", () => {
  const players = (display: HTMLElement) => [...display.querySelectorAll<HTMLButtonElement>("button.play")];

  test("plays one at a time by its button, counts, and takes no answer before all were asked for", async () => {
    const { display, finished } = await showTrial(Comparison, SOUNDS);
    expect(find(display, "#comparison-question").textContent).toBe("Which sound is better?");
    const [first, second] = players(display);
    expect(first?.getAttribute("aria-label")).toBe("Play: Sound 1");
    expect(play).not.toHaveBeenCalled();
    press(document.body, "1");
    first?.click();
    first?.click();
    find<HTMLButtonElement>(display, ".primary").click();
    expect(find(display, ".message").textContent).toBe("Please play every sound first.");
    expect(document.activeElement).toBe(second);
    second?.click();
    expect(stop).toHaveBeenCalledTimes(2);
    find<HTMLButtonElement>(display, ".primary").click();
    expect((await finished).payload).toMatchObject({ ranks: [1, 2], plays: [2, 1] });
    expect(stop).toHaveBeenCalledTimes(3);
  });

  test("plays a sound once where the study says so", async () => {
    const options = [
      { text: "One.", audio: sound("one", false) },
      { text: "Two.", audio: sound("two", false) },
    ];
    const { display } = await showTrial(Comparison, { ...SOUNDS, options });
    expect(find(display, "#comparison-question").textContent).toBe("Which text is better?");
    const [first, second] = players(display);
    first?.click();
    expect([first?.disabled, second?.disabled]).toEqual([true, false]);
  });

  test("lets people go on where a browser cannot play a sound, and counts none", async () => {
    const options = [{ text: "", audio: sound("broken") }, SOUNDS.options[1]];
    const { display, finished } = await showTrial(Comparison, { ...SOUNDS, options });
    for (const player of players(display)) player.click();
    press(document.body, "2");
    press(document.body, "Enter");
    expect((await finished).payload).toMatchObject({ ranks: [2, 1], plays: [0, 1] });
  });

  test("speaks of sounds in the language of the study, and a simulation hears them", async () => {
    const { display } = await showTrial(Comparison, { ...SOUNDS, language: "de" });
    expect(find(display, "#comparison-question").textContent).toBe("Welcher Ton ist besser?");
    expect((await simulateTrial(Comparison, SOUNDS)).payload).toMatchObject({ plays: [1, 1] });
    expect((await simulateTrial(Comparison, PICTURES)).payload).not.toHaveProperty("plays");
  });
});

describe("a comparison of pictures", () => {
  test("shows each with its alternative text and speaks of pictures", async () => {
    const { display } = await showTrial(Comparison, PICTURES);
    const shown = [...display.querySelectorAll<HTMLImageElement>("article img.picture")];
    expect(shown.map((image) => [image.getAttribute("src"), image.alt])).toEqual([
      ["/media/one.png", "one"],
      ["/media/two.png", "two"],
    ]);
    expect(display.querySelectorAll(".compared")).toHaveLength(0);
    expect(find(display, "#comparison-question").textContent).toBe("Which picture is better?");
    expect(find(display, "article button").getAttribute("aria-label")).toBe("This one: Picture 1");
    press(document.body, "Enter");
    expect(find(display, ".message").textContent).toBe("Please choose one of the pictures.");
  });

  test("speaks of pictures in the language of the study", async () => {
    const { display } = await showTrial(Comparison, { ...PICTURES, language: "de", task: "pair" });
    expect(find(display, "#comparison-question").textContent).toBe("Welches Bild ist besser?");
  });

  test("is answered by touching a picture, by its button or by a digit", async () => {
    const { display, finished } = await showTrial(Comparison, PICTURES);
    const pressed = () =>
      [...display.querySelectorAll("article .choose")].map((button) => button.getAttribute("aria-pressed"));
    display.querySelectorAll<HTMLElement>("article img")[1]?.click();
    expect(pressed()).toEqual(["false", "true"]);
    press(document.body, "1");
    expect(pressed()).toEqual(["true", "false"]);
    find<HTMLButtonElement>(display, ".primary").click();
    expect((await finished).payload.ranks).toEqual([1, 2]);
  });

  test("asks for best and worst by buttons, as a touch would not say which", async () => {
    const options = [...PICTURES.options, { text: "", image: picture("three") }];
    const { display } = await showTrial(Comparison, {
      ...PICTURES,
      options,
      task: "best-worst",
      no_difference: false,
    });
    find(display, "article img").click();
    expect(display.querySelectorAll('[aria-pressed="true"]')).toHaveLength(0);
    expect(find(display, "#comparison-question").textContent).toBe("Which picture is the best, and which the worst?");
  });

  test("shows texts below their pictures, and then speaks of texts", async () => {
    const options = [{ text: "One.", image: picture("one") }, { text: "Two." }];
    const { display } = await showTrial(Comparison, { ...PICTURES, options });
    const [first, second] = display.querySelectorAll("article");
    expect([...(first?.querySelector(".compared-parts")?.children ?? [])].map((part) => part.tagName)).toEqual([
      "IMG",
      "P",
    ]);
    expect(second?.querySelector("img")).toBeNull();
    expect(find(display, "#comparison-question").textContent).toBe("Which text is better?");
  });
});

describe("a comparison", () => {
  test("shows the texts in their places, as text, below what they were made from", async () => {
    const { display } = await showTrial(Comparison, PAGE);
    expect([...display.querySelectorAll(".compared")].map((text) => text.textContent)).toEqual([
      "One <b>text</b>.",
      "Another text.",
    ]);
    expect(display.querySelector("b")).toBeNull();
    expect(find(display, ".rating-context").textContent).toBe("The source.");
    expect(find(display, "#comparison-question").textContent).toBe("Which text is better?");
    expect(find(display, ".where").textContent).toBe("2 of 12");
  });

  test("asks the study's own question where there is one", async () => {
    const { display } = await showTrial(Comparison, { ...PAGE, question: "Which is easier?" });
    expect(find(display, "#comparison-question").textContent).toBe("Which is easier?");
  });

  test("records the choice with the times of its events", async () => {
    const { finished } = await showTrial(Comparison, PAGE);
    const now = performance.now();
    press(document.body, "1", { at: now + 1000 });
    press(document.body, "2", { at: now + 1500 });
    press(document.body, "Enter", { at: now + 1900 });
    const data = await finished;
    const onset = data.onset_ms ?? Number.NaN;
    expect(data.payload).toEqual({
      ranks: [2, 1],
      answer_ms: now + 1500 - onset,
      changes: 1,
      layout: "stacked",
      early: 0,
    });
    expect(data.rt_ms).toBe(now + 1900 - onset);
  });

  test("takes no difference for an answer where that is offered", async () => {
    const { display, finished } = await showTrial(Comparison, PAGE);
    find<HTMLButtonElement>(display, ".no-difference").click();
    find<HTMLButtonElement>(display, ".primary").click();
    expect((await finished).payload.ranks).toEqual([1, 1]);
  });

  test("does not offer it otherwise", async () => {
    const started = await showTrial(Comparison, { ...PAGE, no_difference: false });
    expect(started.display.querySelector(".no-difference")).toBeNull();
    press(document.body, "0");
    press(document.body, "Enter");
    expect(find(started.display, ".message").textContent).toBe("Please choose one of the texts.");
    expect(await isFinished(started)).toBe(false);
  });

  test("of best and worst is answered by buttons that say of which text they are", async () => {
    const { display, finished } = await showTrial(Comparison, { ...SEVERAL, task: "best-worst" });
    const named = (name: string) => find<HTMLButtonElement>(display, `button[aria-label="${name}"]`);
    named("Worst: Text 1").click();
    named("Best: Text 3").click();
    expect(named("Best: Text 3").getAttribute("aria-pressed")).toBe("true");
    expect(named("Best: Text 1").getAttribute("aria-pressed")).toBe("false");
    find<HTMLButtonElement>(display, ".primary").click();
    expect((await finished).payload.ranks).toEqual([3, 2, 1]);
  });

  test("of an order counts up as texts are chosen", async () => {
    const { display, finished } = await showTrial(Comparison, { ...SEVERAL, task: "ranking" });
    const labels = () => [...display.querySelectorAll("article .choose")].map((button) => button.textContent);
    expect(labels()).toEqual(["Choose as number 1", "Choose as number 1", "Choose as number 1"]);
    press(document.body, "2");
    expect(labels()).toEqual(["Choose as number 2", "Number 1", "Choose as number 2"]);
    press(document.body, "3");
    expect(labels()).toEqual(["Number 3", "Number 1", "Number 2"]);
    press(document.body, "Enter");
    expect((await finished).payload.ranks).toEqual([3, 1, 2]);
  });

  test("can be simulated in every task", async () => {
    const pair = await simulateTrial(Comparison, { ...PAGE, no_difference: false });
    expect([...(pair.payload.ranks as number[])].sort()).toEqual([1, 2]);
    const extremes = await simulateTrial(Comparison, { ...SEVERAL, task: "best-worst" });
    expect([...(extremes.payload.ranks as number[])].sort()).toEqual([1, 2, 3]);
    const order = await simulateTrial(Comparison, { ...SEVERAL, task: "ranking" });
    expect([...(order.payload.ranks as number[])].sort()).toEqual([1, 2, 3]);
  });
});

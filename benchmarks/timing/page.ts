/**
 * The measuring page. It runs the platform's trials and the peer's under one jsPsych, marks in the browser's trace when
 * something is drawn, and hands over what each system recorded. `run.py` presses the keys and reads the trace.
 */

import HtmlKeyboardResponse from "@jspsych/plugin-html-keyboard-response";
import { initJsPsych } from "jspsych";
import { clock } from "../../frontend/src/timing/clock";
import "../../frontend/src/languages/en";
import MagnitudeEstimation from "../../frontend/src/plugins/magnitude-estimation";
import SentenceRecall from "../../frontend/src/plugins/sentence-recall";
import "../../frontend/src/page/styles.css";

type System = "lectern" | "jspsych";

interface ReactionRecord {
  readonly mark: string;
  readonly rt_ms: number;
  readonly onset_ms: number | null;
  readonly clock: string;
  /** Time stamp of the event that answered. */
  readonly response_ms: number;
}

interface DisplayRecord {
  readonly mark: string;
  readonly intended_ms: number;
  readonly reported_ms: number | null;
  readonly flagged: boolean;
}

declare global {
  interface Window {
    /** Presses a digit and then Enter after random pauses; supplied by run.py. */
    pressKeys: () => Promise<void>;
    timing: {
      reactionTimes: (options: { system: System; busy: boolean; trials: number }) => Promise<ReactionRecord[]>;
      displays: (options: { system: System; durations: number[] }) => Promise<DisplayRecord[]>;
      recallDisplays: (options: {
        system: System;
        sentences: number[];
        wordByWord: boolean;
      }) => Promise<DisplayRecord[]>;
    };
  }
}

const SENTENCE = "The harvest failed because the rain came late.";
const BLOCKED = 45;
const FREE = 52;
const GAP = 150;
const MS_PER_WORD = 500;

let block = 0;

function newDisplay(): HTMLElement {
  const display = document.createElement("div");
  document.getElementById("root")?.replaceChildren(display);
  return display;
}

/** Marks the trace whenever a stimulus comes onto the page or leaves it; both systems are watched in the same way. */
function watch(display: HTMLElement, selector: string, changed: (isThere: boolean) => void): () => void {
  let wasThere = false;
  const observer = new MutationObserver(() => {
    const isThere = display.querySelector(selector) !== null;
    if (isThere !== wasThere) changed(isThere);
    wasThere = isThere;
  });
  observer.observe(display, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Blocks the main thread for 45 of every 97 ms. */
function keepBusy(): () => void {
  let running = true;
  const work = () => {
    const end = performance.now() + BLOCKED;
    while (performance.now() < end);
    if (running) setTimeout(work, FREE);
  };
  work();
  return () => {
    running = false;
  };
}

async function reactionTimes(options: { system: System; busy: boolean; trials: number }): Promise<ReactionRecord[]> {
  const { system, trials } = options;
  const records: ReactionRecord[] = [];
  const display = newDisplay();
  const name = `rt-${system}-${block++}`;
  let trial = -1;
  let entered = Number.NaN;
  const noteEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter") entered = event.timeStamp;
  };
  window.addEventListener("keydown", noteEnter, { capture: true });
  const selector = system === "lectern" ? ".stimulus" : "#jspsych-html-keyboard-response-stimulus";
  const unwatch = watch(display, selector, (isThere) => {
    if (!isThere) return;
    trial += 1;
    performance.mark(`${name}-${trial}`);
    void window.pressKeys();
  });
  clock.prime();
  const stopWork = options.busy ? keepBusy() : () => {};
  const jsPsych = initJsPsych({ display_element: display, use_webaudio: false });
  const finished = (data: Record<string, unknown>) => {
    records.push({
      mark: `${name}-${trial}`,
      rt_ms: Number(system === "lectern" ? data.rt_ms : data.rt),
      onset_ms: typeof data.onset_ms === "number" ? data.onset_ms : null,
      clock: String(data.clock ?? "performance.now"),
      response_ms: entered,
    });
  };
  const common = { on_finish: finished, post_trial_gap: GAP };
  const ours = {
    type: MagnitudeEstimation,
    kind: "target",
    text: SENTENCE,
    modulus_text: "The meeting was moved because of that.",
    carried: { modulus_number: 10 },
  };
  const theirs = { type: HtmlKeyboardResponse, stimulus: `<p>${SENTENCE}</p>`, choices: ["Enter"] };
  await jsPsych.run(Array.from({ length: trials }, () => ({ ...(system === "lectern" ? ours : theirs), ...common })));
  stopWork();
  unwatch();
  window.removeEventListener("keydown", noteEnter, { capture: true });
  return records;
}

async function displays(options: { system: System; durations: number[] }): Promise<DisplayRecord[]> {
  const { system, durations } = options;
  const display = newDisplay();
  const name = `display-${system}-${block++}`;
  let trial = -1;
  const unwatch = watch(display, ".shown", (isThere) => {
    if (isThere) trial += 1;
    performance.mark(`${name}-${trial}-${isThere ? "on" : "off"}`);
  });
  // Gaps that are no multiple of a frame, so that no display starts at a favoured moment.
  const gap = () => 180 + 40 * Math.random();
  const records: DisplayRecord[] = [];
  const record = (intended: number, reported: number | null, flagged: boolean) =>
    records.push({ mark: `${name}-${trial}`, intended_ms: intended, reported_ms: reported, flagged });
  if (system === "lectern") {
    for (const duration of durations) {
      const shown = document.createElement("p");
      shown.className = "shown stimulus";
      shown.textContent = SENTENCE;
      const timed = await clock.display({
        draw: () => display.replaceChildren(shown),
        stimulus: shown,
        duration,
        clear: () => display.replaceChildren(),
      });
      record(duration, timed.measured_ms, timed.flagged);
      await new Promise((resolve) => setTimeout(resolve, gap()));
    }
  } else {
    const timeline = durations.map((duration) => ({
      type: HtmlKeyboardResponse,
      stimulus: `<p class="shown stimulus">${SENTENCE}</p>`,
      choices: "NO_KEYS",
      trial_duration: duration,
      post_trial_gap: gap(),
      on_finish: () => record(duration, null, false),
    }));
    await initJsPsych({ display_element: display, use_webaudio: false }).run(timeline);
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  unwatch();
  return records;
}

/** Marks the trace whenever another element is the stimulus, or none: each of them is one display. */
function watchEach(display: HTMLElement, selector: string, name: string): () => void {
  let current: Element | null = null;
  let count = -1;
  const observer = new MutationObserver(() => {
    const found = display.querySelector(selector);
    if (found === current) return;
    if (current !== null) performance.mark(`${name}-${count}-off`);
    if (found !== null) {
      count += 1;
      performance.mark(`${name}-${count}-on`);
    }
    current = found;
  });
  observer.observe(display, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Sentences of so many words, shown whole or word by word by the trial of the platform, and by plain jsPsych. */
async function recallDisplays(options: {
  system: System;
  sentences: number[];
  wordByWord: boolean;
}): Promise<DisplayRecord[]> {
  const { system, sentences, wordByWord } = options;
  const display = newDisplay();
  const name = `recall-${system}-${block++}`;
  const unwatch = watchEach(display, ".recall-sentence, .shown", name);
  const records: DisplayRecord[] = [];
  const record = (intended: number, reported: number | null, flagged: boolean) =>
    records.push({ mark: `${name}-${records.length}`, intended_ms: intended, reported_ms: reported, flagged });
  const jsPsych = initJsPsych({ display_element: display, use_webaudio: false });
  const words = SENTENCE.split(" ");
  const gap = () => 180 + 40 * Math.random();
  if (system === "lectern") {
    clock.prime();
    // Nobody recalls anything here: the box is answered as soon as it is there.
    const answering = new MutationObserver(() => {
      const box = display.querySelector<HTMLTextAreaElement>("#recall:not([readonly])");
      if (box === null || box.value !== "") return;
      box.value = "x";
      setTimeout(() => display.querySelector<HTMLButtonElement>(".recall button")?.click(), 50);
    });
    answering.observe(display, { childList: true, subtree: true });
    await jsPsych.run(
      sentences.map((count) => ({
        type: SentenceRecall,
        text: words.slice(0, count).join(" "),
        words: count,
        presentation: wordByWord ? "word-by-word" : "whole",
        ms_per_word: MS_PER_WORD,
        display_ms: count * MS_PER_WORD,
        segments: wordByWord ? words.slice(0, count) : [],
        fixation_ms: 200,
        blank_ms: 100,
        post_trial_gap: gap(),
        on_finish: (data: {
          payload: { displays: { intended_ms: number; measured_ms: number; flagged: boolean }[] };
        }) => {
          for (const shown of data.payload.displays) record(shown.intended_ms, shown.measured_ms, shown.flagged);
        },
      })),
    );
    answering.disconnect();
  } else {
    const shown = sentences.flatMap((count) => {
      const texts = wordByWord ? words.slice(0, count) : [words.slice(0, count).join(" ")];
      const duration = wordByWord ? MS_PER_WORD : count * MS_PER_WORD;
      return texts.map((text, index) => ({
        type: HtmlKeyboardResponse,
        stimulus: `<p class="shown">${text}</p>`,
        choices: "NO_KEYS",
        trial_duration: duration,
        post_trial_gap: index === texts.length - 1 ? gap() : 0,
        on_finish: () => record(duration, null, false),
      }));
    });
    await jsPsych.run(shown);
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  unwatch();
  return records;
}

window.timing = { reactionTimes, displays, recallDisplays };

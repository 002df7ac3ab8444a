/** One text from the first page of its trial to the last: the device, the reading, ratings and a question. */

import type { JsPsych } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { buttonSaying, element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import { askRatings } from "../../ratings";
import { simulatedRatings } from "../../ratings/simulated";
import type { TrialData } from "../../server/contract";
import { clock, type Onset } from "../../timing/clock";
import { onsetData } from "../plugin";
import { askChoices } from "./choices";
import { Desk, modeOfPress } from "./desk";
import { ableToRead, devicesFor } from "./devices";
import { fontFor } from "./measure";
import { type HandName, type ReadingMessages, readingMessagesIn } from "./messages";
import type { Mode, ReadingParams } from "./params";
import { batchesOf } from "./path";
import { type DeviceAnswer, payloadOf, type QuestionAnswer } from "./payload";
import { Reading } from "./reading";
import { simulatedReading, simulatedVisits } from "./simulated";
import "./style.css";

// The letters that most texts are made of come with the plugin, so that they are there if the connection is lost later.
void fontFor("a");

/** Those who began one text with the keyboard find the focus where they need it for the next. */
let usualMode: Mode | null = null;

/** The plugin on whose behalf a text is shown. */
export interface ShownBy {
  readonly jsPsych: JsPsych;
  readonly simulated: boolean;
  /** Has a simulation answer on the page, some frames after it has come up. */
  answerIfSimulated(answer: () => void): Promise<void>;
}

export class TextTrial {
  constructor(private readonly by: ShownBy) {}

  async show(display: HTMLElement, trial: ReadingParams, onLoad?: () => void): Promise<TrialData> {
    const texts = readingMessagesIn(trial.language);
    const fontLoaded = await fontFor(trial.areas.map((area) => area.text).join(" "));
    if (!this.by.simulated) await ableToRead(trial.modes, () => showRefusal(display, texts));
    const device = trial.ask_device ? await this.askDevice(display, trial, texts) : null;
    if (trial.full_screen && !this.by.simulated) await offerFullScreen(display, texts);
    const desk = new Desk(trial, texts);
    const pressed = pressOf(desk, trial.modes); // from the first frame on, so that no early press is lost
    // Whatever hangs on the width of the window is settled before the text is measured.
    const drawn = await clock.show({ draw: () => display.replaceChildren(desk.element), stimulus: null });
    await drawn.onset({ before: Number.POSITIVE_INFINITY });
    window.scrollTo(0, 0);
    const reading = new Reading(desk, trial);
    if (usualMode === "keyboard" && trial.modes.includes("keyboard")) desk.start.focus({ preventScroll: true });
    onLoad?.();
    const { mode, onset } = await this.start(desk, reading, trial, pressed);
    const outcome = await reading.finished;
    const asked = await this.askAfterwards(display, trial, texts);
    const { ratings, question } = asked;
    const told = { mode, onset: onset.time, fontLoaded, device, frameInterval: clock.frameInterval, ratings, question };
    const payload = payloadOf(outcome, told);
    const events = trial.record_path ? batchesOf(outcome.record.events(onset.time)) : [];
    const finished = payload.finished_ms as number;
    const outOfView = outcome.outOfView.length + asked.outOfView;
    return { payload, rt_ms: finished, ...onsetData(onset, outOfView), events };
  }

  /** Resolves when reading has begun. */
  private async start(
    desk: Desk,
    reading: Reading,
    trial: ReadingParams,
    pressed: Promise<Mode>,
  ): Promise<{ mode: Mode; onset: Onset }> {
    void this.by.answerIfSimulated(() => desk.start.click());
    const mode = this.by.simulated ? (trial.modes[0] ?? "pointer") : await pressed;
    usualMode = mode;
    // Areas open from the very frame that says so.
    const begin = () => reading.begin(mode, performance.now());
    const showing = await clock.show({ draw: begin, stimulus: null });
    const onset = await showing.onset({ before: Number.POSITIVE_INFINITY });
    void this.readIfSimulated(desk, reading, trial);
    return { mode, onset };
  }

  private async askDevice(display: HTMLElement, trial: ReadingParams, texts: ReadingMessages): Promise<DeviceAnswer> {
    const devices = devicesFor(trial.modes);
    const hands = Object.keys(texts.hands) as HandName[];
    const page = {
      heading: texts.deviceHeading,
      text: texts.deviceText,
      questions: [
        { prompt: texts.deviceQuestion, choices: devices.map((device) => texts.devices[device]) },
        { prompt: texts.handQuestion, choices: Object.values(texts.hands) },
      ],
      button: messagesIn(trial.language).next,
      pleaseChoose: texts.pleaseChoose,
    };
    const { chosen } = await askChoices(display, page, (choose) => {
      void this.by.answerIfSimulated(() => choose([0, 0]));
    });
    return { device: devices[chosen[0] ?? 0] ?? "other", hand: hands[chosen[1] ?? 0] ?? "undisclosed" };
  }

  private async askAfterwards(display: HTMLElement, trial: ReadingParams, texts: ReadingMessages) {
    const { ratings: questions, language, question } = trial;
    const name = "reading";
    const onPage: Parameters<typeof askRatings>[0]["onPage"] = (page) => {
      void this.by.answerIfSimulated(() => page.answer(simulatedRatings(page.questions, this.by.jsPsych)));
    };
    const asked = { display, questions, language, layout: "one-by-one", name, onPage } as const;
    const rated = questions.length > 0 ? await askRatings(asked) : null;
    const ratings = rated?.ratings ?? {};
    const ratedOutOfView = rated?.outOfView ?? 0;
    if (question === null) return { ratings, question: null, outOfView: ratedOutOfView };
    if (question.keys || question.deadline_ms || question.feedback) {
      const { askQuestion, questionPayload } = await import("../text-question");
      const simulate = (answer: () => void) => void this.by.answerIfSimulated(answer);
      const by = { name: "reading-question", hint: () => "", simulate, language, check: trial.check } as const;
      const outcome = await askQuestion(display, question, by);
      const outOfView = ratedOutOfView + (outcome?.outOfView ?? 0);
      return { ratings, question: questionPayload(outcome), outOfView };
    }
    const page = {
      heading: texts.questionHeading,
      text: "",
      questions: [question],
      button: messagesIn(language).submit,
      pleaseChoose: texts.pleaseChoose,
    };
    const outcome = await askChoices(display, page, (choose) => {
      void this.by.answerIfSimulated(() => choose([this.simulatedChoice(trial)]));
    });
    const rt_ms = Math.max(0, outcome.submitted - outcome.onset.time);
    const given = { choice: outcome.chosen[0] ?? 0, rt_ms } satisfies QuestionAnswer;
    return { ratings, question: given, outOfView: ratedOutOfView + outcome.outOfView };
  }

  /** Moves over the text as a participant would, faster, and presses Done. */
  private async readIfSimulated(desk: Desk, reading: Reading, trial: ReadingParams): Promise<void> {
    if (!this.by.simulated) return;
    for (const { aoi } of simulatedVisits(trial, this.by.jsPsych)) {
      const time = await clock.nextFrame();
      if (desk.cover.text.tabIndex === 0) reading.choose(aoi, time);
      else reading.visit(aoi, time);
      for (let frame = 0; frame < 3; frame += 1) await clock.nextFrame();
    }
    desk.done.click();
  }

  /** What a participant might have read and answered. */
  simulatedData(trial: ReadingParams): Pick<TrialData, "payload" | "rt_ms"> {
    const outcome = simulatedReading(trial, this.by.jsPsych);
    const payload = payloadOf(outcome, {
      mode: trial.modes[0] ?? "pointer",
      onset: 0,
      fontLoaded: true,
      frameInterval: 1000 / 60,
      device: trial.ask_device ? { device: "mouse", hand: "right" } : null,
      ratings: simulatedRatings(trial.ratings, this.by.jsPsych),
      question: trial.question === null ? null : { choice: this.simulatedChoice(trial), rt_ms: 1800 },
    });
    return { payload, rt_ms: payload.finished_ms as number };
  }

  private simulatedChoice(trial: ReadingParams): number {
    return this.by.jsPsych.randomization.randomInt(0, Math.max(0, (trial.question?.choices.length ?? 1) - 1));
  }
}

/** Resolves with the way of reading once Start was pressed in a way that the study allows. */
function pressOf(desk: Desk, modes: readonly Mode[]): Promise<Mode> {
  let last: { type: string; time: number } | null = null;
  desk.start.addEventListener("pointerdown", (event) => {
    last = { type: event.pointerType, time: event.timeStamp };
  });
  return new Promise((resolve) => {
    desk.start.addEventListener("click", (event) => {
      const mode = modeOfPress(event, last);
      if (modes.includes(mode)) resolve(mode);
      else desk.show(`refused-${mode}`);
    });
  });
}

function showRefusal(display: HTMLElement, texts: ReadingMessages): void {
  const heading = element("h2", { tabindex: "-1" }, texts.refusedHeading);
  const content = [heading, element("p", { role: "alert" }, texts.refusedText)];
  display.replaceChildren(sheet({ name: "reading-refused", content, actions: [] }));
  heading.focus({ preventScroll: true });
}

/** Goes on without where the browser does not give the whole screen. */
async function offerFullScreen(display: HTMLElement, texts: ReadingMessages): Promise<void> {
  if (!document.fullscreenEnabled || document.fullscreenElement !== null) return;
  const button = buttonSaying(texts.fullScreenButton);
  const heading = element("h2", { tabindex: "-1" }, texts.fullScreenHeading);
  const content = [heading, element("p", {}, texts.fullScreenText)];
  display.replaceChildren(sheet({ name: "reading-full-screen", content, actions: [button] }));
  heading.focus({ preventScroll: true });
  await new Promise<void>((resolve) => {
    button.addEventListener("click", () => resolve(), { once: true });
  });
  try {
    await document.documentElement.requestFullscreen();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
  }
}

import { type JsPsychPlugin, ParameterType } from "jspsych";
import { mediaOf, prepareMedia, simulatedMedia, type TrialMedia } from "../../page/media";
import type { TrialData } from "../../server/contract";
import { clock } from "../../timing/clock";
import { onsetData, PLACE, type Shown, TimedPlugin, TRIAL_DATA } from "../plugin";
import { choiceMessagesIn } from "./messages";
import { ChoicePage } from "./page";
import type { ChoiceParams, PlannedDisplay } from "./params";
import { present } from "./presentation";
import { type Press, Presses } from "./presses";
import "./style.css";

const info = {
  name: "timed-choice",
  version: "1.0.0",
  parameters: {
    text: { type: ParameterType.STRING, default: "" },
    /** What has a duration, in order: kind, text, ms, and image, audio or video where it is a file. */
    displays: { type: ParameterType.COMPLEX, array: true, default: [] },
    /** Whether the target stays until the answer; else it is among the displays. */
    stays: { type: ParameterType.BOOL, default: true },
    with_text: { type: ParameterType.BOOL, default: true },
    /** url, width, height, alt. */
    image: { type: ParameterType.OBJECT, default: null },
    /** url, duration_ms. */
    audio: { type: ParameterType.OBJECT, default: null },
    /** url, width, height, duration_ms, muted. */
    video: { type: ParameterType.OBJECT, default: null },
    prompt: { type: ParameterType.STRING, default: "" },
    /** By their places from the left: name, label, key. */
    answers: { type: ParameterType.COMPLEX, array: true, default: undefined },
    /** "keys", "buttons" or "both". */
    respond_with: { type: ParameterType.STRING, default: "both" },
    /** "onset" or "end" of the target. */
    timed_from: { type: ParameterType.STRING, default: "onset" },
    /** Null where there is none. */
    deadline_ms: { type: ParameterType.INT, default: null },
    /** Whether pressing nothing until the deadline may be right. */
    withheld: { type: ParameterType.BOOL, default: false },
    iti_ms: { type: ParameterType.INT, default: 500 },
    feedback: { type: ParameterType.BOOL, default: false },
    feedback_ms: { type: ParameterType.INT, default: 700 },
    error_pause_ms: { type: ParameterType.INT, default: 0 },
    ...PLACE,
    /** Asks the server about an answer. */
    check: { type: ParameterType.FUNCTION, default: () => Promise.resolve(null) },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/** Nobody waits longer than this for feedback. */
const PATIENCE = 1500;
/** Asks whether it was right to press nothing. */
const NOTHING_PRESSED = -1;
/** How often a page that was taken away looks whether it is back. */
const LOOK_AGAIN = 500;

/**
 * **timed-choice**
 *
 * Displays in turn, then an answer by key, button or touch before a deadline. `onset_ms` is the onset of the target; `rt_ms`
 * runs from there, or from the end of the target, to the answer, and is null where none came.
 */
export default class TimedChoice extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;
  static readonly prepare = prepareMedia;

  override async trial(display: HTMLElement, shown: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const trial = shown as unknown as ChoiceParams;
    const page = new ChoicePage(trial);
    const media = mediaOf(trial);
    const before = trial.displays.map((planned) => mediaOfDisplay(planned, trial.language));
    await Promise.all([media, ...before].map((each) => each?.prepare()));
    const presses = new Presses(page.element, trial.answers, {
      keys: trial.respond_with !== "buttons",
      buttons: page.buttons,
    });
    const draw = () => {
      display.replaceChildren(page.element);
      window.scrollTo(0, 0);
    };
    // Where everything is shown is in the window before anything is.
    await clock.show({ draw, stimulus: null, whole: [...page.buttons, page.spot] });
    onLoad?.();
    await passed(trial.iti_ms);
    let deadline: ReturnType<typeof setTimeout> | null = null;
    const begin = () => {
      presses.open();
      // What is drawn now is seen about a frame later.
      const after = trial.deadline_ms === null ? null : trial.deadline_ms + clock.frameInterval;
      if (after !== null) deadline = setTimeout(() => presses.close(), after);
      void this.answerIfSimulated(() => pressSome(trial, page));
    };
    const presented = await present(page, trial, { media, before, begin });
    const press = await presses.answerTo(presented);
    if (deadline !== null) clearTimeout(deadline);
    presented.end();
    const { onset, reference, records, outOfView } = await presented.known(press?.time ?? Number.POSITIVE_INFINITY);
    const played = trial.displays.map(({ audio, video }, place) =>
      (audio ?? video) ? { played_ms: before[place]?.played?.onset() ?? null } : {},
    );
    const ofMedia = media.payload(onset.time);
    await isBack(page.element);
    await this.tell(trial, page, press);
    const rt_ms = press === null ? null : Math.max(0, press.time - reference);
    return {
      payload: {
        displays: records.map(({ onset: _onset, ...record }, place) => ({ ...record, ...played[place] })),
        answer: press?.place ?? null,
        by: press?.by ?? null,
        rt_ms,
        timed_out: press === null,
        early: presses.early,
        ...ofMedia,
      },
      rt_ms,
      ...onsetData(onset, outOfView),
    };
  }

  /** Feedback where the trial has it, and a pause after errors; the server alone knows what is right. */
  private async tell(trial: ChoiceParams, page: ChoicePage, press: Press | null): Promise<void> {
    if (!trial.feedback && trial.error_pause_ms === 0) return;
    const texts = choiceMessagesIn(trial.language);
    const isRight = press === null && !trial.withheld ? false : await rightOf(trial, press);
    if (isRight === null) return;
    if (trial.feedback) {
      const verdict = isRight ? texts.right : press === null ? texts.tooLate : texts.wrong;
      page.say(isRight ? "right" : "wrong", verdict);
    }
    await passed((trial.feedback ? trial.feedback_ms : 0) + (isRight ? 0 : trial.error_pause_ms));
  }

  protected override simulatedData(shown: Shown<Info>) {
    const trial = shown as unknown as ChoiceParams;
    const chance = this.jsPsych.randomization;
    const time = chance.sampleExGaussian(550, 90, 1 / 120, true);
    const rt_ms = trial.deadline_ms === null ? time : Math.min(time, trial.deadline_ms);
    let onset_ms = 0;
    const frame_interval_ms = 1000 / 60;
    const displays = trial.displays.map(({ ms }) => {
      const record = {
        intended_ms: ms,
        onset_ms,
        offset_ms: onset_ms + ms,
        shown_ms: onset_ms,
        gone_ms: onset_ms + ms,
        measured_ms: ms,
        dropped_frames: 0,
        late_frames: null,
        frame_interval_ms,
        doubtful: false,
        flagged: false,
      };
      onset_ms += ms;
      return record;
    });
    const answer = chance.randomInt(trial.withheld ? NOTHING_PRESSED : 0, trial.answers.length - 1);
    if (answer === NOTHING_PRESSED) {
      return { payload: { displays, answer: null, by: null, rt_ms: null, timed_out: true, early: 0 }, rt_ms: null };
    }
    const by = trial.respond_with === "buttons" ? "button" : "key";
    const payload = { displays, answer, by, rt_ms, timed_out: false, early: 0, ...simulatedMedia(trial) };
    return { payload, rt_ms };
  }
}

/** Picture, sound or video of a display before the target; null where it is a text. */
function mediaOfDisplay({ image, audio, video }: PlannedDisplay, language: string): TrialMedia | null {
  return (image ?? audio ?? video) ? mediaOf({ image, audio, video, language }) : null;
}

/** Answers as a participant might. For simulations on the page. */
function pressSome(trial: ChoiceParams, page: ChoicePage): void {
  const place = Math.floor(Math.random() * (trial.answers.length + (trial.withheld ? 1 : 0)));
  if (place === trial.answers.length) return;
  const button = page.buttons[place];
  const key = trial.answers[place]?.key ?? "";
  if (button !== undefined) button.click();
  else document.dispatchEvent(new KeyboardEvent("keydown", { key: key === "space" ? " " : key, bubbles: true }));
}

async function rightOf(trial: ChoiceParams, press: Press | null): Promise<boolean | null> {
  const nothing = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), PATIENCE);
  });
  const answer = await Promise.race([trial.check({ problem: 0, answer: press?.place ?? NOTHING_PRESSED }), nothing]);
  return typeof answer?.correct === "boolean" ? answer.correct : null;
}

/** Resolves in the first frame after this many milliseconds. */
async function passed(milliseconds: number): Promise<void> {
  if (milliseconds <= 0) return;
  const end = performance.now() + milliseconds;
  while ((await clock.nextFrame()) < end - clock.frameInterval / 2);
}

/**
 * A trial whose time ran out while its page was taken away goes on when the page is back. One that is skipped in a preview
 * never comes back, and must not be recorded.
 */
async function isBack(page: HTMLElement): Promise<void> {
  while (!page.isConnected) {
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_AGAIN);
    });
  }
}

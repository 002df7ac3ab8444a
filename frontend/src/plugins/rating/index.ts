import { type JsPsychPlugin, ParameterType } from "jspsych";
import { messagesIn } from "../../languages/messages";
import { element } from "../../page/blocks";
import {
  askRatings,
  type RatingQuestion,
  type RatingsOptions,
  simulatedRatings,
  simulatedRatingsMs,
} from "../../ratings";
import type { TrialData } from "../../server/contract";
import { onsetData, type Shown, TimedPlugin, TRIAL_DATA } from "../plugin";
import { ratingPageMessagesIn } from "./messages";

const info = {
  name: "rating",
  version: "1.0.0",
  parameters: {
    /** "practice" or "target". */
    kind: { type: ParameterType.STRING, default: "target" },
    /** The texts of the page in their places, and which of them is rated in this trial. */
    texts: { type: ParameterType.STRING, array: true, default: undefined },
    active: { type: ParameterType.INT, default: 0 },
    /** What stands above the texts; may be empty. */
    context: { type: ParameterType.STRING, default: "" },
    questions: { type: ParameterType.COMPLEX, array: true, default: undefined },
    layout: { type: ParameterType.STRING, default: "together" },
    /** Number of the page, not of the text. */
    index: { type: ParameterType.INT, default: 1 },
    total: { type: ParameterType.INT, default: 1 },
    language: { type: ParameterType.STRING, default: "en" },
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * **rating**
 *
 * Questions about one text. Texts of one page that are rated in turn are all there in every trial, at the same places;
 * the one to be rated is marked. `rt_ms` runs from the onset of the text to the last confirmation.
 */
export default class Rating extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const questions = trial.questions as readonly RatingQuestion[];
    const { above, article, stimulus } = textsOf(trial);
    let begun = false;
    const outcome = await askRatings({
      display,
      questions,
      language: trial.language,
      layout: trial.layout as RatingsOptions["layout"],
      name: (trial.texts as readonly string[]).length > 1 ? "rating several" : "rating",
      above,
      stimulus,
      onPage: (page) => {
        if (!begun) {
          begun = true;
          // Read out at once; the digits answer wherever the focus is.
          if (!display.contains(document.activeElement)) article.focus({ preventScroll: true });
          onLoad?.();
        }
        void this.answerIfSimulated(() => page.answer(simulatedRatings(page.questions, this.jsPsych)));
      },
    });
    return {
      payload: { ratings: outcome.ratings },
      rt_ms: outcome.submitted - outcome.onset.time,
      ...onsetData(outcome.onset),
    };
  }

  protected override simulatedData(trial: Shown<Info>) {
    const ratings = simulatedRatings(trial.questions as readonly RatingQuestion[], this.jsPsych);
    return { payload: { ratings }, rt_ms: simulatedRatingsMs(ratings) };
  }
}

function textsOf(trial: Shown<Info>) {
  const messages = messagesIn(trial.language);
  const own = ratingPageMessagesIn(trial.language);
  const texts = trial.texts as readonly string[];
  const practice = trial.kind === "practice" ? `${messages.practice} · ` : "";
  const where = element("p", { class: "label where" }, `${practice}${messages.trialOf(trial.index, trial.total)}`);
  const context = trial.context ? [element("p", { class: "rating-context" }, trial.context)] : [];
  const paragraphs = texts.map((text) => element("p", { class: "rated" }, text));
  const articles = paragraphs.map((paragraph, place) => {
    if (texts.length === 1) return element("article", { tabindex: "-1", "aria-label": own.theText }, paragraph);
    const active = place === trial.active;
    const name = own.textNamed(String.fromCharCode(65 + place));
    const mark = active ? [element("span", { class: "quiet" }, ` · ${own.ratedNow}`)] : [];
    return element(
      "article",
      { tabindex: "-1", class: active ? "active" : "" },
      element("h2", { class: "text-name" }, name, ...mark),
      paragraph,
    );
  });
  const stimulus = paragraphs[trial.active];
  const article = articles[trial.active];
  if (stimulus === undefined || article === undefined) throw new Error(`This page has no text ${trial.active + 1}.`);
  const shown = element("div", { class: "rated-texts" }, ...articles);
  return { above: [where, ...context, shown], article, stimulus };
}

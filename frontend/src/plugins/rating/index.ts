import { type JsPsychPlugin, ParameterType } from "jspsych";
import { element } from "../../page/blocks";
import { type ImageParam, mediaOf, picture, prepareMedia, simulatedMedia } from "../../page/media";
import { askRatings, type RatingPage, type RatingQuestion, type RatingsOptions } from "../../ratings";
import type { ErrorSpansMaker } from "../../ratings/error-spans";
import type { TrialData } from "../../server/contract";
import { onsetData, PLACE, type Shown, TimedPlugin, TRIAL_DATA, whereLine } from "../plugin";
import { ratingPageMessagesIn } from "./messages";

const info = {
  name: "rating",
  version: "1.0.0",
  parameters: {
    /** The texts of the page in their places, and which of them is rated in this trial. */
    texts: { type: ParameterType.STRING, array: true, default: undefined },
    active: { type: ParameterType.INT, default: 0 },
    /** The heading above the texts; may be empty. */
    context: { type: ParameterType.STRING, default: "" },
    /** The pictures of the texts in their places, null where one has none; and sound and video of the rated one. */
    images: { type: ParameterType.COMPLEX, array: true, default: [] },
    audio: { type: ParameterType.COMPLEX, default: null },
    video: { type: ParameterType.COMPLEX, default: null },
    questions: { type: ParameterType.COMPLEX, array: true, default: undefined },
    /** Where errors are marked: the words of the rated text, which joined are the text. */
    words: { type: ParameterType.STRING, array: true, default: [] },
    layout: { type: ParameterType.STRING, default: "together" },
    /** The place of the page, not of the text. */
    ...PLACE,
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

let makerFor: ErrorSpansMaker | undefined;

/**
 * **rating**
 *
 * Questions about one text. Texts of one page that are rated in turn are all there in every trial, at the same places;
 * the one to be rated is marked. `rt_ms` runs from the onset of the text to the last confirmation.
 */
export default class Rating extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  static async prepare(params: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    await prepareMedia(params);
    if (params.some((trial) => "words" in trial)) makerFor = await (await import("../../ratings/error-spans")).load();
  }

  override async trial(display: HTMLElement, trial: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    const questions = trial.questions as readonly RatingQuestion[];
    const { above, article, stimulus, media, paragraph } = textsOf(trial);
    const words = trial.words as readonly string[] | undefined;
    await media.prepare();
    let begun = false;
    const outcome = await askRatings({
      display,
      questions,
      language: trial.language,
      layout: trial.layout as RatingsOptions["layout"],
      name: (trial.texts as readonly string[]).length > 1 ? "rating several" : "rating",
      above,
      stimulus,
      judged: [article],
      drawing: (draw) => media.drawing(draw),
      makeField: words && makerFor?.(paragraph, words),
      onPage: (page) => {
        if (!begun) {
          begun = true;
          // Read out at once; the digits answer wherever the focus is.
          const first = paragraph.tabIndex < 0 ? article : paragraph;
          if (!display.contains(document.activeElement)) first.focus({ preventScroll: true });
          onLoad?.();
        }
        void this.simulatePage(page, words?.length);
      },
    });
    return {
      payload: { ratings: outcome.ratings, early: outcome.early, ...media.payload(outcome.onset.time) },
      rt_ms: outcome.submitted - outcome.onset.time,
      ...onsetData(outcome.onset, outcome.outOfView),
    };
  }

  private async simulatePage(page: RatingPage, words?: number): Promise<void> {
    if (!this.simulated) return;
    const { simulatedRatings } = await import("../../ratings/simulated");
    await this.answerIfSimulated(() => page.answer(simulatedRatings(page.questions, this.jsPsych, words)));
  }

  protected override async simulatedData(trial: Shown<Info>) {
    const { simulatedRatings, simulatedRatingsMs } = await import("../../ratings/simulated");
    const questions = trial.questions as readonly RatingQuestion[];
    const ratings = simulatedRatings(questions, this.jsPsych, trial.words?.length);
    return { payload: { ratings, ...simulatedMedia(trial) }, rt_ms: simulatedRatingsMs(ratings) };
  }
}

function textsOf(trial: Shown<Info>) {
  const own = ratingPageMessagesIn(trial.language);
  const texts = trial.texts as readonly string[];
  const where = whereLine(trial);
  const context = trial.context ? [element("p", { class: "rating-context" }, trial.context)] : [];
  const paragraphs = texts.map((text) => element("p", { class: "rated" }, text));
  const images = (trial.images ?? []) as readonly (ImageParam | null)[];
  const { audio, video, language } = trial;
  const media = mediaOf({ image: images[trial.active], audio, video, language });
  const shown = paragraphs.map((paragraph, place) => {
    const image = images[place];
    const others = image ? [picture(image)] : [];
    const beside = place === trial.active ? media.elements : others;
    return [...beside, ...(texts[place] || beside.length === 0 ? [paragraph] : [])];
  });
  const articles = shown.map((parts, place) => {
    if (texts.length === 1) return element("article", { tabindex: "-1", "aria-label": own.theText }, ...parts);
    const active = place === trial.active;
    const name = own.textNamed(String.fromCharCode(65 + place));
    const mark = active ? [element("span", { class: "quiet" }, ` · ${own.ratedNow}`)] : [];
    return element(
      "article",
      { tabindex: "-1", class: active ? "active" : "" },
      element("h2", { class: "text-name" }, name, ...mark),
      ...parts,
    );
  });
  const paragraph = paragraphs[trial.active];
  const article = articles[trial.active];
  if (paragraph === undefined || article === undefined) throw new Error(`This page has no text ${trial.active + 1}.`);
  const together = element("div", { class: "rated-texts", tabindex: texts.length > 1 && "0" }, ...articles);
  return { above: [where, ...context, together], article, stimulus: media.stimulus(paragraph), media, paragraph };
}

import { type JsPsychPlugin, ParameterType } from "jspsych";
import { prepareLevels } from "../../page/levels";
import type { TrialData } from "../../server/contract";
import { PLACE, type Shown, type SimulationMode, TimedPlugin, TRIAL_DATA } from "../plugin";
import type { ReadingParams } from "./params";
import type { ShownBy, TextTrial } from "./trial";

const info = {
  name: "mouse-contingent-reading",
  version: "1.0.0",
  parameters: {
    text: { type: ParameterType.STRING, default: "" },
    unit: { type: ParameterType.STRING, default: "sentence" },
    /** "bands": each area a full-width band of its own. "flow": areas run on in lines. */
    arrangement: { type: ParameterType.STRING, default: "bands" },
    /** Areas of interest in reading order: text, words, before. */
    areas: { type: ParameterType.COMPLEX, array: true, default: undefined },
    /** What covers the text: "bar" (tells no length), "dashes" (as long as the words), "blur". */
    mask: { type: ParameterType.STRING, default: "bar" },
    /** The ways of reading that the study allows: "pointer", "drag", "keyboard". */
    modes: { type: ParameterType.STRING, array: true, default: ["pointer"] },
    ask_device: { type: ParameterType.BOOL, default: false },
    /** Rating questions that follow the text, in their order, each on a page of its own. */
    ratings: { type: ParameterType.COMPLEX, array: true, default: [] },
    /** A comprehension question: prompt, choices. */
    question: { type: ParameterType.COMPLEX, default: null },
    /** Asks the server about an answer. */
    check: { type: ParameterType.FUNCTION, default: () => Promise.resolve(null) },
    record_path: { type: ParameterType.BOOL, default: false },
    full_screen: { type: ParameterType.BOOL, default: false },
    ...PLACE,
  },
  data: TRIAL_DATA,
} as const;

type Info = typeof info;

/**
 * The trial itself is heavier than a first page may be. It loads while the pages before the first text are read, and the
 * first text waits for what is still missing of it.
 */
const loading = import("./trial");
// Whether it came is asked when a text is to be shown.
loading.catch(() => {});

/**
 * **mouse-contingent-reading**
 *
 * A text is laid out in full under a mask, and only the area under the pointer is clear. Start stands above the text, Done
 * below. Then come ratings and a question. `rt_ms` runs from the moment when the text can be opened to Done; the visits
 * tell when reading began and ended.
 */
export default class MouseContingentReading extends TimedPlugin<Info> implements JsPsychPlugin<Info> {
  static readonly info = info;

  private text: TextTrial | null = null;

  static prepare(params: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    return prepareLevels(params.map(({ areas }) => areas));
  }

  override async trial(display: HTMLElement, shown: Shown<Info>, onLoad?: () => void): Promise<TrialData> {
    return (await this.loaded()).show(display, paramsOf(shown), onLoad);
  }

  override async simulate(
    shown: Shown<Info>,
    mode: SimulationMode,
    options: unknown,
    onLoad?: () => void,
  ): Promise<TrialData> {
    await this.loaded();
    return super.simulate(shown, mode, options, onLoad);
  }

  protected override simulatedData(shown: Shown<Info>) {
    if (this.text === null) throw new Error("A text is simulated before the plugin has been loaded.");
    return this.text.simulatedData(paramsOf(shown));
  }

  private async loaded(): Promise<TextTrial> {
    // Once more where the connection was lost just then.
    const { TextTrial } = await loading.catch(() => import("./trial"));
    const by: ShownBy = {
      jsPsych: this.jsPsych,
      simulated: this.simulated,
      answerIfSimulated: (answer) => this.answerIfSimulated(answer),
    };
    this.text = new TextTrial(by);
    return this.text;
  }
}

function paramsOf(shown: Shown<Info>): ReadingParams {
  return shown as unknown as ReadingParams;
}

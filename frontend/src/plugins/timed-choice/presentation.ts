/** What is shown in turn until the answer, each display timed by the clock. */

import type { PlayedSound } from "../../media/playing";
import type { TrialMedia } from "../../page/media";
import { clock, type DisplayRecord, type Onset } from "../../timing/clock";
import { outOfView } from "../../timing/view";
import { endOf } from "../end-of-sound";
import { type ChoicePage, type Content, contentOf, contentWith } from "./page";
import type { ChoiceParams } from "./params";

export interface Presented {
  /** What is known once the answer is there, or the time has run out; `before` is the time of the answer. */
  known(before: number): Promise<Known>;
  /** Whether something that happened at this time came before what times are counted from. */
  precedes(time: number): Promise<boolean>;
  /** Takes away what is shown and ends a sound. */
  end(): void;
}

export interface Known {
  /** Of the target. */
  readonly onset: Onset;
  /** What times are counted from: the onset of the target, or its end. */
  readonly reference: number;
  readonly records: readonly DisplayRecord[];
  /** How many of the displays, the last one with its buttons, were not in the window as a whole. */
  readonly outOfView: number;
}

/**
 * Shows the displays of a trial and its target, and resolves when the last of them is there. `begin` is called when answers
 * are taken: in the frame that draws the target, or when it is over.
 */
export async function present(
  page: ChoicePage,
  trial: ChoiceParams,
  {
    media,
    before,
    begin,
  }: Readonly<{
    media: TrialMedia;
    /** Of each display, null where it is a text. */
    before: readonly (TrialMedia | null)[];
    begin: () => void;
  }>,
): Promise<Presented> {
  const target = contentWith(media, trial.with_text ? trial.text : "", "target");
  const fromOnset = trial.timed_from === "onset";
  const firstOfTarget = trial.displays.findIndex(({ kind }) => kind === "target");
  const steps = trial.displays.map((planned, index) => {
    const isTarget = planned.kind === "target";
    const own = before[index] ?? null;
    const textual = own === null ? contentOf(planned.text, planned.kind) : contentWith(own, "", planned.kind);
    const content = isTarget && media.picture !== null ? target : textual;
    const show = () => page.show(content);
    const showAndPlay = own === null ? show : own.drawing(show);
    const draw = () => {
      // Where the trial was skipped nobody listens.
      if (page.element.isConnected) showAndPlay();
      if (index === firstOfTarget && fromOnset) begin();
    };
    return { draw, duration: planned.ms, stimulus: content.timed, whole: content.whole };
  });
  const last: Content = trial.stays ? target : contentOf(trial.prompt, "prompt");
  // What is pressed has to be seen, too; of both, the target goes before.
  const lastWhole = [...page.buttons, ...last.whole];
  const show = () => page.show(last);
  const showAndPlay = media.drawing(show);
  const drawLast = () => {
    // Where the trial was skipped nobody listens.
    if (trial.stays && page.element.isConnected) showAndPlay();
    else show();
    if (trial.stays === fromOnset) begin();
    // At once where no sound plays: there is no end of one to wait for.
    else if (trial.stays) void (media.played === null ? Promise.resolve() : endOf(media.played)).then(begin);
  };
  const unlessSound = async (time: number, ofScreen: (time: number) => Promise<boolean>) => {
    const { played } = media;
    return played === null ? ofScreen(time) : time < referenceOf(trial, { sound: played, otherwise: time });
  };
  const end = () => {
    for (const each of [media, ...before]) each?.end();
    page.clear();
  };
  if (steps.length === 0) {
    const showing = await clock.show({ draw: drawLast, stimulus: last.timed, whole: lastWhole });
    const known = async (before: number) => {
      const onset = await showing.onset({ before });
      return {
        onset,
        reference: referenceOf(trial, { sound: media.played, otherwise: onset.time }),
        records: [],
        outOfView: outOfView([onset]).length,
      };
    };
    return { known, precedes: (time) => unlessSound(time, showing.precedes), end };
  }
  const sequence = await clock.displaySequence({ steps, clear: drawLast, mark: last.timed, markWhole: lastWhole });
  const known = async (before: number) => {
    // An answer during a target that is timed comes before what follows it.
    const isAfter = trial.stays || !fromOnset;
    const follower = await sequence.follower({ before: isAfter ? before : Number.POSITIVE_INFINITY });
    const records = await sequence.records();
    const onset = records[firstOfTarget]?.onset ?? follower;
    const otherwise = fromOnset ? onset.time : follower.time;
    const shown = [...records.map((record) => record.onset), follower];
    const reference = referenceOf(trial, { sound: media.played, otherwise });
    return { onset, reference, records, outOfView: outOfView(shown).length };
  };
  const step = fromOnset && firstOfTarget >= 0 ? firstOfTarget : steps.length;
  return { known, precedes: (time) => unlessSound(time, (at) => sequence.precedes(at, step)), end };
}

function referenceOf(
  trial: ChoiceParams,
  { sound, otherwise }: { readonly sound: PlayedSound | null; readonly otherwise: number },
): number {
  if (sound === null) return otherwise;
  return trial.timed_from === "onset" ? sound.onset() : sound.onset() + sound.duration;
}

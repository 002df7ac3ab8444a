/** What is left to do in a session, worked out from what the server and this browser know. Pure. */

import type { Carried, OpenAnswer, TrialDescription } from "../server/contract";

/** A result that waits in this browser. */
export interface WaitingResult {
  readonly sequence: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What an answered trial leaves for later ones, by plugin. */
export type CarriedBy = (trial: TrialDescription, payload: Readonly<Record<string, unknown>>) => Carried;

export interface Work {
  readonly trials: readonly TrialDescription[];
  /** How many were answered before, and about how many there are in all. */
  readonly done: number;
  readonly total: number;
  readonly carried: Carried;
  /** Trials that had been begun before and were cut. */
  readonly cut: ReadonlySet<number>;
  /** True where the session is over though it lacks answers: the study has to be done in one go, and it was cut. */
  readonly ended: boolean;
}

/**
 * Which trials come next. Answered is what the server has or this browser still holds. Under every policy the server says
 * through `answered` what is to be done again ("restart-block" takes the answers of the cut block out of it), and through
 * `status` whether "end" has ended the session: the policy may have been another one when it was cut.
 */
export function remainingWork(open: OpenAnswer, waiting: readonly WaitingResult[], carriedBy: CarriedBy): Work {
  const answered = new Set([...open.answered, ...waiting.map((result) => result.sequence)]);
  const inOrder = [...open.trials].sort((a, b) => a.position - b.position);
  const trials = inOrder.filter((trial) => !answered.has(trial.position));
  const partOf = inOrder.find((trial) => !answered.has(trial.position))?.part;
  let carried: Carried = { ...open.carried };
  const byPosition = new Map(inOrder.map((trial) => [trial.position, trial]));
  for (const result of [...waiting].sort((a, b) => a.sequence - b.sequence)) {
    const trial = byPosition.get(result.sequence);
    // What one task leaves is for its own trials.
    if (trial === undefined || (partOf !== undefined && trial.part !== partOf)) continue;
    carried = { ...carried, ...carriedBy(trial, result.payload) };
  }
  return {
    trials,
    done: inOrder.length - trials.length,
    total: Math.max(inOrder.length, open.expected ?? 0),
    carried,
    cut: new Set(open.interrupted.filter((position) => !answered.has(position))),
    ended: open.status === "ended" && trials.length > 0,
  };
}

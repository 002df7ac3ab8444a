import { describe, expect, test } from "vitest";
import type { OpenAnswer } from "../server/contract";
import { remainingWork } from "./session";

function open(changes: Partial<OpenAnswer> = {}): OpenAnswer {
  return {
    participant: "P1",
    mode: "run",
    language: "en",
    resume: "continue",
    trials: [3, 0, 2, 1].map((position) => ({ position, phase: "main", plugin: "pages", params: {} })),
    answered: [],
    interrupted: [],
    carried: {},
    status: "running",
    ...changes,
  };
}

const nothing = () => ({});

describe("what is left of a session", () => {
  test("a new session starts at the first trial, in the order of positions", () => {
    const work = remainingWork(open(), [], nothing);
    expect(work.trials.map((trial) => trial.position)).toEqual([0, 1, 2, 3]);
    expect(work).toMatchObject({ total: 4, ended: false });
  });

  test("what the server has and what waits here are both skipped", () => {
    const work = remainingWork(open({ answered: [0] }), [{ sequence: 1, payload: {} }], nothing);
    expect(work.trials.map((trial) => trial.position)).toEqual([2, 3]);
  });

  test("a trial that was cut is known as such until it is answered", () => {
    const work = remainingWork(open({ answered: [0], interrupted: [1, 2] }), [{ sequence: 1, payload: {} }], nothing);
    expect([...work.cut]).toEqual([2]);
  });

  test("an answer that still waits here carries its value over the server's", () => {
    const carriedBy = (_: unknown, payload: Readonly<Record<string, unknown>>) => ({ modulus_number: payload.number });
    const work = remainingWork(
      open({ carried: { modulus_number: 1, other: 2 } }),
      [{ sequence: 0, payload: { number: 7 } }],
      carriedBy,
    );
    expect(work.carried).toEqual({ modulus_number: 7, other: 2 });
  });

  test("a study in one go ends with an interruption, but not before anything was begun, and not when all is answered", () => {
    expect(remainingWork(open({ resume: "end", interrupted: [0] }), [], nothing).ended).toBe(false);
    expect(remainingWork(open({ status: "ended", interrupted: [0] }), [], nothing).ended).toBe(true);
    expect(remainingWork(open({ status: "ended", answered: [0] }), [], nothing).ended).toBe(true);
    expect(remainingWork(open({ status: "ended", answered: [0, 1, 2, 3] }), [], nothing).ended).toBe(false);
  });
});

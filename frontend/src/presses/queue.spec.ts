import { expect, test } from "vitest";
import { PressQueue } from "./queue";

function shownAt(onset: number, { known = Promise.resolve() } = {}) {
  return { precedes: (time: number) => known.then(() => time <= onset) };
}

test("the first press after the onset is the answer, and those before it are counted once", async () => {
  const queue = new PressQueue<{ time: number }>();
  for (const time of [90, 100, 108, 300]) queue.give({ time });
  expect(await queue.answerTo(shownAt(100))).toEqual({ press: { time: 108 }, early: 2 });
  expect(await queue.answerTo(shownAt(120))).toEqual({ press: { time: 300 }, early: 0 });
});

test("no press is lost while the browser is asked when something was shown", async () => {
  const queue = new PressQueue<{ time: number }>();
  let report: () => void = () => {};
  const known = new Promise<void>((resolve) => {
    report = resolve;
  });
  const answered = queue.answerTo(shownAt(100, { known }));
  queue.give({ time: 99 });
  await Promise.resolve();
  queue.give({ time: 400 });
  report();
  expect(await answered).toEqual({ press: { time: 400 }, early: 1 });
});

test("what was pressed while nothing could be answered is forgotten", async () => {
  const queue = new PressQueue<{ time: number }>();
  queue.give({ time: 150 });
  queue.forget();
  queue.give({ time: 200 });
  expect(await queue.answerTo(shownAt(100))).toEqual({ press: { time: 200 }, early: 0 });
});

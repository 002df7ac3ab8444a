import { describe, expect, test } from "vitest";
import { answeringFor, rankSoFar } from "./answering";

describe("the better of two", () => {
  test("is one place, or none where that may be said", () => {
    const pair = answeringFor("pair", 2, true);
    expect(pair.ranks).toBeNull();
    pair.sayNext(1, 10);
    expect(pair.ranks).toEqual([2, 1]);
    pair.sayNoDifference(20);
    expect(pair.ranks).toEqual([1, 1]);
    expect([pair.changes, pair.changedAt]).toEqual([1, 20]);
  });

  test("cannot be none where people have to choose", () => {
    const pair = answeringFor("pair", 2, false);
    pair.sayNoDifference(10);
    expect(pair.ranks).toBeNull();
  });
});

describe("the best and the worst", () => {
  test("are two texts; what is said last holds", () => {
    const extremes = answeringFor("best-worst", 4, false);
    extremes.say("best", 2, 1);
    extremes.say("worst", 2, 2);
    expect(extremes.ranks).toBeNull();
    expect(extremes.isSaid("best", 2)).toBe(false);
    extremes.say("best", 0, 3);
    expect(extremes.ranks).toEqual([1, 2, 3, 2]);
    expect(extremes.changes).toBe(0);
  });

  test("are chosen by two digits, and a third begins anew", () => {
    const extremes = answeringFor("best-worst", 3, false);
    extremes.sayNext(1, 1);
    extremes.sayNext(2, 2);
    expect(extremes.ranks).toEqual([2, 1, 3]);
    extremes.sayNext(0, 3);
    expect(extremes.ranks).toBeNull();
    extremes.sayNext(1, 4);
    expect(extremes.ranks).toEqual([1, 3, 2]);
    expect(extremes.changes).toBe(1);
  });

  test("are changed also where a third digit names the best one again", () => {
    const extremes = answeringFor("best-worst", 3, false);
    for (const [time, place] of [0, 1, 0, 2].entries()) extremes.sayNext(place, time);
    expect(extremes.ranks).toEqual([1, 2, 3]);
    expect(extremes.changes).toBe(1);
  });
});

describe("an order", () => {
  test("is complete when one text is left over", () => {
    const order = answeringFor("ranking", 4, false);
    order.sayNext(2, 1);
    order.sayNext(0, 2);
    expect(order.ranks).toBeNull();
    expect(rankSoFar(order, 3)).toEqual({ rank: null, next: 3 });
    order.sayNext(3, 3);
    expect(order.ranks).toEqual([2, 4, 1, 3]);
  });

  test("closes up where a text is taken out of it", () => {
    const order = answeringFor("ranking", 3, false);
    order.sayNext(2, 1);
    order.sayNext(0, 2);
    expect(order.ranks).toEqual([2, 3, 1]);
    order.sayNext(2, 3);
    expect(rankSoFar(order, 0)).toEqual({ rank: 1, next: 2 });
    expect(rankSoFar(order, 1)).toEqual({ rank: null, next: 2 });
    order.sayNext(1, 4);
    expect(order.ranks).toEqual([1, 2, 3]);
    expect(order.changes).toBe(1);
  });

  test("loses what was said last by taking it back", () => {
    const order = answeringFor("ranking", 3, false);
    order.sayNext(2, 1);
    order.sayNext(0, 2);
    order.takeBack(3);
    expect(rankSoFar(order, 2)).toEqual({ rank: 1, next: 2 });
    expect(rankSoFar(order, 0)).toEqual({ rank: null, next: 2 });
  });
});

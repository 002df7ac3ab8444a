import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { expect, test } from "vitest";
import { Database } from "./database";
import { forget } from "./forgetting";

const ERASED = "study/P-1";
const OTHER = "study/P-10";

function entryOf(session: string, sequence: number) {
  return { session, kind: "result", sequence, batch: 0, json: "{}" };
}

test("what waits, was refused or was begun of an erased session goes; another session keeps its own", async () => {
  const factory = new IDBFactory();
  const database = await Database.open(factory);
  for (const session of [ERASED, OTHER]) {
    await database.add([entryOf(session, 1), entryOf(session, 2)]);
    await database.settle({ done: [], problems: [{ ...entryOf(session, 2), status: "invalid", message: "" }] });
    await database.begin({ ...entryOf(session, 3), kind: "opened" });
  }
  await forget(ERASED, factory);
  expect(await database.entries(ERASED)).toEqual([]);
  expect(await database.problems(ERASED)).toEqual([]);
  expect(await database.begin({ ...entryOf(ERASED, 3), kind: "opened" })).toBe(1);
  expect(await database.entries(OTHER)).toHaveLength(2);
  expect(await database.problems(OTHER)).toHaveLength(1);
  expect(await database.begin({ ...entryOf(OTHER, 3), kind: "opened" })).toBe(2);
});

test("a browser that never kept anything is left without a storage, and can have one later", async () => {
  const factory = new IDBFactory();
  await forget(ERASED, factory);
  expect(await factory.databases()).toEqual([]);
  const database = await Database.open(factory);
  await database.add([entryOf(OTHER, 1)]);
  expect(await database.entries(OTHER)).toHaveLength(1);
});

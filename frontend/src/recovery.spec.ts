import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, test, vi } from "vitest";
import { recovering } from "./recovery";
import type { Answer, Send } from "./server/api";
import { Database } from "./server/database";

const NO_SESSION: Answer = { status: 404, body: { code: "no-session" }, retryAfter: null };
const OTHER: Answer = { status: 404, body: { code: "other-participant" }, retryAfter: null };
const FINE: Answer = { status: 200, body: {}, retryAfter: null };
const TROUBLE: Answer = { status: 503, body: {}, retryAfter: 5 };

let asked: string[];

function server(results: Answer[], recover: Answer): Send {
  return async (path) => {
    asked.push(path);
    return path === "session/recover/" ? recover : (results.shift() ?? FINE);
  };
}

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  asked = [];
  const database = await Database.open();
  await database.keepStartKey("demo", "key-1");
  database.close();
});

test("what was sent without a cookie is sent again with the one that came back", async () => {
  const send = recovering(server([NO_SESSION], FINE), "demo");
  expect(await send("session/results/", "{}")).toBe(FINE);
  expect(asked).toEqual(["session/results/", "session/recover/", "session/results/"]);
});

test("a browser that takes no cookies is not asked for ever", async () => {
  const send = recovering(server([NO_SESSION, NO_SESSION], FINE), "demo");
  expect(await send("session/results/", "{}")).toBe(NO_SESSION);
  expect(asked).toHaveLength(3);
});

test("a session that is gone stays gone, and the key is forgotten", async () => {
  const send = recovering(server([NO_SESSION, NO_SESSION], NO_SESSION), "demo");
  expect(await send("session/open/", "{}")).toBe(NO_SESSION);
  expect(await send("session/open/", "{}")).toBe(NO_SESSION);
  expect(asked).toEqual(["session/open/", "session/recover/", "session/open/"]);
});

test("a server in trouble is asked again later instead of ending the session", async () => {
  const send = recovering(server([NO_SESSION], TROUBLE), "demo");
  expect(await send("session/results/", "{}")).toBe(TROUBLE);
});

test("somebody else's session is not replaced", async () => {
  const send = recovering(server([OTHER], FINE), "demo");
  expect(await send("session/results/", "{}")).toBe(OTHER);
  expect(asked).toEqual(["session/results/"]);
});

test("a browser that refuses storage answers as before", async () => {
  vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  const send = recovering(server([NO_SESSION], FINE), "demo");
  expect(await send("session/open/", "{}")).toBe(NO_SESSION);
});

import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test } from "vitest";
import type { Answer, Send } from "./api";
import type { ResultEntry } from "./contract";
import { Database, storageWorks } from "./database";
import { LARGEST_BATCH_BYTES, Outbox, type OutboxOptions } from "./outbox";

interface SentEntry {
  kind: string;
  sequence: number;
  batch?: number;
}

function result(sequence: number, payload: Record<string, unknown> = { number: sequence }): ResultEntry {
  return {
    kind: "result",
    sequence,
    payload,
    rt_ms: 1234.5678901234,
    onset_ms: 17.25,
    clock: "element-timing",
    onset_error_ms: 2,
    translated: null,
    out_of_view: null,
    draft_restored: null,
    page_slept_ms: null,
    interrupted: false,
    attempts: 1,
    focus_losses: 0,
    event_batches: 0,
  };
}

/** A server that keeps what it gets by the rules of the contract. `script` spoils single requests, in their order. */
class FakeServer {
  readonly stored = new Map<string, string>();
  readonly bodies: string[] = [];
  readonly keepalive: boolean[] = [];
  script: ("lost" | "answer-lost" | "down" | "garbled" | "unreadable" | Answer)[] = [];
  refusedSequences = new Set<number>();
  lease = true;

  readonly send: Send = async (path, body, options) => {
    expect(path).toBe("session/results/");
    this.bodies.push(body ?? "");
    this.keepalive.push(options?.keepalive ?? false);
    const fault = this.script.shift();
    if (fault === "lost") throw new TypeError("Failed to fetch");
    if (fault === "down") return { status: 503, body: null, retryAfter: 2 };
    if (fault === "garbled") return { status: 200, body: null, retryAfter: null };
    if (fault === "unreadable") return { status: 400, body: { message: "malformed" }, retryAfter: null };
    if (typeof fault === "object") return fault;
    const answer = this.take(JSON.parse(body ?? "") as { entries: SentEntry[] });
    if (fault === "answer-lost") throw new TypeError("network error");
    return answer;
  };

  private take(envelope: { entries: SentEntry[] }): Answer {
    const results = envelope.entries.map((entry) => {
      const name = `${entry.kind} ${entry.sequence} ${entry.batch ?? 0}`;
      const json = JSON.stringify(entry);
      const known = this.stored.get(name);
      let status = "stored";
      if (this.refusedSequences.has(entry.sequence)) status = "refused";
      else if (known === undefined) this.stored.set(name, json);
      else status = known === json ? "duplicate" : "conflict";
      return { kind: entry.kind, sequence: entry.sequence, batch: entry.batch ?? null, status, hash: "h" };
    });
    const statuses = new Set(results.map((outcome) => outcome.status));
    const status = statuses.has("refused") ? 422 : statuses.has("conflict") ? 409 : 200;
    return { status, body: { results, lease: this.lease }, retryAfter: null };
  }
}

let database: Database;
let server: FakeServer;
let waits: number[];

async function open(options: Partial<OutboxOptions> = {}): Promise<Outbox> {
  return Outbox.open({
    database,
    session: "study/P1",
    participant: "P1",
    tab: "tab-1",
    send: server.send,
    random: () => 1,
    delay: async (milliseconds) => {
      waits.push(milliseconds);
    },
    ...options,
  });
}

function sent(body: string | undefined): SentEntry[] {
  return (JSON.parse(body ?? "{}") as { entries: SentEntry[] }).entries;
}

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  database = await Database.open();
  server = new FakeServer();
  waits = [];
});

describe("an answer on its way", () => {
  test("it is on the disk before put resolves, even when nothing can be sent", async () => {
    const outbox = await open({ send: () => new Promise(() => {}) });
    await outbox.put([result(0)]);
    expect(await database.entries("study/P1")).toHaveLength(1);
    expect(outbox.state.unsent).toBe(1);
  });

  test("it leaves the disk only when it was acknowledged", async () => {
    const outbox = await open();
    await outbox.put([result(0), result(1)]);
    await outbox.drained();
    expect(server.stored.size).toBe(2);
    expect(await database.entries("study/P1")).toEqual([]);
    expect(outbox.state).toMatchObject({ unsent: 0, connection: "fine", stopped: null, problems: 0 });
  });

  test("it arrives with every digit it was measured with", async () => {
    const outbox = await open();
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(sent(server.bodies[0])[0]).toEqual(result(0));
  });

  test("the envelope names the tab and the participant", async () => {
    const outbox = await open();
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(JSON.parse(server.bodies[0] ?? "")).toMatchObject({ tab: "tab-1", participant: "P1" });
  });

  test("a lost acknowledgement leads to a second delivery with the same bytes and no second answer", async () => {
    server.script = ["answer-lost"];
    const outbox = await open();
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(server.bodies).toHaveLength(2);
    expect(server.bodies[0]).toBe(server.bodies[1]);
    expect(server.stored.size).toBe(1);
    expect(outbox.problems).toHaveLength(0);
  });

  test("an acknowledgement of entries in another order is understood", async () => {
    const outbox = await open({
      send: async (path, body) => {
        const answer = await server.send(path, body);
        const { results, lease } = answer.body as { results: unknown[]; lease: boolean };
        return { ...answer, body: { results: results.reverse(), lease } };
      },
    });
    await outbox.put([result(0), result(1), result(2)]);
    await outbox.drained();
    expect(server.stored.size).toBe(3);
    expect(outbox.state.unsent).toBe(0);
  });

  test("an entry that the acknowledgement leaves out is sent again", async () => {
    let calls = 0;
    const outbox = await open({
      send: async (path, body) => {
        const answer = await server.send(path, body);
        const { results, lease } = answer.body as { results: unknown[]; lease: boolean };
        calls += 1;
        return { ...answer, body: { results: calls === 1 ? results.slice(0, 1) : results, lease } };
      },
    });
    await outbox.put([result(0), result(1)]);
    await outbox.drained();
    expect(sent(server.bodies[1]).map((entry) => entry.sequence)).toEqual([1]);
  });

  test("what an earlier visit left is sent by the next one", async () => {
    const first = await open({ send: () => new Promise(() => {}) });
    await first.put([result(3, { number: 7 })]);
    const second = await open();
    expect(second.waitingResults).toEqual([{ sequence: 3, payload: { number: 7 } }]);
    second.start();
    await second.drained();
    expect([...server.stored.keys()]).toEqual(["result 3 0"]);
  });

  test("the answers of another session in this browser are left alone", async () => {
    const other = await open({ session: "study/P2", participant: "P2", send: () => new Promise(() => {}) });
    await other.put([result(0)]);
    const mine = await open();
    mine.start();
    await mine.drained();
    expect(server.bodies).toHaveLength(0);
    expect(await database.entries("study/P2")).toHaveLength(1);
  });

  test("characters that no database holds are replaced and not refused", async () => {
    const outbox = await open();
    await outbox.put([result(0, { typed: "a\u0000b\ud800c😀", nested: ["\udc00"] })]);
    await outbox.drained();
    expect(sent(server.bodies[0])[0]).toMatchObject({ payload: { typed: "a\ufffdb\ufffdc😀", nested: ["\ufffd"] } });
  });
});

describe("a bad line", () => {
  test("it is retried with growing pauses up to half a minute, for as long as it takes", async () => {
    server.script = Array.from({ length: 9 }, () => "lost");
    const outbox = await open();
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000, 30000]);
    expect(server.stored.size).toBe(1);
  });

  test("pauses are spread by chance, so that a class does not knock all at once", async () => {
    server.script = ["lost"];
    const outbox = await open({ random: () => 0 });
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(waits).toEqual([500]);
  });

  test("a server in trouble is given the time it asks for", async () => {
    server.script = ["down"];
    const outbox = await open();
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(waits).toEqual([2000]);
    expect(server.stored.size).toBe(1);
  });

  test("a page of a network that is not the server acknowledges nothing", async () => {
    server.script = ["garbled", { status: 400, body: null, retryAfter: null }];
    const outbox = await open();
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(server.bodies).toHaveLength(3);
    expect(outbox.problems).toHaveLength(0);
    expect(server.stored.size).toBe(1);
  });

  test("the connection coming back ends the pause at once", async () => {
    server.script = ["lost"];
    let woken = false;
    const outbox = await open({
      delay: async (_, wake) => {
        await wake;
        woken = true;
      },
    });
    await outbox.put([result(0)]);
    await until(
      async () => outbox.state.connection,
      (connection) => connection === "retrying",
    );
    outbox.retryNow();
    await outbox.drained();
    expect(woken).toBe(true);
    expect(outbox.state.connection).toBe("fine");
  });

  test("answers given offline are all kept and arrive in order", async () => {
    let online = false;
    const outbox = await open({
      send: (path, body) => (online ? server.send(path, body) : Promise.reject(new TypeError("offline"))),
      delay: async (_, wake) => wake,
    });
    for (let sequence = 0; sequence < 20; sequence += 1) await outbox.put([result(sequence)]);
    expect(outbox.state.unsent).toBe(20);
    expect(await database.entries("study/P1")).toHaveLength(20);
    online = true;
    outbox.retryNow();
    await outbox.drained();
    expect(server.stored.size).toBe(20);
    expect(sent(server.bodies[0]).map((entry) => entry.sequence)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  test("a closing page sends once more in a way that outlives it", async () => {
    const outbox = await open({ delay: () => new Promise(() => {}) });
    server.script = ["lost"];
    await outbox.put([result(0)]);
    await until(
      async () => outbox.state.connection,
      (connection) => connection === "retrying",
    );
    outbox.sendBeforeClosing();
    expect(server.keepalive).toEqual([false, true]);
    expect(await database.entries("study/P1")).toHaveLength(1);
  });

  test("every seeded mix of losses ends with each answer stored once", async () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      globalThis.indexedDB = new IDBFactory();
      database = await Database.open();
      server = new FakeServer();
      const chance = generator(seed);
      server.script = Array.from({ length: 40 }, () => {
        const draw = chance();
        if (draw < 0.2) return "lost";
        if (draw < 0.4) return "answer-lost";
        if (draw < 0.5) return "down";
        return { status: 0, body: null, retryAfter: null };
      });
      const outbox = await open();
      for (let sequence = 0; sequence < 12; sequence += 1) {
        await outbox.begin(sequence);
        await outbox.put([{ kind: "events", sequence, batch: 0, events: [sequence] }, result(sequence)]);
      }
      await outbox.drained();
      expect(server.stored.size).toBe(36);
      expect(outbox.problems).toHaveLength(0);
    }
  });
});

describe("batches", () => {
  test("they stay below what a closing page may send", async () => {
    let online = false;
    const outbox = await open({
      send: (path, body) => (online ? server.send(path, body) : Promise.reject(new TypeError("offline"))),
      delay: async (_, wake) => wake,
    });
    const long = "ä".repeat(9_000);
    for (let sequence = 0; sequence < 9; sequence += 1) await outbox.put([result(sequence, { text: long })]);
    online = true;
    outbox.retryNow();
    await outbox.drained();
    const sizes = server.bodies.map((body) => new TextEncoder().encode(body).length);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST_BATCH_BYTES);
    expect(LARGEST_BATCH_BYTES).toBeLessThan(60_000);
    expect(server.stored.size).toBe(9);
  });

  test("the notes that a trial began go first, its events next, its result last", async () => {
    const outbox = await open({ send: () => new Promise(() => {}) });
    await outbox.put([result(4), { kind: "events", sequence: 4, batch: 1, events: [] }]);
    await outbox.put([{ kind: "events", sequence: 4, batch: 0, events: [] }]);
    await outbox.begin(4);
    const later = await open();
    later.start();
    await later.drained();
    expect(sent(server.bodies[0]).map((entry) => `${entry.kind} ${entry.batch ?? ""}`.trim())).toEqual([
      "opened",
      "events 0",
      "events 1",
      "result",
    ]);
  });

  test("a request that the server cannot read is taken apart, and only the culprit is set aside", async () => {
    const poison = (body: string) => sent(body).some((entry) => entry.sequence === 1);
    const outbox = await open({
      send: async (path, body) => {
        if (!poison(body ?? "")) return server.send(path, body);
        return { status: 400, body: { message: "malformed" }, retryAfter: null };
      },
    });
    await outbox.put([result(0), result(1), result(2)]);
    await outbox.drained();
    expect([...server.stored.keys()].sort()).toEqual(["result 0 0", "result 2 0"]);
    expect(outbox.problems.map((problem) => problem.sequence)).toEqual([1]);
  });

  test("what could not be read is offered again by the next visit", async () => {
    server.script = ["unreadable", "unreadable"];
    const outbox = await open();
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(outbox.problems).toHaveLength(1);
    await until(
      () => database.problems("study/P1"),
      (problems) => problems.length === 1,
    );
    const next = await open();
    server.script = [];
    next.start();
    await next.drained();
    expect(server.stored.size).toBe(1);
    expect(
      await until(
        () => database.problems("study/P1"),
        (problems) => problems.length === 0,
      ),
    ).toEqual([]);
  });
});

describe("a permanent no", () => {
  test("a refused entry is kept aside and never sent again; the others of its batch are stored", async () => {
    server.refusedSequences.add(1);
    const outbox = await open();
    await outbox.put([result(0), result(1), result(2)]);
    await outbox.drained();
    expect(server.bodies).toHaveLength(1);
    expect(outbox.problems.map((problem) => [problem.sequence, problem.status])).toEqual([[1, "refused"]]);
    const kept = await until(
      () => database.problems("study/P1"),
      (problems) => problems.length === 1,
    );
    expect(JSON.parse(kept[0]?.json ?? "")).toEqual(result(1));
    expect(await database.entries("study/P1")).toEqual([]);
    const next = await open();
    next.start();
    await next.drained();
    expect(server.bodies).toHaveLength(1);
    expect(next.state.problems).toBe(1);
  });

  test("a conflict is kept aside too, and counts as answered", async () => {
    const first = await open();
    await first.put([result(0, { number: 1 })]);
    await first.drained();
    const second = await open();
    await second.put([result(0, { number: 2 })]);
    await second.drained();
    expect(second.problems.map((problem) => problem.status)).toEqual(["conflict"]);
    expect(second.waitingResults).toEqual([{ sequence: 0, payload: { number: 2 } }]);
  });

  test("a lost lease ends the sending, after what was stored has been acknowledged", async () => {
    server.lease = false;
    const outbox = await open();
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(outbox.state).toMatchObject({ stopped: "lease-lost", unsent: 0 });
    await outbox.put([result(1)]);
    expect(server.bodies).toHaveLength(1);
    expect(await database.entries("study/P1")).toHaveLength(1);
  });

  test("a session that is gone ends the sending and keeps the answers", async () => {
    server.script = [{ status: 404, body: null, retryAfter: null }];
    const outbox = await open();
    await outbox.put([result(0)]);
    await outbox.drained();
    expect(outbox.state).toMatchObject({ stopped: "no-session", unsent: 1 });
    expect(await database.entries("study/P1")).toHaveLength(1);
  });
});

describe("trials that began", () => {
  test("they are counted on the disk, over visits", async () => {
    expect(await (await open()).begin(5)).toBe(1);
    const next = await open();
    expect(await next.begin(5)).toBe(2);
    expect(await next.begin(6)).toBe(1);
    await next.drained();
    expect([...server.stored.keys()].sort()).toEqual(["opened 5 0", "opened 6 0"]);
  });
});

describe("the storage of the browser", () => {
  test("it is found to work, and leaves no trace of the check", async () => {
    expect(await storageWorks()).toBe(true);
    expect(await database.entries("storage-check")).toEqual([]);
  });

  test("it is found missing where the browser refuses it", async () => {
    const refusing = {
      open: () => {
        throw new DOMException("denied", "SecurityError");
      },
    } as unknown as IDBFactory;
    expect(await storageWorks(refusing)).toBe(false);
    expect(await storageWorks(null)).toBe(false);
  });

  test("an answer that cannot be stored is still sent, and put says so", async () => {
    const outbox = await open();
    database.close();
    await expect(outbox.put([result(0)])).rejects.toThrow();
    await outbox.drained();
    expect(server.stored.size).toBe(1);
  });

  test("the browser keeps one name over visits", async () => {
    const name = await database.browserName(() => "first");
    expect(name).toBe("first");
    expect(await (await Database.open()).browserName(() => "second")).toBe("first");
  });
});

async function until<Value>(read: () => Promise<Value>, enough: (value: Value) => boolean): Promise<Value> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const value = await read();
    if (enough(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return read();
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

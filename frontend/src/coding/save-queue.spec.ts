import { beforeEach, describe, expect, test, vi } from "vitest";
import { browserStore, type Entry, type Outcome, SaveQueue, type Store } from "./save-queue";

const SAVED: Outcome = { kind: "saved" };

function coding(key: string, codes: readonly string[] = ["0"], seconds = 4): Entry {
  return { key, codes, note: "", seconds, revision: 0 };
}

function memory(entries: readonly Entry[] = []): Store & { held: readonly Entry[] } {
  const store = {
    held: entries,
    read: () => store.held,
    write: (left: readonly Entry[]) => {
      store.held = [...left];
    },
  };
  return store;
}

function queueWith(answers: (entry: Entry) => Outcome | Promise<Outcome>, store = memory()) {
  const sent: Entry[] = [];
  const queue = new SaveQueue({
    send: async (entry) => {
      sent.push(entry);
      return answers(entry);
    },
    store,
    onChange: () => {},
    delay: async () => {},
  });
  return { queue, sent, store };
}

describe("codings on their way to the server", () => {
  beforeEach(() => localStorage.clear());

  test("arrive in the order in which they were made, and leave the storage", async () => {
    const { queue, sent, store } = queueWith(() => SAVED);
    for (const key of ["a", "b", "c"]) queue.put(coding(key));
    expect(store.held).toHaveLength(3);
    await vi.waitFor(() => expect(queue.state.unsent).toBe(0));
    expect(sent.map((entry) => entry.key)).toEqual(["a", "b", "c"]);
    expect(store.held).toEqual([]);
  });

  test("are sent again until the server answers", async () => {
    let failures = 3;
    const { queue, sent } = queueWith(() => {
      failures -= 1;
      return failures >= 0 ? { kind: "unreachable" } : SAVED;
    });
    queue.put(coding("a"));
    await vi.waitFor(() => expect(queue.state.unsent).toBe(0));
    expect(sent.map((entry) => entry.key)).toEqual(["a", "a", "a", "a"]);
    expect(queue.state.trouble).toBe("none");
  });

  test("wait while nobody is logged in, and say so", async () => {
    let answer: Outcome = { kind: "logged-out" };
    const { queue } = queueWith(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return answer;
    });
    queue.put(coding("a"));
    await vi.waitFor(() => expect(queue.state.trouble).toBe("logged-out"));
    expect(queue.state.unsent).toBe(1);
    answer = SAVED;
    queue.retryNow();
    await vi.waitFor(() => expect(queue.state).toEqual({ unsent: 0, trouble: "none", refused: [] }));
  });

  test("can be waited for", async () => {
    const { queue } = queueWith(() => SAVED);
    await queue.drained();
    queue.put(coding("a"));
    await queue.drained();
    expect(queue.state.unsent).toBe(0);
  });

  test("that break the rule are set aside with the server's sentence, and the next ones go on", async () => {
    const { queue, sent } = queueWith((entry) =>
      entry.key === "a" ? { kind: "refused", message: "Code 0 stands alone." } : SAVED,
    );
    queue.put(coding("a", ["0", "3"]));
    queue.put(coding("b"));
    await vi.waitFor(() => expect(queue.state.unsent).toBe(0));
    expect(sent).toHaveLength(2);
    expect(queue.state.refused).toEqual([{ entry: coding("a", ["0", "3"]), message: "Code 0 stands alone." }]);
    queue.forgetRefused();
    expect(queue.state.refused).toEqual([]);
  });

  test("of the same text: the latest is sent, after the one that is already on its way", async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { queue, sent } = queueWith(async () => {
      await held;
      return SAVED;
    });
    queue.put(coding("a", ["0"]));
    queue.put(coding("a", ["3"], 2));
    queue.put(coding("a", ["4"], 1));
    expect(queue.state.unsent).toBe(2);
    release();
    await vi.waitFor(() => expect(queue.state.unsent).toBe(0));
    expect(sent.map((entry) => [entry.codes, entry.seconds])).toEqual([
      [["0"], 4],
      [["4"], 3],
    ]);
  });

  test("of an earlier visit are sent when the page is opened again", async () => {
    const { queue, sent } = queueWith(() => SAVED, memory([coding("a"), coding("b")]));
    queue.start();
    await vi.waitFor(() => expect(queue.state.unsent).toBe(0));
    expect(sent.map((entry) => entry.key)).toEqual(["a", "b"]);
  });

  test("survive in the browser's storage, which may hold anything", () => {
    const store = browserStore("waiting");
    store.write([coding("a", ["3", "4"])]);
    expect(browserStore("waiting").read()).toEqual([coding("a", ["3", "4"])]);
    store.write([]);
    expect(localStorage.getItem("waiting")).toBeNull();
    localStorage.setItem("waiting", "{broken");
    expect(store.read()).toEqual([]);
  });
});

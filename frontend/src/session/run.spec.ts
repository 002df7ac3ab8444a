import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { messagesIn } from "../languages/messages";
import { media } from "../media/loader";
import { Stage } from "../page/stage";
import { find, type } from "../plugins/trial-harness";
import type { Answer, Send } from "../server/api";
import type { ResultEntry, RunConfig, TrialDescription } from "../server/contract";
import { ErrorReports } from "../server/errors";
import { Run } from "./run";

const MODULUS = "The reference sentence.";
const judgement = (kind: string, text: string) => ({
  phase: kind === "modulus" ? "modulus" : "main",
  plugin: "magnitude-estimation",
  params: { kind, text, modulus_text: MODULUS, allow_zero: false, index: 1, total: 2 },
});
const TRIALS = [
  judgement("modulus", MODULUS),
  judgement("target", "The first sentence."),
  { phase: "break", plugin: "break", params: { done: 1, total: 2, pages: [] } },
  judgement("target", "The second sentence."),
].map((trial, position) => ({ position, ...trial }));

const config: RunConfig = {
  slug: "demo",
  title: "A study",
  language: "en",
  mode: "run",
  participant: "P1",
  contact: "ada@example.org",
  responsible: "Ada",
  api: "/api/studies/demo/",
};

/** The server's side of one session. */
class FakeServer {
  readonly results = new Map<number, ResultEntry>();
  readonly opened = new Set<number>();
  readonly requests: { path: string; body: Record<string, unknown> }[] = [];
  resume = "continue";
  /** What comes at once, and what only `session/advance/` gives. */
  trials: readonly TrialDescription[] = TRIALS;
  later: readonly TrialDescription[] = [];
  /** What the answers to those give when it is asked again. */
  laterStill: readonly TrialDescription[] = [];
  private decided = 0;
  refused = new Set<number>();
  forgets = new Set<number>();
  lease = true;
  /** Answers to give instead of the right one, by path, each once. */
  readonly script = new Map<string, (Answer | Error)[]>();

  readonly send: Send = async (path, text) => {
    const body = JSON.parse(text ?? "{}") as Record<string, unknown>;
    this.requests.push({ path, body });
    const scripted = this.script.get(path)?.shift();
    if (scripted instanceof Error) throw scripted;
    if (scripted !== undefined) return scripted;
    if (path === "session/open/") return ok(this.open());
    if (path === "session/results/") return this.take(body.entries as ResultEntry[]);
    if (path === "session/advance/") return ok(this.advance());
    if (path === "session/complete/") return ok(this.complete());
    return { status: 204, body: null, retryAfter: null };
  };

  private open() {
    const answered = [...this.results.keys()];
    const modulus = this.results.get(0)?.payload.number;
    return {
      participant: "P1",
      mode: "run",
      language: "en",
      resume: this.resume,
      trials: this.stored,
      more: this.decided < this.stages.length,
      answered,
      interrupted: [...this.opened].filter((position) => !answered.includes(position)),
      carried: modulus === undefined ? {} : { modulus_number: modulus },
      status: this.isCut ? "ended" : "running",
      ...(this.isCut ? { ending: { heading: "", text: "", link: "", code: "CUT-1", advice: "" } } : {}),
    };
  }

  /** A session in one go that was begun and is not all there. */
  private get isCut(): boolean {
    return this.resume === "end" && this.opened.size + this.results.size > 0 && this.missing.length > 0;
  }

  private take(entries: readonly ResultEntry[]): Answer {
    const results = entries.map((entry) => {
      const kind: string = entry.kind;
      const refused = kind === "result" && this.refused.has(entry.sequence);
      if (kind === "opened") this.opened.add(entry.sequence);
      else if (this.forgets.delete(entry.sequence)) this.opened.delete(entry.sequence);
      else if (!refused) this.results.set(entry.sequence, entry);
      return { kind, sequence: entry.sequence, status: refused ? "refused" : "stored", hash: "" };
    });
    const status = results.some((outcome) => outcome.status === "refused") ? 422 : 200;
    return { status, body: { results, lease: this.lease }, retryAfter: null };
  }

  private get stored(): readonly TrialDescription[] {
    return [...this.trials, ...this.stages.slice(0, this.decided).flat()];
  }

  private get stages(): readonly (readonly TrialDescription[])[] {
    return [this.later, this.laterStill].filter((stage) => stage.length > 0);
  }

  private get missing(): number[] {
    return this.stored.map((trial) => trial.position).filter((position) => !this.results.has(position));
  }

  private advance() {
    const more = this.decided < this.stages.length;
    const missing = more ? this.missing : [];
    if (more && missing.length === 0) this.decided += 1;
    const trials = missing.length === 0 ? (this.stages[this.decided - 1] ?? []) : [];
    return { trials, missing, more: this.decided < this.stages.length, status: "running", outcome: "" };
  }

  private complete() {
    const { missing } = this;
    if (missing.length > 0) return { complete: false, missing, missing_events: [] };
    return {
      complete: true,
      completion_code: "DONE-1",
      redirect_url: "javascript:alert(1)",
      withdrawal_code: "W-1",
      debriefing: { blocks: [{ type: "paragraph", text: "It was about causes." }] },
    };
  }
}

function ok(body: unknown): Answer {
  return { status: 200, body, retryAfter: null };
}

let server: FakeServer;
let root: HTMLElement;

function visit(changes: Partial<RunConfig> = {}, send: Send = server.send): Promise<void> {
  root = document.createElement("div");
  document.body.replaceChildren(root);
  const messages = messagesIn("en");
  const stage = new Stage(root, config, messages);
  return new Run({
    config: { ...config, ...changes },
    messages,
    stage,
    send,
    errors: new ErrorReports(null),
  }).run();
}

/** A visit that judged the modulus without a connection and was left: the answer waits in this browser. */
async function judgeModulusOffline(): Promise<void> {
  const offline = Array.from({ length: 30 }, () => new TypeError("offline"));
  server.script.set("session/results/", offline);
  void visit();
  await judge(MODULUS, "10");
  await until("The first sentence.");
  server.script.clear();
}

function page(): string {
  return root.textContent ?? "";
}

async function until(text: string): Promise<void> {
  await vi.waitFor(() => expect(page()).toContain(text), { interval: 5 });
}

/** Answers the trial on the page. */
async function judge(text: string, number: string): Promise<void> {
  await vi.waitFor(() => expect(root.querySelector(".stimulus")?.textContent).toBe(text), { interval: 5 });
  await vi.waitFor(() => expect(document.activeElement?.id).toBe("number"));
  const input = root.querySelector<HTMLInputElement>("#number");
  if (input !== null) type(input, number);
  root.querySelector<HTMLButtonElement>(".primary")?.click();
}

async function judgeAll(): Promise<void> {
  await judge(MODULUS, "10");
  await judge("The first sentence.", "20");
  await until("Time for a break");
  root.querySelector<HTMLButtonElement>(".primary")?.click();
  await judge("The second sentence.", "5");
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  server = new FakeServer();
  window.scrollTo = () => {};
  const locks = { request: (_: string, held: () => Promise<void>) => held() };
  Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
});

describe("a visit to a session", () => {
  test("it runs from the first trial to the codes, which the server alone gives out", async () => {
    const visited = visit();
    await judgeAll();
    await visited;
    expect(page()).toContain("DONE-1");
    expect(page()).toContain("W-1");
    expect(page()).toContain("It was about causes.");
    expect([...server.results.keys()]).toEqual([0, 1, 2, 3]);
    const first = server.results.get(1);
    expect(first).toMatchObject({ attempts: 1, interrupted: false, focus_losses: 0, event_batches: 0 });
    expect(first?.payload).toMatchObject({ number: 20, modulus_number: 10 });
    expect(server.results.get(3)?.payload.modulus_number).toBe(10);
  });

  test("a page that was translated is told with every answer, and one that was not is not", async () => {
    document.documentElement.lang = "en";
    const visited = visit();
    await judge(MODULUS, "10");
    await vi.waitFor(() => expect(server.results.get(0)).toBeDefined());
    document.documentElement.lang = "fr";
    await judge("The first sentence.", "20");
    await until("Time for a break");
    root.querySelector<HTMLButtonElement>(".primary")?.click();
    await judge("The second sentence.", "5");
    await visited;
    document.documentElement.lang = "";
    const told = [...server.results.values()].map((result) => result.translated);
    expect(told[0]).toBeNull();
    expect(told.at(-1)).toBe(true);
  });

  test("a return address that is no web address is not offered", async () => {
    const visited = visit();
    await judgeAll();
    await visited;
    expect(root.querySelector("a.primary")).toBeNull();
    expect(page()).toContain("You may now close this page.");
  });

  test("every trial is noted as begun before it is answered", async () => {
    const visited = visit();
    await judgeAll();
    await visited;
    expect([...server.opened].sort()).toEqual([0, 1, 2, 3]);
  });

  test("the next visit goes on at the trial that was cut, marks it, and knows the modulus", async () => {
    void visit();
    await judge(MODULUS, "10");
    await until("The first sentence.");
    const visited = visit();
    await judge("The first sentence.", "20");
    await until("Time for a break");
    root.querySelector<HTMLButtonElement>(".primary")?.click();
    await judge("The second sentence.", "5");
    await visited;
    expect(server.results.get(1)).toMatchObject({ attempts: 2, interrupted: true });
    expect(server.results.get(1)?.payload.modulus_number).toBe(10);
    expect(server.results.get(3)).toMatchObject({ attempts: 1, interrupted: false });
  });

  test("answers that never left this browser are neither asked for again nor lost", async () => {
    await judgeModulusOffline();
    expect(server.results.size).toBe(0);
    const visited = visit();
    await judge("The first sentence.", "20");
    expect(server.results.get(0)?.payload.number).toBe(10);
    await until("Time for a break");
    root.querySelector<HTMLButtonElement>(".primary")?.click();
    await judge("The second sentence.", "5");
    await visited;
    expect(page()).toContain("DONE-1");
  });

  test("what an earlier visit left is sent before the session is opened, which may restart a block", async () => {
    await judgeModulusOffline();
    server.requests.length = 0;
    void visit();
    await until("The first sentence.");
    const paths = server.requests.map((request) => request.path);
    expect(paths.indexOf("session/open/")).toBeGreaterThan(paths.indexOf("session/results/"));
    expect(paths.indexOf("session/results/")).toBe(0);
  });

  test("what waits here is stored while another device has the session, which can be taken over all the same", async () => {
    await judgeModulusOffline();
    server.lease = false;
    server.script.set("session/open/", [{ status: 423, body: { code: "other-device" }, retryAfter: null }]);
    void visit();
    await until("This study is open on another device");
    expect(server.results.get(0)?.payload.number).toBe(10);
    server.lease = true;
    root.querySelector<HTMLButtonElement>(".primary")?.click();
    await judge("The first sentence.", "20");
    await until("Time for a break");
    await vi.waitFor(() => expect(server.results.get(1)?.payload.number).toBe(20));
  });

  test("nothing is given out while something is unsent; the page counts it down", async () => {
    server.script.set(
      "session/results/",
      Array.from({ length: 9 }, () => new TypeError("offline")),
    );
    const visited = visit();
    await judgeAll();
    await until("Please keep this page open.");
    expect(page()).not.toContain("DONE-1");
    expect(server.requests.some((request) => request.path === "session/complete/")).toBe(false);
    server.script.clear();
    window.dispatchEvent(new Event("online"));
    await visited;
    expect(page()).toContain("DONE-1");
  });

  test("a trial that the server lacks and nobody holds is shown again", async () => {
    server.forgets.add(1);
    const visited = visit();
    await judgeAll();
    await judge("The first sentence.", "21");
    await visited;
    expect(page()).toContain("DONE-1");
    expect(server.results.get(1)).toMatchObject({ attempts: 2, interrupted: true });
  });

  test("an answer that was refused for good leads to a page that says so, and no code", async () => {
    server.refused.add(1);
    const visited = visit();
    await judgeAll();
    await visited;
    expect(page()).toContain("1 answer could not be accepted by the server.");
    expect(page()).toContain("ada@example.org");
    expect(page()).not.toContain("DONE-1");
  });
});

/** A paradigm of a package: one button. */
const PACKAGE = `export default ({ TimedPlugin, TRIAL_DATA, onsetData }) => class extends TimedPlugin {
  static info = { name: "own-task", version: "1.0.0", parameters: {}, data: TRIAL_DATA };
  async trial(display) {
    display.innerHTML = "<button class='own'>Own</button>";
    await new Promise((resolve) => display.firstChild.addEventListener("click", resolve));
    return { payload: { own: true }, rt_ms: 1, ...onsetData(null) };
  }
};`;

describe("trials that come after the first questionnaires", () => {
  const modulus = { position: 0, ...judgement("modulus", MODULUS) };
  const first = { position: 1, ...judgement("target", "The first sentence.") };
  const second = { position: 2, ...judgement("target", "The second sentence.") };
  const asked = (path: string) => server.requests.filter((request) => request.path === path);

  test("they are asked for once, shown, and the session ends with them", async () => {
    server.trials = [modulus, first];
    server.later = [second];
    const visited = visit();
    await judge(MODULUS, "10");
    await judge("The first sentence.", "20");
    await judge("The second sentence.", "5");
    await visited;
    expect([...server.results.keys()]).toEqual([0, 1, 2]);
    expect(asked("session/advance/")).toHaveLength(1);
    expect(asked("session/open/")).toHaveLength(1);
    expect(page()).toContain("DONE-1");
  });

  test("where their answers decide more, it is asked for again, and nothing ends before", async () => {
    server.trials = [modulus];
    server.later = [first];
    server.laterStill = [second];
    const visited = visit();
    await judge(MODULUS, "10");
    await judge("The first sentence.", "20");
    await judge("The second sentence.", "5");
    await visited;
    expect([...server.results.keys()]).toEqual([0, 1, 2]);
    expect(asked("session/advance/")).toHaveLength(2);
    expect(asked("session/complete/")).toHaveLength(1);
    expect(page()).toContain("DONE-1");
  });

  test("where an answer turns out to be missing, its trial comes again before they do", async () => {
    server.trials = [modulus, first];
    server.later = [second];
    server.forgets.add(1);
    const visited = visit();
    await judge(MODULUS, "10");
    await judge("The first sentence.", "20");
    await vi.waitFor(() => expect(asked("session/open/")).toHaveLength(2));
    await judge("The first sentence.", "21");
    await judge("The second sentence.", "5");
    await visited;
    expect(asked("session/advance/")).toHaveLength(2);
    expect(server.results.get(1)?.payload.number).toBe(21);
    expect(page()).toContain("DONE-1");
  });

  test("the next visit after them does not ask for them again", async () => {
    server.trials = [modulus];
    server.later = [first];
    void visit();
    await judge(MODULUS, "10");
    await until("The first sentence.");
    const visited = visit();
    await judge("The first sentence.", "20");
    await visited;
    expect(asked("session/advance/")).toHaveLength(1);
    expect(page()).toContain("DONE-1");
  });

  test("a paradigm of a package comes from its own module", async () => {
    server.trials = [modulus];
    server.later = [{ position: 1, phase: "main", plugin: "own-task", params: {} }];
    const visited = visit({ modules: { "own-task": `data:text/javascript,${encodeURIComponent(PACKAGE)}` } });
    await judge(MODULUS, "10");
    await vi.waitFor(() => find(root, ".own").click());
    await visited;
    expect(server.results.get(1)?.payload).toEqual({ own: true });
  });

  test("a question of a rare kind has its field", async () => {
    const question = { name: "tired", label: "How tired?", kind: "scale", points: 3, required: true };
    server.trials = [modulus];
    server.later = [
      { position: 1, phase: "background", plugin: "background-questions", params: { questions: [question] } },
    ];
    const visited = visit();
    await judge(MODULUS, "10");
    await vi.waitFor(() => find(root, "input[value='2']").click());
    find(root, ".primary").click();
    await visited;
    expect(server.results.get(1)?.payload.answers).toEqual({ tired: 2 });
  });

  test("their pictures are being loaded while the first of them is shown", async () => {
    const want = vi.spyOn(media, "want");
    const image = { kind: "image", url: "/media/otter.png", width: 4, height: 3, alt: "" };
    server.trials = [modulus];
    server.later = [first, { ...second, params: { ...second.params, image } }];
    void visit();
    await judge(MODULUS, "10");
    expect(want).not.toHaveBeenCalled();
    await until("The first sentence.");
    expect(want).toHaveBeenCalledExactlyOnceWith([image]);
  });
});

describe("a visit that cannot go on", () => {
  test("a lease that is lost during a trial stops it with a page", async () => {
    const visited = visit();
    await judge(MODULUS, "10");
    await until("The first sentence.");
    server.lease = false;
    window.dispatchEvent(new Event("online"));
    await judge("The first sentence.", "20");
    await visited;
    expect(page()).toContain("The study goes on elsewhere");
    expect(root.querySelector(".stimulus")).toBeNull();
  });

  test("a lease that another device holds is taken over only when asked to", async () => {
    const held = { status: 423, body: { code: "other-device" }, retryAfter: null };
    server.script.set("session/open/", [held]);
    void visit();
    await until("This study is open on another device");
    root.querySelector<HTMLButtonElement>(".primary")?.click();
    await until(MODULUS);
    const opens = server.requests.filter((request) => request.path === "session/open/");
    expect(opens.map((request) => request.body.take_over)).toEqual([false, true]);
    expect(opens[0]?.body.tab).toBe(opens[1]?.body.tab);
  });

  test("an answer to a request of before the take-over stops nothing", async () => {
    await judgeModulusOffline();
    let answer = (_: Answer): void => {};
    const late = new Promise<Answer>((resolve) => {
      answer = resolve;
    });
    const send = server.send;
    let isFirst = true;
    const slow: Send = (path, body, options) => {
      if (path !== "session/results/" || !isFirst) return send(path, body, options);
      isFirst = false;
      return late;
    };
    server.script.set("session/open/", [{ status: 423, body: { code: "other-device" }, retryAfter: null }]);
    void visit({}, slow);
    await vi.waitFor(() => expect(page()).toContain("This study is open on another device"), { timeout: 15_000 });
    root.querySelector<HTMLButtonElement>(".primary")?.click();
    await until("The first sentence.");
    const results = [{ kind: "result", sequence: 0, status: "stored", hash: "" }];
    answer({ status: 200, body: { results, lease: false }, retryAfter: null });
    await judge("The first sentence.", "20");
    await until("Time for a break");
  });

  test("the browser keeps its name over visits, so that a crash does not lock it out", async () => {
    void visit();
    await until(MODULUS);
    void visit();
    await until(MODULUS);
    const tabs = server.requests
      .filter((request) => request.path === "session/open/")
      .map((request) => request.body.tab);
    expect(new Set(tabs).size).toBe(1);
  });

  test("without a session there is a way to the first page", async () => {
    server.script.set("session/open/", [{ status: 404, body: null, retryAfter: null }]);
    await visit();
    expect(root.querySelector("a.primary")?.getAttribute("href")).toBe("/s/demo/");
  });

  test("a paused study says so", async () => {
    const body = { code: "paused", message: "This study is paused at the moment." };
    server.script.set("session/open/", [{ status: 409, body, retryAfter: null }]);
    await visit();
    expect(page()).toContain("This study is paused at the moment.");
  });

  test("a server that is away is waited for", async () => {
    server.script.set("session/open/", [new TypeError("offline")]);
    void visit();
    await until("The server cannot be reached at the moment.");
    window.dispatchEvent(new Event("online"));
    await until(MODULUS);
  });

  test("a study in one go ends with an interruption", async () => {
    server.resume = "end";
    void visit();
    await judge(MODULUS, "10");
    await until("The first sentence.");
    await visit();
    expect(page()).toContain("This session has ended");
    expect(page()).toContain("CUT-1");
    expect(root.querySelector(".stimulus")).toBeNull();
  });

  const closed = () => ({
    status: 409,
    body: {
      code: "closed",
      message: "This study has been closed in the meantime.",
      participant: "P1",
      ending: {
        heading: "This study is closed",
        text: "This study has been closed in the meantime.",
        link: "",
        code: "C-FULL",
        advice: "",
      },
    },
    retryAfter: null,
  });

  test("a study that was closed meanwhile takes the last answers, and gives the codes", async () => {
    const offline = Array.from({ length: 60 }, () => new TypeError("offline"));
    void visit();
    await judge(MODULUS, "10");
    await judge("The first sentence.", "20");
    await until("Time for a break");
    root.querySelector<HTMLButtonElement>(".primary")?.click();
    await vi.waitFor(() => expect([...server.results.keys()]).toEqual([0, 1, 2]));
    server.script.set("session/results/", offline);
    await judge("The second sentence.", "5");
    await vi.waitFor(() => expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('"number":5'));
    server.script.clear();
    server.script.set("session/open/", [closed()]);
    await visit();
    expect(server.results.get(3)?.payload.number).toBe(5);
    expect(page()).toContain("DONE-1");
  });

  test("a study that was closed meanwhile says so to whoever had not answered everything", async () => {
    void visit();
    await judge(MODULUS, "10");
    await until("The first sentence.");
    server.script.set("session/open/", [closed()]);
    await visit();
    expect(page()).toContain("This study has been closed in the meantime.");
    expect(page()).toContain("C-FULL");
    expect(root.querySelector(".stimulus")).toBeNull();
  });

  test("a browser that stores nothing is told before anything is asked", async () => {
    vi.spyOn(globalThis.indexedDB, "open").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    await visit();
    expect(page()).toContain("Your answers cannot be saved on this computer");
    expect(server.requests).toHaveLength(0);
  });

  test("a second tab says that the first one is open, and goes on when that is closed", async () => {
    let release = () => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    const locks = { request: (_: string, held: () => Promise<void>) => first.then(held) };
    Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    void visit();
    await until("This study is open in another tab");
    expect(server.requests).toHaveLength(0);
    release();
    await until(MODULUS);
  });
});

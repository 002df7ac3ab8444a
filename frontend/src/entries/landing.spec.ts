import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { find, press } from "../plugins/trial-harness";
import { Database } from "../server/database";
import { Landing } from "./landing";

const PAGE = `<main><section id="landing"><h1>Title</h1><button data-next></button></section>
  <section id="check" hidden><h1>Check</h1><ul id="checks"></ul><button data-next></button></section>
  <section id="consent" hidden><h1>Consent</h1><input type="checkbox" data-required><input type="checkbox" data-required>
  <input type="checkbox" data-optional="reuse"><p id="consent-message"></p>
  <button id="agree">I agree and start</button><button id="decline"></button></section>
  <section id="declined" hidden><h1>Bye</h1></section>
  <section id="problem" hidden><h1 id="problem-title"></h1><p id="problem-text"></p></section></main>`;

const config = {
  slug: "demo",
  api: "/api/studies/demo/",
  language: "en",
  requirements: ["keyboard"],
  consent_version: 3,
  has_session: false,
  session: "",
  language_query: "",
  recruitment_parameters: ["PROLIFIC_PID", "workerId", "id", "survey_code", "STUDY_ID", "SESSION_ID"],
};

let answers: (() => Promise<Response>)[];
let bodies: Record<string, unknown>[];
let went: string[];

function respond(status: number, body: unknown): () => Promise<Response> {
  return async () => new Response(JSON.stringify(body), { status });
}

const STARTED = respond(201, { session: "P1", run_url: "/s/demo/run/" });

function open(changes: Partial<typeof config> = {}): void {
  new Landing({ ...config, ...changes }, (address) => went.push(address)).listen();
}

function agree(): void {
  for (const box of document.querySelectorAll<HTMLInputElement>("[data-required]")) box.checked = true;
  find(document, "#agree").click();
}

function visible(): string[] {
  return [...document.querySelectorAll<HTMLElement>("section")].filter((part) => !part.hidden).map((part) => part.id);
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  document.body.innerHTML = PAGE;
  sessionStorage.clear();
  window.history.replaceState(null, "", "/s/demo/");
  window.scrollTo = () => {};
  Object.defineProperty(navigator, "locks", { value: {}, configurable: true });
  vi.stubGlobal("PerformanceObserver", Object.assign(class {}, { supportedEntryTypes: [] }));
  answers = [];
  bodies = [];
  went = [];
  vi.stubGlobal("fetch", async (_: string, options: RequestInit) => {
    bodies.push(JSON.parse(String(options.body)) as Record<string, unknown>);
    return (answers.shift() ?? STARTED)();
  });
});

describe("continuing with a resume code", () => {
  let submitted: number;

  beforeEach(() => {
    submitted = 0;
    document.body.innerHTML = `<main><section id="resume"><h1>Continue</h1>
      <form id="resume-form"><input name="resume_code"><button>Continue</button></form></section>
      <section id="problem" hidden><h1 id="problem-title"></h1><p id="problem-text"></p></section></main>`;
    vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(() => {
      submitted += 1;
    });
  });

  function send(): void {
    find(document, "#resume-form").dispatchEvent(new Event("submit", { cancelable: true }));
  }

  test("sends the code where no answers of somebody else wait in this browser", async () => {
    open({ has_session: true, session: "P1" });
    send();
    await vi.waitFor(() => expect(submitted).toBe(1));
    expect(visible()).toEqual(["resume"]);
  });

  test("sends it at once where the browser has no session", async () => {
    open();
    send();
    await vi.waitFor(() => expect(submitted).toBe(1));
  });
});

describe("the check", () => {
  test("the way on opens when everything passed, the keyboard last", async () => {
    open();
    find(document, "#landing [data-next]").click();
    await vi.waitFor(() => expect(document.querySelectorAll("[data-state=passed]").length).toBe(4));
    expect(visible()).toEqual(["check"]);
    const next = find<HTMLButtonElement>(document, "#check [data-next]");
    expect(next.disabled).toBe(true);
    expect(find(document, "#check-keyboard").textContent).toContain("Please press the space bar.");
    press(document, " ");
    await vi.waitFor(() => expect(next.disabled).toBe(false));
    next.click();
    expect(visible()).toEqual(["consent"]);
  });

  test("what failed says what to change, and can be checked again", async () => {
    const open_ = vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    open({ requirements: [] });
    find(document, "#landing [data-next]").click();
    await vi.waitFor(() => expect(document.querySelector(".again")).not.toBeNull());
    expect(find(document, "#check-storage").textContent).toContain("Please leave private mode");
    expect(find<HTMLButtonElement>(document, "#check [data-next]").disabled).toBe(true);
    open_.mockRestore();
    find(document, ".again button").click();
    const next = find<HTMLButtonElement>(document, "#check [data-next]");
    await vi.waitFor(() => expect(next.disabled).toBe(false));
  });

  test("only what the study needs is checked", async () => {
    open({ requirements: ["wide-window"] });
    find(document, "#landing [data-next]").click();
    await vi.waitFor(() => expect(document.querySelectorAll("[data-state=passed]").length).toBe(4));
    expect(document.querySelector("#check-keyboard, #check-pointer")).toBeNull();
  });

  test.each([
    ["moves the mouse", () => new MouseEvent("pointermove"), { pointerType: "mouse" }, "Your mouse works."],
    ["presses an arrow key", () => new KeyboardEvent("keydown", { key: "ArrowDown" }), {}, "Your arrow keys work."],
  ])("where keys will do as well, it is enough that somebody %s", async (_what, make, more, text) => {
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    open({ requirements: ["pointer-or-keys"] });
    find(document, "#landing [data-next]").click();
    await vi.waitFor(() => expect(document.querySelector("#check-pointer")).not.toBeNull());
    const row = find(document, "#check-pointer");
    expect(row.textContent).toContain("This study needs a mouse or touch pad");
    expect(row.dataset.state).not.toBe("passed");
    document.dispatchEvent(Object.assign(make(), more));
    await vi.waitFor(() => expect(row.textContent).toContain(text));
    vi.unstubAllGlobals();
  });
});

describe("somebody else at the same computer", () => {
  async function wait(session: string): Promise<void> {
    const database = await Database.open();
    await database.add([{ session, kind: "result", sequence: 0, batch: 0, json: "{}" }]);
    database.close();
  }

  test("they start only when the answers of the one before are sent", async () => {
    await wait("demo/P1");
    open({ has_session: true, session: "P1" });
    find(document, "#landing [data-next]").click();
    await vi.waitFor(() => expect(visible()).toEqual(["problem"]));
    expect(find(document, "#problem-text").textContent).toContain("answers that have not been sent yet");
    expect(find(document, "#problem a").getAttribute("href")).toBe("/s/demo/run/");
  });

  test.each([
    ["of another study", "demonstration/P1"],
    ["of a session that is gone", "demo/P0"],
  ])("answers %s do not hold them up, and their start is a new one", async (_whose, session) => {
    await wait(session);
    sessionStorage.setItem("lectern-start-demo", "old");
    open({ has_session: true, session: "P1" });
    find(document, "#landing [data-next]").click();
    await vi.waitFor(() => expect(visible()).toEqual(["check"]));
    agree();
    await vi.waitFor(() => expect(bodies).toHaveLength(1));
    expect(bodies[0]).toMatchObject({ new_person: true });
    expect(bodies[0]?.start_key).not.toBe("old");
  });
});

describe("a supervised study", () => {
  beforeEach(() => {
    find(document, "#consent-message").insertAdjacentHTML("beforebegin", '<input id="session-code">');
  });

  test("asks for the session code before anything is sent", () => {
    open();
    agree();
    expect(bodies).toEqual([]);
    expect(find(document, "#consent-message").textContent).toContain("Please type the session code");
  });

  test("sends the code, and says so where it is not valid, with everything as it was", async () => {
    answers.push(respond(409, { code: "session-code", message: "" }));
    open();
    find<HTMLInputElement>(document, "#session-code").value = "bcd2f4";
    agree();
    await vi.waitFor(() => expect(find(document, "#consent-message").textContent).toContain("is not valid"));
    expect(bodies[0]).toMatchObject({ session_code: "bcd2f4" });
    expect(find<HTMLButtonElement>(document, "#agree").disabled).toBe(false);
    expect(went).toEqual([]);
  });
});

describe("consent and start", () => {
  test("nothing is sent before every required statement is ticked", () => {
    open();
    find(document, "#agree").click();
    expect(bodies).toEqual([]);
    expect(find(document, "#consent-message").textContent).toContain("Please tick every statement");
  });

  test("the start holds consent, recruitment parameters and a key, and leads to the run page", async () => {
    window.history.replaceState(null, "", "/s/demo/?PROLIFIC_PID=abc&STUDY_ID=s1&other=x");
    open();
    find<HTMLInputElement>(document, "[data-optional]").checked = true;
    agree();
    await vi.waitFor(() => expect(went).toEqual(["/s/demo/run/"]));
    expect(bodies[0]).toMatchObject({
      consent: { version: 3, required: [true, true], optional: { reuse: true } },
      recruitment: { PROLIFIC_PID: "abc", STUDY_ID: "s1" },
    });
    expect(String(bodies[0]?.start_key)).toMatch(/^[0-9a-f]{32}$/);
    expect(Object.keys(bodies[0]?.recruitment as object)).toEqual(["PROLIFIC_PID", "STUDY_ID"]);
  });

  test("pressing twice starts once", async () => {
    open();
    agree();
    find(document, "#agree").click();
    await vi.waitFor(() => expect(went).toHaveLength(1));
    expect(bodies).toHaveLength(1);
  });

  test("after a lost answer, and after loading the page again, the same start is asked for", async () => {
    answers = [() => Promise.reject(new TypeError("Failed to fetch"))];
    open();
    agree();
    await vi.waitFor(() => expect(find(document, "#consent-message").textContent).toContain("Nothing was stored."));
    expect(find<HTMLButtonElement>(document, "#agree").disabled).toBe(false);
    expect(find(document, "#agree").textContent).toBe("I agree and start");
    document.body.innerHTML = PAGE;
    open();
    agree();
    await vi.waitFor(() => expect(went).toHaveLength(1));
    expect(bodies[0]?.start_key).toBe(bodies[1]?.start_key);
  });

  test("to decline sends nothing", () => {
    open();
    find(document, "#decline").click();
    expect(visible()).toEqual(["declined"]);
    expect(bodies).toEqual([]);
    expect(sessionStorage.length).toBe(0);
  });

  test.each([
    ["already-taken-part", "You have already taken part"],
    ["closed", "This study has ended."],
    ["paused", "This study is paused"],
    ["full", "all the participants it needs"],
    ["not-open", "This study has not started yet."],
    ["consent-changed", "The consent text changed"],
  ])("a start refused as %s has its own sentence", async (code, sentence) => {
    answers = [respond(409, { code, message: "…" })];
    open();
    agree();
    await vi.waitFor(() => expect(visible()).toEqual(["problem"]));
    expect(find(document, "#problem-text").textContent).toContain(sentence);
  });

  test("a reason that this page does not know is told in the server's words", async () => {
    answers = [respond(409, { code: "new-reason", message: "Only on weekdays." })];
    open();
    agree();
    await vi.waitFor(() => expect(find(document, "#problem-text").textContent).toBe("Only on weekdays."));
  });

  test("too many starts at once ask for patience and leave the button", async () => {
    answers = [respond(429, { code: "throttled" })];
    open();
    agree();
    await vi.waitFor(() => expect(find(document, "#consent-message").textContent).toContain("Please wait a little"));
    expect(find<HTMLButtonElement>(document, "#agree").disabled).toBe(false);
  });
});

describe("a browser that refuses site data", () => {
  function refuse(): never {
    throw new DOMException("denied", "SecurityError");
  }

  test("is told so, and no step of the page fails", async () => {
    const storage = vi.spyOn(window, "sessionStorage", "get").mockImplementation(refuse);
    const open_ = vi.spyOn(indexedDB, "open").mockImplementation(refuse);
    const landing = new Landing({ ...config, requirements: [] }, (address) => went.push(address));
    landing.listen();
    await landing.recover();
    await landing.check();
    expect(find(document, "#check-storage").dataset.state).toBe("failed");
    agree();
    await vi.waitFor(() => expect(find(document, "#consent-message").textContent).toContain("private mode"));
    expect(find<HTMLButtonElement>(document, "#agree").disabled).toBe(false);
    find(document, "#decline").click();
    expect(visible()).toEqual(["declined"]);
    expect(bodies).toEqual([]);
    open_.mockRestore();
    storage.mockRestore();
  });
});

describe("coming back without a cookie", () => {
  async function leaveKey(key: string): Promise<void> {
    const database = await Database.open();
    await database.keepStartKey("demo", key);
    database.close();
  }

  async function recover(changes: Partial<typeof config> = {}): Promise<number> {
    let reloads = 0;
    const count = () => {
      reloads += 1;
    };
    await new Landing({ ...config, ...changes }, (address) => went.push(address), count).recover();
    return reloads;
  }

  test("the key of a start is on the disk before the server hears of it", async () => {
    open();
    agree();
    await vi.waitFor(() => expect(went).toEqual(["/s/demo/run/"]));
    const database = await Database.open();
    expect(await database.startKey("demo")).toBe(bodies[0]?.start_key);
    database.close();
  });

  test("a known key brings the session back, once per tab", async () => {
    await leaveKey("a-key-that-was-kept");
    answers = [respond(200, { session: "P1", run_url: "/s/demo/run/" })];
    expect(await recover()).toBe(1);
    expect(bodies).toEqual([{ start_key: "a-key-that-was-kept" }]);
    expect(await recover()).toBe(0);
    expect(bodies.length).toBe(1);
  });

  test("a cookie that is lost again in the same tab is brought back again", async () => {
    expect(await recover()).toBe(0);
    await leaveKey("a-key-that-was-kept");
    for (const _ of [1, 2]) {
      answers = [respond(200, { session: "P1", run_url: "/s/demo/run/" })];
      expect(await recover()).toBe(1);
      expect(await recover({ has_session: true })).toBe(0);
    }
    expect(bodies.length).toBe(2);
  });

  test("a key that the server does not know is forgotten", async () => {
    await leaveKey("a-key-that-was-erased");
    answers = [respond(404, { code: "no-session", message: "" })];
    expect(await recover()).toBe(0);
    const database = await Database.open();
    expect(await database.startKey("demo")).toBeNull();
    database.close();
  });

  test("a server that cannot be reached is asked again, and meanwhile nobody starts anew", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await leaveKey("a-key-that-was-kept");
    answers = [() => Promise.reject(new TypeError("Failed to fetch")), respond(503, { code: "database" })];
    let reloads = 0;
    const landing = new Landing(
      { ...config, requirements: [] },
      (address) => went.push(address),
      () => {
        reloads += 1;
      },
    );
    landing.listen();
    const recovered = landing.recover();
    await vi.waitFor(() => expect(bodies.length).toBe(1));
    agree();
    await vi.waitFor(() => expect(find(document, "#consent-message").textContent).not.toBe(""));
    answers.push(respond(200, { session: "P1", run_url: "/s/demo/run/" }));
    await vi.advanceTimersByTimeAsync(60_000);
    await recovered;
    vi.useRealTimers();
    expect(bodies).toEqual(Array.from({ length: 3 }, () => ({ start_key: "a-key-that-was-kept" })));
    expect(reloads).toBe(1);
    expect(went).toEqual([]);
  });

  test("nothing is asked where there is a cookie or no key", async () => {
    expect(await recover()).toBe(0);
    await leaveKey("a-key-that-was-kept");
    sessionStorage.clear();
    expect(await recover({ has_session: true })).toBe(0);
    expect(bodies).toEqual([]);
  });
});

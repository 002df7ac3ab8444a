/**
 * The participant side of the server, kept in memory, for looking at the pages without Django. It keeps to the contract but
 * validates nothing. Under `vite preview` it serves what was built, with the content security policy of participant pages.
 * `/control?fault=offline|down|lease|taken&on=1` switches faults; `?lang=de` on a page switches language.
 */

import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Connect, Plugin, PreviewServer, ViteDevServer } from "vite";
import { type Language, pages, trials } from "./study";

interface Stored {
  readonly kind: string;
  readonly sequence: number;
  readonly batch?: number;
  readonly payload?: { number?: number };
}

interface Session {
  readonly participant: string;
  readonly startKey: string;
  readonly entries: Map<string, Stored>;
  readonly opened: Set<number>;
  complete: boolean;
}

interface ManifestChunk {
  readonly file: string;
  readonly css?: readonly string[];
}

const API = "/api/studies/demo/";
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'";

export function fakeServer(): Plugin {
  const sessions = new Map<string, Session>();
  const faults = new Set<string>();
  let language: Language = "en";
  let built = false;

  function sessionOf(request: IncomingMessage): Session | null {
    const cookie = /lectern_demo=(\w+)/.exec(request.headers.cookie ?? "")?.[1];
    return sessions.get(cookie ?? "") ?? null;
  }

  function page(path: string, session: Session | null): string {
    const texts = pages(language);
    if (path === "/s/demo/") return landing(texts);
    const config = {
      slug: "demo",
      title: texts.title,
      language,
      mode: path.endsWith("preview/") ? "preview" : "run",
      participant: session?.participant ?? "",
      contact: "ada@example.org",
      responsible: "Dr Ada Example",
      api: API,
      lists: [1, 2, 3].map((id) => ({ id, name: `List ${id}` })),
    };
    return document("src/entries/runner.ts", `<div id="lectern"></div>${json(config)}`, texts.title);
  }

  function document(script: string, body: string, title: string): string {
    return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
      ${assets(script)}</head>
      <body>${body}</body></html>`;
  }

  function assets(script: string): string {
    const scripts = [`src/languages/${language}.ts`, script];
    if (!built) {
      const modules = scripts.map((source) => `<script type="module" src="/${source}"></script>`);
      return `<link rel="stylesheet" href="/src/page/styles.css">${modules.join("")}`;
    }
    const path = new URL("../dist/manifest.json", import.meta.url);
    const manifest = JSON.parse(readFileSync(path, "utf-8")) as Record<string, ManifestChunk>;
    const styles = (manifest[script]?.css ?? []).map((file) => `<link rel="stylesheet" href="/static/${file}">`);
    const modules = scripts.map((source) => `<script type="module" src="/static/${manifest[source]?.file}"></script>`);
    return `${styles.join("")}${modules.join("")}`;
  }

  function landing(texts: ReturnType<typeof pages>): string {
    const config = {
      slug: "demo",
      api: API,
      language,
      requirements: ["keyboard"],
      consent_version: 1,
      has_session: false,
    };
    const paragraphs = (list: readonly string[]) => list.map((text) => `<p>${text}</p>`).join("");
    const tick = (attribute: string, text: string) =>
      `<label><input type="checkbox" ${attribute}> <span>${text}</span></label>`;
    return document(
      "src/entries/landing.ts",
      `<main class="page" id="main">
        <section id="landing"><h1>${texts.title}</h1><div class="text">${paragraphs(texts.welcome)}</div>
          <dl class="facts">${texts.facts.map(([name, text]) => `<div><dt>${name}</dt><dd>${text}</dd></div>`).join("")}</dl>
          <p class="actions"><button type="button" class="primary" data-next>${texts.next}</button></p></section>
        <section id="check" hidden><h1>${texts.check}</h1><ul id="checks" class="checks"></ul>
          <p class="actions"><button type="button" class="primary" data-next>${texts.next}</button></p></section>
        <section id="consent" hidden><h1>${texts.consent}</h1><div class="text">${paragraphs(texts.consentText)}</div>
          <fieldset class="ticks"><legend>${texts.statements}</legend>
          ${texts.required.map((text) => tick("data-required", text)).join("")}
          ${texts.optional.map((text) => tick(`data-optional="${text}"`, text)).join("")}</fieldset>
          <p id="consent-message" class="message" role="alert"></p>
          <p class="actions"><button type="button" class="primary" id="agree">${texts.agree}</button>
          <button type="button" class="plain" id="decline">${texts.decline}</button></p></section>
        <section id="declined" hidden><h1>${texts.declined}</h1><p>${texts.declinedText}</p></section>
        <section id="problem" hidden><h1 id="problem-title"></h1><p id="problem-text"></p></section>
      </main>${json(config)}`,
      texts.title,
    );
  }

  function json(config: unknown): string {
    const text = JSON.stringify(config).replaceAll("<", "\\u003c");
    return `<script type="application/json" id="lectern-config">${text}</script>`;
  }

  async function api(path: string, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(body === null ? "" : JSON.stringify(body));
    };
    if (faults.has("offline")) {
      return request.socket.destroy();
    }
    if (faults.has("down")) return reply(503, { code: "down" }, { "Retry-After": "2" });
    const body = request.method === "POST" ? JSON.parse((await read(request)) || "{}") : {};
    if (path === "sessions/") return start(body, reply);
    if (path.startsWith("preview/")) return preview(path, body, reply);
    const session = sessionOf(request);
    if (session === null) return reply(404, { code: "no-session", message: "No session." });
    if (path === "session/open/") {
      if (faults.has("lease") && !body.take_over) return reply(423, { code: "other-device", message: "Elsewhere." });
      return reply(200, opened(session));
    }
    if (path === "session/results/") return take(body.entries as Stored[], session, reply);
    if (path === "session/complete/") return complete(session, reply);
    if (path === "session/errors/") {
      console.warn("reported by the page:", body);
      return reply(204, null);
    }
    return reply(404, { code: "not-found", message: "No such address." });
  }

  type Reply = (status: number, body: unknown, headers?: Record<string, string>) => unknown;

  function start(body: { start_key: string }, reply: Reply): unknown {
    if (faults.has("taken")) return reply(409, { code: "already-taken-part", message: "Already." });
    const known = [...sessions].find(([, session]) => session.startKey === body.start_key);
    const token = known?.[0] ?? Math.random().toString(36).slice(2);
    if (known === undefined) {
      const participant = `P${sessions.size + 1}`;
      sessions.set(token, {
        participant,
        startKey: body.start_key,
        entries: new Map(),
        opened: new Set(),
        complete: false,
      });
    }
    return reply(
      known ? 200 : 201,
      { session: sessions.get(token)?.participant, run_url: "/s/demo/run/" },
      { "Set-Cookie": `lectern_demo=${token}; Path=/; HttpOnly; SameSite=Lax` },
    );
  }

  function opened(session: Session) {
    const plan = trials();
    const answered = answeredIn(session);
    const modulus = plan.find((trial) => trial.params.kind === "modulus");
    const number = session.entries.get(`result ${modulus?.position}`)?.payload?.number;
    return {
      participant: session.participant,
      mode: "run",
      language,
      resume: "continue",
      trials: plan,
      answered,
      interrupted: [...session.opened].filter((position) => !answered.includes(position)),
      carried: number === undefined ? {} : { modulus_number: number },
      status: session.complete ? "complete" : "running",
    };
  }

  function answeredIn(session: Session): number[] {
    return [...session.entries.values()].filter((entry) => entry.kind === "result").map((entry) => entry.sequence);
  }

  function take(entries: readonly Stored[], session: Session, reply: Reply): unknown {
    const results = entries.map((entry) => {
      const key =
        entry.kind === "events" ? `events ${entry.sequence} ${entry.batch}` : `${entry.kind} ${entry.sequence}`;
      const known = session.entries.get(key);
      if (entry.kind === "opened") session.opened.add(entry.sequence);
      else if (known === undefined) session.entries.set(key, entry);
      const same = known === undefined || JSON.stringify(known) === JSON.stringify(entry);
      const status = known === undefined ? "stored" : same ? "duplicate" : "conflict";
      return { kind: entry.kind, sequence: entry.sequence, batch: entry.batch ?? null, status, hash: "" };
    });
    const status = results.some((outcome) => outcome.status === "conflict") ? 409 : 200;
    return reply(status, { results, lease: !faults.has("lease") });
  }

  function complete(session: Session, reply: Reply): unknown {
    const answered = new Set(answeredIn(session));
    const missing = trials().filter((trial) => !answered.has(trial.position));
    if (missing.length > 0) return reply(200, { complete: false, missing: missing.map((trial) => trial.position) });
    session.complete = true;
    const text = "The sentences differed in how they put a cause: with a verb, a noun, or a conjunction.";
    return reply(200, {
      complete: true,
      completion_code: "C1A2B3C4",
      redirect_url: "https://example.org/done",
      withdrawal_code: "7K4M-9QXZ-22PD",
      debriefing: { blocks: [{ type: "paragraph", text }] },
    });
  }

  function preview(path: string, body: { payload?: unknown }, reply: Reply): unknown {
    if (path === "preview/validate/")
      return reply(200, { valid: true, errors: {}, measures: { estimate: body.payload } });
    return reply(200, {
      participant: "preview",
      mode: "preview",
      language,
      resume: "continue",
      trials: trials(),
      answered: [],
      interrupted: [],
      carried: {},
      status: "preview",
    });
  }

  function serve(middlewares: Connect.Server, transform: (path: string, html: string) => Promise<string>): void {
    middlewares.use(async (request, response, next) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      if (url.searchParams.has("lang")) language = url.searchParams.get("lang") === "de" ? "de" : "en";
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
      if (url.pathname === "/control") {
        const fault = url.searchParams.get("fault") ?? "";
        if (url.searchParams.get("on") === "1") faults.add(fault);
        else faults.delete(fault);
        response.end("ok");
      } else if (url.pathname.startsWith(API)) {
        await api(url.pathname.slice(API.length) + url.search, request, response);
      } else if (url.pathname.startsWith("/s/demo/")) {
        response.setHeader("Content-Type", "text/html");
        if (built) response.setHeader("Content-Security-Policy", POLICY);
        response.end(await transform(url.pathname, page(url.pathname, sessionOf(request))));
      } else next();
    });
  }

  return {
    name: "lectern-fake-server",
    configureServer(server: ViteDevServer) {
      serve(server.middlewares, (path, html) => server.transformIndexHtml(path, html));
    },
    configurePreviewServer(server: PreviewServer) {
      built = true;
      serve(server.middlewares, async (_, html) => html);
    },
  };
}

function read(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => resolve(Buffer.concat(parts).toString("utf-8")));
    request.on("error", reject);
  });
}

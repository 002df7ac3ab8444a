/** Entry of the landing page: facts about the study, device check, consent, start. */

import "../page/styles.css";
import { type Messages, messagesIn } from "../languages/messages";
import { buttonSaying, element } from "../page/blocks";
import { watchForKeys } from "../page/keys";
import { pageConfig } from "../page/page-config";
import { presses } from "../presses/guard";
import { recoverCookie } from "../recovery";
import { type Answer, isRecord, persistently, refusalIn, type Send, sender } from "../server/api";
import type { LandingConfig } from "../server/contract";
import { Database, storageWorks } from "../server/database";
import { randomName } from "../server/random-name";
import { type Check, type CheckOutcome, type CheckState, checksFor } from "../session/checks";
import { clientFacts } from "../session/client-facts";
import { tabMemory } from "../tab-memory";

const SECTIONS = ["landing", "resume", "check", "consent", "declined", "problem"] as const;
const LONGEST_PARAMETER = 200;

type Section = (typeof SECTIONS)[number];

export class Landing {
  private readonly messages: Messages;
  private readonly send: Send;
  /** Whether this browser has the key of a start and the server has not said yet whether its session goes on. */
  private isRecovering = false;

  constructor(
    private readonly config: LandingConfig,
    private readonly go: (address: string) => void = (address) => window.location.replace(address),
    private readonly reload: () => void = () => window.location.reload(),
  ) {
    this.messages = messagesIn(config.language);
    this.send = sender(config.api);
  }

  listen(): void {
    const main = document.querySelector<HTMLElement>("main");
    if (main !== null) presses.watch(main);
    button("#landing [data-next]")?.addEventListener("click", () => void this.begin());
    button("#check [data-next]")?.addEventListener("click", () => this.show("consent"));
    button("#agree")?.addEventListener("click", () => void this.start());
    button("#decline")?.addEventListener("click", () => this.decline());
    const form = document.querySelector<HTMLFormElement>("#resume-form");
    form?.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.resume(form);
    });
    // The page may come back from the browser's memory with its button still disabled.
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) window.location.reload();
    });
  }

  /** Gets the session's cookie back where the browser lost it, however often it must ask; the page then offers to go on. */
  async recover(): Promise<void> {
    // A browser that takes no cookies would come back without one for ever, so once until there is a session again.
    const recovered = `${this.keyName}-recovered`;
    if (this.config.has_session) {
      tabMemory.remove(recovered);
      return;
    }
    if (tabMemory.get(recovered) !== null) return;
    const asked: Send = (path, body) => {
      this.isRecovering = true;
      return persistently(() => this.send(path, body));
    };
    const answer = await recoverCookie(asked, this.config.slug);
    this.isRecovering = false;
    if (answer?.status !== 200) return;
    tabMemory.set(recovered, "yes");
    this.reload();
  }

  private async begin(): Promise<void> {
    // Where this browser has a session already, the button is for somebody else, who needs a start of their own. Their
    // cookie takes the place of the one with which answers that still wait here could be sent.
    if (this.config.has_session) {
      if (await this.hasUnsent()) {
        this.showUnsent();
        return;
      }
      tabMemory.remove(this.keyName);
    }
    await this.check();
  }

  /** Sends the resume code, unless answers of the person before would lose the cookie with which they can be sent. */
  private async resume(form: HTMLFormElement): Promise<void> {
    if (this.config.has_session && (await this.hasUnsent())) this.showUnsent();
    else form.submit();
  }

  private async hasUnsent(): Promise<boolean> {
    if (!(await storageWorks())) return false;
    const database = await Database.open();
    const waiting = await database.entries(`${this.config.slug}/${this.config.session}`);
    database.close();
    return waiting.length > 0;
  }

  private showUnsent(): void {
    const { messages } = this;
    const link = element("a", { class: "primary", href: `/s/${this.config.slug}/run/` }, messages.sendFirst);
    this.showProblem(messages.unsentHeading, messages.unsentText, link);
  }

  /** Runs the checks; the button to go on works once all of them passed. */
  async check(): Promise<void> {
    const list = document.getElementById("checks");
    const next = button("#check [data-next]");
    if (list === null || next === null) throw new Error("The page lacks the list of checks or its button.");
    next.disabled = true;
    list.replaceChildren();
    this.show("check");
    const checks = checksFor(this.config.requirements, this.messages);
    const outcomes = await Promise.all(checks.map((check) => this.runCheck(check, list)));
    if (outcomes.every(({ passed }) => passed)) {
      next.disabled = false;
      // The key that passed the check may still be down on the button that has the focus now.
      presses.turn();
      next.focus();
      return;
    }
    const again = buttonSaying(this.messages.checkAgain, "plain");
    again.addEventListener("click", () => void this.check());
    const row = element("li", { class: "again" }, again);
    list.append(row);
    again.focus();
    if (outcomes.some(({ needsComputer }) => needsComputer)) await this.offerLink(row);
  }

  /** Offers to send the link to a computer; where that does not load, the check has said in words what to do. */
  private async offerLink(above: HTMLElement): Promise<void> {
    const module = await import("../session/send-link").catch(() => null);
    const link = await module?.linkToSend(this.config.language, window.location.href, document.title).catch(() => null);
    if (link) above.before(element("li", { class: "again" }, link));
  }

  private async runCheck(check: Check, list: HTMLElement): Promise<CheckOutcome> {
    const { messages } = this;
    const mark = element("span", { class: "mark" });
    const text = element("span", { class: "check-text", role: "status" }, check.waiting);
    const row = element("li", { id: `check-${check.name}` }, mark, element("strong", {}, check.label), text);
    const states: Record<CheckState, string> = {
      waiting: messages.checkWaiting,
      passed: messages.checkPassed,
      failed: messages.checkFailed,
    };
    const setState = (state: CheckState) => {
      row.dataset.state = state;
      mark.replaceChildren(element("span", { class: "only-read-out" }, states[state]));
    };
    setState("waiting");
    list.append(row);
    const outcome = await check.run();
    setState(outcome.passed ? "passed" : "failed");
    text.textContent = outcome.text;
    return outcome;
  }

  /** Starts the session. Pressing twice, or again after a lost answer, starts the same one. */
  async start(): Promise<void> {
    const { messages } = this;
    const agree = button("#agree");
    const decline = button("#decline");
    const message = document.getElementById("consent-message");
    if (agree === null || message === null) throw new Error("The page lacks the button to agree or its message.");
    const required = [...document.querySelectorAll<HTMLInputElement>("#consent input[data-required]")];
    const missing = required.find((box) => !box.checked);
    for (const box of required) box.toggleAttribute("aria-invalid", !box.checked);
    message.textContent = "";
    if (missing !== undefined) {
      message.textContent = messages.consentIncomplete;
      missing.focus();
      return;
    }
    const code = document.querySelector<HTMLInputElement>("#session-code");
    code?.toggleAttribute("aria-invalid", code.value.trim() === "");
    if (code !== null && code.value.trim() === "") {
      message.textContent = messages.sessionCodeMissing;
      code.focus();
      return;
    }
    // A new start would take the place of the key with which the session can be found.
    if (this.isRecovering && tabMemory.get(this.keyName) === null) {
      message.textContent = messages.startFailed;
      return;
    }
    const label = agree.textContent;
    agree.disabled = true;
    if (decline !== null) decline.disabled = true;
    agree.textContent = messages.starting;
    const startKey = this.startKey();
    const isKept = await this.keep(startKey);
    const answer = isKept ? await this.requestStart(startKey, required.length) : null;
    const address = answer !== null && isRecord(answer.body) ? answer.body.run_url : null;
    if ((answer?.status === 201 || answer?.status === 200) && typeof address === "string") {
      this.go(address);
      return;
    }
    agree.disabled = false;
    if (decline !== null) decline.disabled = false;
    agree.textContent = label;
    if (!isKept) message.textContent = messages.checkStorageFailed;
    else if (answer === null || answer.status >= 500) message.textContent = messages.startFailed;
    else if (answer.status === 429) message.textContent = messages.startTooMany;
    else if (code !== null && refusalIn(answer).code === "session-code") {
      message.textContent = messages.sessionCodeWrong;
      code.select();
    } else this.showRefusal(answer);
  }

  private async requestStart(startKey: string, required: number): Promise<Answer | null> {
    const optional: Record<string, boolean> = {};
    for (const box of document.querySelectorAll<HTMLInputElement>("#consent input[data-optional]")) {
      optional[box.dataset.optional ?? ""] = box.checked;
    }
    const body = {
      start_key: startKey,
      consent: {
        version: this.config.consent_version,
        required: Array.from({ length: required }, () => true),
        optional,
      },
      recruitment: this.recruitment(),
      session_code: document.querySelector<HTMLInputElement>("#session-code")?.value ?? "",
      new_person: this.config.has_session,
      client: clientFacts(),
    };
    try {
      return await this.send(`sessions/${this.config.language_query}`, JSON.stringify(body));
    } catch (error) {
      if (error instanceof TypeError || error instanceof DOMException) return null;
      throw error;
    }
  }

  private showRefusal(answer: Answer): void {
    const { messages } = this;
    const { code, message } = refusalIn(answer);
    const known = code === null ? undefined : messages.startRefused[code];
    const reload = buttonSaying(messages.reload);
    reload.addEventListener("click", () => window.location.reload());
    const text = known ?? message ?? messages.startRefusedOther;
    const whenFull = document.getElementById("when-full");
    if (whenFull !== null) whenFull.hidden = code !== "full";
    const address = `/s/${this.config.slug}/continue/${this.config.language_query}`;
    const actions: Record<string, HTMLElement> = {
      "consent-changed": reload,
      "resume-code-needed": element("a", { class: "primary", href: address }, messages.toResume),
    };
    this.showProblem(messages.cannotStart, text, actions[code ?? ""] ?? null);
  }

  private showProblem(heading: string, sentence: string, action: HTMLElement | null): void {
    const title = document.getElementById("problem-title");
    const text = document.getElementById("problem-text");
    if (title === null || text === null) throw new Error("The page lacks the section for problems.");
    title.textContent = heading;
    text.textContent = sentence;
    if (action !== null) text.after(element("p", { class: "actions" }, action));
    this.show("problem");
  }

  private decline(): void {
    tabMemory.remove(this.keyName);
    this.show("declined");
  }

  /** Made once per tab and kept there, so that a page that is loaded again asks for the same start. */
  private startKey(): string {
    const known = tabMemory.get(this.keyName);
    if (known !== null) return known;
    const made = randomName();
    tabMemory.set(this.keyName, made);
    return made;
  }

  /** On the disk before the server hears of it, so that no session is started that this browser cannot find again. */
  private async keep(startKey: string): Promise<boolean> {
    try {
      const database = await Database.open();
      await database.keepStartKey(this.config.slug, startKey);
      database.close();
      return true;
    } catch (error) {
      if (error instanceof DOMException || error instanceof Error) return false;
      throw error;
    }
  }

  private get keyName(): string {
    return `lectern-start-${this.config.slug}`;
  }

  private recruitment(): Record<string, string | undefined> {
    const given = new URLSearchParams(window.location.search);
    // An empty one is sent as well: the server knows whether somebody has to be known by it. One that lacks is not.
    return Object.fromEntries(
      this.config.recruitment_parameters.map((name) => [name, given.get(name)?.slice(0, LONGEST_PARAMETER)]),
    );
  }

  private show(section: Section): void {
    for (const name of SECTIONS) {
      const shown = document.getElementById(name);
      if (shown !== null) shown.hidden = name !== section;
    }
    const heading = document.querySelector<HTMLElement>(`#${section} h1`);
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    presses.turn({ atOnce: true });
  }
}

function button(selector: string): HTMLButtonElement | null {
  return document.querySelector<HTMLButtonElement>(selector);
}

if (document.getElementById("lectern-config") !== null) {
  presses.listen();
  const landing = new Landing(pageConfig<LandingConfig>());
  watchForKeys();
  landing.listen();
  void landing.recover();
}

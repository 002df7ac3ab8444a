/** The frame around trials: progress, connection status, and pages shown instead of trials. */

import type { Messages } from "../languages/messages";
import { presses } from "../presses/guard";
import type { Block, Ending, RunConfig } from "../server/contract";
import { buttonSaying, element, renderBlocks } from "./blocks";

export class Stage {
  private display = element("div", { id: "trial" });
  private readonly bar = element("div", { class: "progress-done" });
  private readonly progressLine: HTMLElement;
  private readonly word = element("p", { class: "connection", role: "status" });
  private readonly resumeLine = element("p", { class: "resume-line" });
  private readonly main: HTMLElement;

  constructor(
    root: HTMLElement,
    private readonly config: Pick<RunConfig, "title" | "contact" | "slug" | "look">,
    private readonly messages: Messages,
  ) {
    this.progressLine = element(
      "div",
      {
        class: "progress",
        role: "progressbar",
        "aria-label": messages.progress,
        "aria-valuemin": "0",
        "aria-valuemax": "100",
        "aria-valuenow": "0",
      },
      this.bar,
    );
    this.main = element("main", { class: "stage", id: "main" });
    presses.watch(this.main);
    root.replaceChildren(
      element("header", { class: "frame" }, element("h1", { class: "only-read-out" }, config.title), this.progressLine),
      this.main,
      element("footer", { class: "frame" }, this.resumeLine, this.word),
    );
  }

  /** A new element for jsPsych to show trials in, and nothing else on the page. */
  newTrials(): HTMLElement {
    this.display = element("div", { id: "trial" });
    this.backToTrials();
    return this.display;
  }

  /** Puts the trials back after another page stood in for them. */
  backToTrials(): void {
    this.main.replaceChildren(this.display);
    document.body.classList.remove("with-look");
  }

  showProgress(done: number, total: number): void {
    const share = total === 0 ? 0 : Math.round((100 * done) / total);
    this.bar.style.inlineSize = `${total === 0 ? 0 : (100 * done) / total}%`;
    this.progressLine.setAttribute("aria-valuenow", String(share));
  }

  /** A small word in a corner, or nothing. */
  sayConnection(text: string): void {
    if (this.word.textContent !== text) this.word.textContent = text;
  }

  /** The code that continues the session on another device, at the foot of a page that nobody is timed on; or nothing. */
  showResumeCode(code: string): void {
    if (code === "") this.resumeLine.replaceChildren();
    else this.resumeLine.replaceChildren(...this.withResumeCode(this.messages.resumeCode, code));
  }

  private withResumeCode(text: string, code: string): (HTMLElement | string)[] {
    return [`${text} `, element("code", { class: "resume-code" }, code)];
  }

  /** A page in place of a trial: a heading, texts, and at most one thing to do. */
  showPage(options: {
    readonly heading: string;
    readonly content: readonly (Node | string)[];
    readonly actions?: readonly HTMLElement[];
    readonly contact?: boolean;
  }): void {
    const heading = element("h2", { tabindex: "-1" }, options.heading);
    const content = options.content.map((part) => (typeof part === "string" ? element("p", {}, part) : part));
    const contact = options.contact && this.config.contact ? [this.contactLine()] : [];
    this.main.replaceChildren(
      element(
        "section",
        { class: "sheet page" },
        element("div", { class: "sheet-content" }, heading, ...content, ...contact),
        element("p", { class: "actions" }, ...(options.actions ?? [])),
      ),
    );
    heading.focus({ preventScroll: true });
  }

  /** What only loading the page again can help. */
  showFault(heading: string, text: string): void {
    const button = buttonSaying(this.messages.reload);
    button.addEventListener("click", () => window.location.reload());
    this.showPage({ heading, content: [text], actions: [button], contact: true });
  }

  /** What may never come: a contact, and the ways to try again and to leave. It goes on by itself if it comes after all. */
  showMissing(heading: string, content: readonly (Node | string)[]): void {
    const { messages } = this;
    const reload = buttonSaying(messages.reload);
    reload.addEventListener("click", () => window.location.reload());
    const leave = element("a", { class: "plain", href: `/s/${this.config.slug}/` }, messages.toLanding);
    this.showPage({ heading, content, actions: [reload, leave], contact: true });
  }

  /** The page while answers are on their way; the count is read out as it changes. */
  showUploading(options: { readonly unsent: number; readonly offline: boolean; readonly text?: string }): void {
    const { messages } = this;
    const known = this.main.querySelector(".uploading-count");
    const text = options.unsent === 0 ? messages.finishing : messages.uploadingText(options.unsent);
    const hint = options.text ?? (options.offline ? messages.uploadingOffline : "");
    if (known === null) {
      this.showPage({
        heading: messages.uploadingHeading,
        content: [
          element("p", { class: "uploading-count", role: "status" }, text),
          element("p", { class: "uploading-hint quiet" }, hint),
        ],
      });
      return;
    }
    known.textContent = text;
    const hintLine = this.main.querySelector(".uploading-hint");
    if (hintLine !== null) hintLine.textContent = hint;
  }

  showEnd(options: {
    readonly debriefing: readonly Block[];
    readonly ending: Ending;
    readonly withdrawalCode: string;
    readonly resumeCode: string;
  }): void {
    const { messages } = this;
    const { ending } = options;
    const content: HTMLElement[] = [element("p", {}, messages.thanksText)];
    content.push(element("div", { class: "text" }, ...renderBlocks(options.debriefing)));
    content.push(...paragraphs(ending.text), ...this.wayBack(ending));
    if (options.withdrawalCode) {
      const link = element("a", { href: `/s/${this.config.slug}/withdraw/` }, messages.withdrawalLink);
      const explained = element("p", { class: "quiet" }, `${messages.withdrawalText} `, link);
      content.push(this.code(messages.withdrawalCode, options.withdrawalCode), explained);
    } else if (!options.resumeCode) {
      const link = element("a", { href: `/s/${this.config.slug}/continue/` }, messages.toResume);
      content.push(element("p", { class: "quiet" }, `${messages.withdrawalElsewhere} `, link));
    }
    this.showResumeCode("");
    if (options.resumeCode) {
      const text = this.withResumeCode(messages.resumeAtEnd, options.resumeCode);
      content.push(element("p", { class: "quiet" }, ...text));
    }
    this.showPage({ heading: messages.thanksHeading, content, actions: [this.link(ending)], contact: true });
    this.showLook();
  }

  /** The last page of a session that ended otherwise than by being completed. */
  showEnding(ending: Ending | undefined): void {
    const { messages } = this;
    const texts = paragraphs(ending?.text || messages.endedText);
    this.showPage({
      heading: ending?.heading || messages.endedHeading,
      content: ending === undefined ? texts : [...texts, ...this.wayBack(ending)],
      actions: ending?.link ? [this.link(ending)] : [],
      contact: true,
    });
    this.showLook();
  }

  /** The study's logo and colour: on the page after the trials, never between them. */
  private showLook(): void {
    const { colour, logo } = this.config.look ?? {};
    document.body.classList.toggle("with-look", colour !== undefined);
    if (logo === undefined) return;
    const { url, text, width, height } = logo;
    const picture = element("img", { src: url, alt: text, width: String(width), height: String(height) });
    this.main.prepend(element("header", { class: "logo" }, picture));
  }

  private wayBack(ending: Ending): HTMLElement[] {
    const code = ending.code ? [this.code(this.messages.completionCode, ending.code)] : [];
    return [...code, ...paragraphs(ending.advice)];
  }

  private link(ending: Ending): HTMLElement {
    const { messages } = this;
    const href = webAddress(ending.link);
    return href === null
      ? element("span", { class: "quiet" }, messages.mayClose)
      : element("a", { class: "primary", href, rel: "noreferrer" }, messages.returnLink);
  }

  private code(label: string, code: string): HTMLElement {
    const { messages } = this;
    const copy = buttonSaying(messages.copy, "plain");
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code);
      copy.textContent = messages.copied;
    });
    const canCopy = globalThis.navigator.clipboard !== undefined;
    return element(
      "div",
      { class: "code-row" },
      element("p", { class: "label" }, label),
      element("p", { class: "code-line" }, element("code", { class: "code" }, code), ...(canCopy ? [copy] : [])),
    );
  }

  private contactLine(): HTMLElement {
    const { contact } = this.config;
    const who = contact.includes("@") ? element("a", { href: `mailto:${contact}` }, contact) : contact;
    return element("p", { class: "quiet contact" }, `${this.messages.contact}: `, who);
  }
}

/** A text as its paragraphs, which empty lines separate. */
function paragraphs(text: string): HTMLElement[] {
  return text.split(/\n\s*\n/).flatMap((part) => (part.trim() ? [element("p", {}, part.trim())] : []));
}

/** A link that may be followed: the web, nothing else. */
function webAddress(text: string): string | null {
  if (text === "") return null;
  try {
    const url = new URL(text, globalThis.location.href);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

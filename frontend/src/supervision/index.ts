/**
 * A session in the laboratory: it runs in full screen, and whoever leaves full screen, or whose experimenter asks for a
 * pause, goes on only when the experimenter has ended the pause, here with the release code or from their own page.
 *
 * Nothing of this touches a trial that is running: full screen that is left during a trial is noticed before the next.
 */

import { buttonSaying, element } from "../page/blocks";
import type { Stage } from "../page/stage";
import { isRecord, type Send } from "../server/api";
import { type SupervisionMessages, supervisionMessagesIn } from "./messages";

export interface SupervisionOptions {
  readonly stage: Pick<Stage, "showPage" | "backToTrials">;
  readonly send: Send;
  readonly language: string;
  /** How often the server is asked whether the pause has ended. */
  readonly askEvery?: number;
}

export class Supervision {
  private readonly messages: SupervisionMessages;
  private left = false;
  private held = false;
  private asking: Promise<void> = Promise.resolve();

  constructor(private readonly options: SupervisionOptions) {
    this.messages = supervisionMessagesIn(options.language);
    document.addEventListener("fullscreenchange", () => {
      if (document.fullscreenElement === null) this.left = true;
    });
  }

  /** Awaited before the first trial of a visit: a pause outlasts a reload. */
  async begin(): Promise<void> {
    await this.ask();
    if (this.held) await this.pause();
    else await this.goToFullScreen();
    this.left = false;
  }

  /** Awaited before every trial. What the server says is asked for during the trial before, so that no trial waits. */
  async beforeTrial(): Promise<void> {
    await this.asking;
    if (this.left && !this.held) await this.announce();
    if (this.left || this.held) {
      await this.pause();
      this.left = false;
      this.options.stage.backToTrials();
    }
    this.asking = this.ask();
  }

  private async announce(): Promise<void> {
    try {
      await this.options.send("session/pause/", JSON.stringify({ reason: "full-screen" }));
    } catch {
      // Offline: the session is paused here all the same, and released when the server can be reached again.
    }
    this.held = true;
  }

  private async ask(): Promise<void> {
    try {
      const answer = await this.options.send("session/pause/", null, { method: "GET" });
      if (answer.status === 200 && isRecord(answer.body)) this.held = answer.body.paused === true;
    } catch {
      // Offline: what was known last holds.
    }
  }

  private async pause(): Promise<void> {
    this.held = true;
    await this.showPause();
    await this.goToFullScreen();
  }

  /** Resolves when the experimenter has ended the pause. */
  private showPause(): Promise<void> {
    const { messages } = this;
    const field = element("input", {
      id: "release-code",
      type: "password",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: "12",
    });
    const message = element("p", { class: "message", role: "alert" });
    const button = element("button", { type: "submit", class: "primary" }, messages.releaseButton);
    const form = element(
      "form",
      { class: "release" },
      element("label", { for: "release-code" }, messages.releaseLabel),
      field,
      message,
      button,
    );
    this.options.stage.showPage({ heading: messages.pausedHeading, content: [messages.pausedText, form] });
    return new Promise((resolve) => {
      const asking = setInterval(() => void this.ask().then(settle), this.options.askEvery ?? 3_000);
      const settle = () => {
        if (this.held) return;
        clearInterval(asking);
        resolve();
      };
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        button.disabled = true;
        message.textContent = await this.release(field.value);
        button.disabled = false;
        field.select();
        settle();
      });
    });
  }

  /** Returns what to say where the pause was not ended. */
  private async release(code: string): Promise<string> {
    try {
      const answer = await this.options.send("session/release/", JSON.stringify({ release_code: code }));
      if (answer.status === 200) {
        this.held = false;
        return "";
      }
      return answer.status >= 500 ? this.messages.releaseOffline : this.messages.releaseRefused;
    } catch {
      return this.messages.releaseOffline;
    }
  }

  /** Resolves in full screen; browsers go there only at the press of a button. */
  private async goToFullScreen(): Promise<void> {
    const { messages } = this;
    while (document.fullscreenElement === null) {
      const button = buttonSaying(messages.fullScreenButton);
      const message = element("p", { class: "message", role: "alert" });
      this.options.stage.showPage({
        heading: messages.fullScreenHeading,
        content: [messages.fullScreenText, message],
        actions: [button],
      });
      button.focus({ preventScroll: true });
      await new Promise<void>((resolve) => {
        button.addEventListener("click", async () => {
          try {
            await document.documentElement.requestFullscreen();
          } catch {
            message.textContent = messages.fullScreenRefused;
          }
          if (document.fullscreenElement !== null) resolve();
        });
      });
    }
  }
}

/** Status messages of the workspace: progress, unsent and refused codings, a notice under the codes. */

import { writeNumber } from "../languages/number";
import type { QueueState } from "./save-queue";
import { LoggedOut, Refusal } from "./server";
import { filled, node, part } from "./shown";

const TROUBLE: Readonly<Record<QueueState["trouble"], string>> = {
  none: "saving",
  unreachable: "unsent",
  "logged-out": "unsentLoggedOut",
};

export class Notices {
  constructor(private readonly texts: Readonly<Record<string, string>>) {}

  text(name: string, values: Readonly<Record<string, string | number>> = {}): string {
    return filled(this.texts[name] ?? name, values);
  }

  say(sentence: string, kind: "" | "warning" = ""): void {
    const notice = part("notice");
    notice.textContent = sentence;
    notice.className = `coding-notice ${kind}`.trim();
  }

  /** Says why something did not work, with a button to try again where that may help. */
  sayWhyNot(error: unknown, again: () => void): void {
    if (error instanceof Refusal) {
      this.say(error.message, "warning");
      return;
    }
    const isLoggedOut = error instanceof LoggedOut;
    if (!isLoggedOut && !(error instanceof TypeError || error instanceof DOMException)) throw error;
    this.say(this.text(isLoggedOut ? "loggedOut" : "offline"), "warning");
    part("notice").append(" ", this.button("again", again));
    part("log-in").hidden = !isLoggedOut;
  }

  showProgress(coded: number, total: number, pace: number | null): void {
    part("coded").textContent = String(coded);
    part<HTMLProgressElement>("meter").value = coded;
    const left = total - coded;
    part("pace").textContent =
      pace === null || left <= 0
        ? ""
        : this.text("pace", {
            seconds: writeNumber(Number(pace.toFixed(pace < 10 ? 1 : 0)), document.documentElement.lang),
            minutes: Math.max(1, Math.round((pace * left) / 60)),
          });
  }

  /** Quiet while all goes well, since every coding is on its way for a moment; only trouble is spoken and coloured. */
  showQueue(state: QueueState): void {
    const marker = part("unsent");
    const isTrouble = state.unsent > 0 && state.trouble !== "none";
    marker.setAttribute("aria-live", isTrouble ? "polite" : "off");
    marker.classList.toggle("waiting", isTrouble);
    marker.textContent = this.text(state.unsent === 0 ? "allSaved" : TROUBLE[state.trouble], { n: state.unsent });
    part("log-in").hidden = !isTrouble || state.trouble !== "logged-out";
  }

  /** Lists what the server will not take, with a way to look at it. */
  showRefused(state: QueueState, numberOf: (key: string) => number | undefined, look: (number: number) => void): void {
    part("refused").hidden = state.refused.length === 0;
    part("refused-list").replaceChildren(
      ...state.refused.map(({ entry, message }) => {
        const number = numberOf(entry.key);
        if (number === undefined) return node("li", "", message);
        const line = node("li", "", `${this.text("recall", { n: number })}: ${message} `);
        line.append(this.button("look", () => look(number)));
        return line;
      }),
    );
  }

  private button(name: string, action: () => void): HTMLButtonElement {
    const made = node("button", "button button-small", this.text(name));
    made.type = "button";
    made.addEventListener("click", action);
    return made;
  }
}

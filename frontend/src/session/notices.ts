/** The pages that stand in the place of trials where a session cannot go on in this browser. */

import type { Messages } from "../languages/messages";
import { buttonSaying, element } from "../page/blocks";
import type { Stage } from "../page/stage";
import { type Answer, refusalIn } from "../server/api";
import type { RunConfig } from "../server/contract";

export class Notices {
  constructor(
    private readonly options: { readonly config: RunConfig; readonly messages: Messages; readonly stage: Stage },
  ) {}

  /** Resolves when somebody wants to go on here with what is open in another browser. */
  askToTakeOver(): Promise<void> {
    const { messages, stage } = this.options;
    const button = buttonSaying(messages.goOnHere);
    stage.showPage({
      heading: messages.otherDeviceHeading,
      content: [messages.otherDeviceText],
      actions: [button],
    });
    return new Promise((resolve) => {
      button.addEventListener("click", () => {
        button.disabled = true;
        resolve();
      });
    });
  }

  showStopped(reason: "lease-lost" | "no-session"): void {
    const { messages, stage } = this.options;
    if (reason === "lease-lost")
      stage.showPage({ heading: messages.leaseLostHeading, content: [messages.leaseLostText] });
    else this.showNoSession();
  }

  showCannotOpen(answer: Answer): void {
    const { messages, stage } = this.options;
    if (answer.status === 404) {
      this.showNoSession();
      return;
    }
    const text = refusalIn(answer).message ?? messages.failureText;
    stage.showPage({ heading: messages.notRunningHeading, content: [text], contact: true });
  }

  private showNoSession(): void {
    const { messages, stage, config } = this.options;
    const link = element("a", { class: "primary", href: `/s/${config.slug}/` }, messages.toLanding);
    stage.showPage({ heading: messages.noSessionHeading, content: [messages.noSessionText], actions: [link] });
  }

  showStuck(count: number): void {
    const { messages, stage } = this.options;
    const text = count > 0 ? messages.stuckText(count) : messages.failureText;
    stage.showPage({ heading: messages.stuckHeading, content: [text], contact: true });
  }
}

/** Ways to take the link of the study from a telephone to a computer. */

import type { Messages } from "../languages/messages";
import { buttonSaying, element } from "../page/blocks";

/** The link with what shares, copies and mails it; what the device cannot do is left out. */
export function linkToSend(messages: Messages, address: string, title: string): HTMLElement {
  const actions: HTMLElement[] = [];
  if (typeof navigator.share === "function") {
    const share = buttonSaying(messages.shareLink, "plain");
    share.addEventListener("click", () => {
      // Whoever closes the sheet without sharing has changed their mind: no fault.
      navigator.share({ title, url: address }).catch(() => {});
    });
    actions.push(share);
  }
  if (navigator.clipboard !== undefined) {
    const copy = buttonSaying(messages.copy, "plain");
    copy.addEventListener("click", () => {
      navigator.clipboard.writeText(address).then(
        () => {
          copy.textContent = messages.copied;
        },
        // The link stands above, to be copied by hand.
        () => copy.remove(),
      );
    });
    actions.push(copy);
  }
  const href = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(address)}`;
  actions.push(element("a", { class: "plain", href }, messages.mailLink));
  return element(
    "div",
    { class: "send-link" },
    element("p", {}, messages.sendLink),
    element("p", {}, element("code", { class: "address", dir: "ltr" }, address)),
    element("p", { class: "code-line" }, ...actions),
  );
}

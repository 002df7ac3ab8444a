/** Ways to take the link of the study from a telephone to a computer. */

import { messagesIn, textsOf } from "../languages/messages";
import { speakSeldom } from "../languages/seldom";
import type { english } from "../languages/seldom/send-link";
import { buttonSaying, element } from "../page/blocks";

const textsIn = textsOf<typeof english>("send-link");

/** The link with what shares, copies and mails it; what the device cannot do is left out. */
export async function linkToSend(language: string, address: string, title: string): Promise<HTMLElement> {
  await speakSeldom();
  const texts = textsIn(language);
  const messages = messagesIn(language);
  const actions: HTMLElement[] = [];
  if (typeof navigator.share === "function") {
    const share = buttonSaying(texts.share, "plain");
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
  actions.push(element("a", { class: "plain", href }, texts.mail));
  return element(
    "div",
    { class: "send-link" },
    element("p", {}, texts.send),
    element("p", {}, element("code", { class: "address", dir: "ltr" }, address)),
    element("p", { class: "code-line" }, ...actions),
  );
}

/** Asking for full screen, and asking back those who have left it. */

import { buttonSaying, element } from "../../page/blocks";
import { goesOn, sheet } from "../../page/sheet";
import { clock } from "../../timing/clock";
import type { RecallMessages } from "./messages";

const MOST_REFUSALS = 2;
/** Browsers slide the page open and say how to leave; nothing is shown meanwhile. */
const SETTLING = 700;

/**
 * Resolves when the page fills the screen: true at once where it does already. False where the browser cannot or does not do
 * that; the study then goes on in the window, as an answer without full screen is better than none.
 */
export async function fillScreen(
  display: HTMLElement,
  texts: RecallMessages,
  options: { readonly again: boolean },
): Promise<boolean> {
  if (document.fullscreenElement !== null) return true;
  if (!document.fullscreenEnabled) return false;
  const button = buttonSaying(texts.fullScreenButton);
  const message = element("p", { class: "message", role: "alert" });
  const page = sheet({
    name: "full-screen",
    content: [
      element("h2", {}, texts.fullScreenHeading),
      element("p", {}, options.again ? texts.fullScreenAgain : texts.fullScreenText),
      message,
    ],
    actions: [button],
  });
  await clock.show({ draw: () => display.replaceChildren(page), stimulus: null });
  button.focus({ preventScroll: true });
  for (let refusals = 0; refusals < MOST_REFUSALS; refusals += 1) {
    await new Promise((resolve) => button.addEventListener("click", resolve, { once: true }));
    if (await isGranted()) {
      display.replaceChildren();
      await settled();
      return true;
    }
    message.textContent = texts.fullScreenRefused;
  }
  message.textContent = texts.fullScreenImpossible;
  button.textContent = texts.goOn;
  await goesOn(button);
  return false;
}

async function isGranted(): Promise<boolean> {
  try {
    await document.documentElement.requestFullscreen({ navigationUI: "hide" });
    return document.fullscreenElement !== null;
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
}

async function settled(): Promise<void> {
  const begin = await clock.nextFrame();
  while ((await clock.nextFrame()) < begin + SETTLING);
}

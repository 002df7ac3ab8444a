/** Whether somebody has a keyboard: pages explain keys where there are any. A telephone has none until a key was pressed. */

import { tabMemory } from "../tab-memory";

const NAME = "lectern-keys";

/** Marks the page, which its styles read, as soon as a key was pressed in this tab on more than a keyboard on the screen. */
export function watchForKeys(root: HTMLElement = document.documentElement): void {
  if (tabMemory.get(NAME) !== null) root.dataset.keys = "";
  const pressed = (event: KeyboardEvent) => {
    // Keyboards on a screen open for fields alone, and name no place of a key.
    if (event.code === "" || (event.target instanceof Element && event.target.closest("input, textarea") !== null))
      return;
    document.removeEventListener("keydown", pressed);
    root.dataset.keys = "";
    tabMemory.set(NAME, "yes");
  };
  document.addEventListener("keydown", pressed);
}

/** Whether this device is one that is touched and has no pointer: nobody can tell that it has keys before one is pressed. */
export function isHandheld(): boolean {
  return window.matchMedia("(pointer: coarse) and (not (any-pointer: fine))").matches;
}

/** Layout of a trial's page: content above, the primary button below, at the same place in every trial. */

import { element } from "./blocks";

export function sheet(options: {
  readonly name: string;
  readonly content: readonly (Node | string)[];
  /** Buttons, or what to do where there are none. */
  readonly actions: readonly HTMLElement[] | string;
}): HTMLElement {
  const { actions } = options;
  return element(
    "section",
    { class: `sheet ${options.name}` },
    element("div", { class: "sheet-content" }, ...options.content),
    element("p", { class: typeof actions === "string" ? "actions quiet" : "actions" }, ...[actions].flat()),
  );
}

/** Resolves with the time stamp of the event that goes on: the button, or Enter anywhere that is not a button or a field. */
export function goesOn(button: HTMLButtonElement): Promise<number> {
  return new Promise((resolve) => {
    const leave = (time: number) => {
      document.removeEventListener("keydown", pressed);
      resolve(time);
    };
    const pressed = (event: KeyboardEvent) => {
      if (!button.isConnected) {
        document.removeEventListener("keydown", pressed);
      } else if (event.key === "Enter" && !event.repeat && !button.disabled && !isControl(event.target)) {
        event.preventDefault();
        leave(event.timeStamp);
      }
    };
    document.addEventListener("keydown", pressed);
    button.addEventListener("click", (event) => leave(event.timeStamp), { once: true });
  });
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, input, select, textarea, summary") !== null;
}

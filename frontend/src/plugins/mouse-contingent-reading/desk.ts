/** The page of a text: what to do, the button to start or to go on, the text, and the button to finish. Nothing on it moves. */

import { buttonSaying, element } from "../../page/blocks";
import { sheet } from "../../page/sheet";
import { whereLine } from "../plugin";
import { Cover } from "./cover";
import type { ReadingMessages } from "./messages";
import type { Mode, ReadingParams } from "./params";

/** What may stand above the text. */
export type Notice = "start" | `refused-${Mode}` | `reading-${Mode}` | "away" | "paused" | "left-full-screen";

export class Desk {
  readonly element: HTMLElement;
  readonly start: HTMLButtonElement;
  readonly goOn: HTMLButtonElement;
  readonly done: HTMLButtonElement;
  readonly cover: Cover;
  /** As wide as the text may become; the text is measured in it. */
  readonly frame: HTMLElement;
  private readonly notices: ReadonlyMap<Notice, HTMLElement>;

  constructor(trial: ReadingParams, texts: ReadingMessages) {
    this.start = buttonSaying(texts.start);
    this.goOn = buttonSaying(texts.go);
    this.done = buttonSaying(texts.done);
    this.done.disabled = true;
    this.cover = new Cover({ label: texts.textLabel, arrangement: trial.arrangement });
    this.frame = element("div", { class: `reading-frame ${trial.arrangement}` }, this.cover.element);
    this.notices = new Map(noticesFor(trial.modes, texts));
    const above = element(
      "div",
      { class: "reading-above" },
      element("p", { class: "reading-buttons" }, this.start, this.goOn),
      element("div", { class: "reading-notices quiet", role: "status" }, ...this.notices.values()),
    );
    this.element = sheet({
      name: "reading",
      content: [whereLine(trial), above, this.frame],
      actions: [this.done],
    });
    this.show("start");
  }

  show(notice: Notice): void {
    for (const [name, node] of this.notices) node.toggleAttribute("data-shown", name === notice);
    this.start.toggleAttribute("data-shown", notice === "start" || notice.startsWith("refused-"));
    this.goOn.toggleAttribute("data-shown", notice === "paused" || notice === "left-full-screen");
  }
}

/** Each with its own place in the same spot, so that the text below stays where it is. */
function noticesFor(modes: readonly Mode[], texts: ReadingMessages): [Notice, HTMLElement][] {
  const how = modes.map((mode) => element("p", {}, texts.startWith[mode]));
  const others = (Object.keys(texts.notThisWay) as Mode[]).filter((mode) => !modes.includes(mode));
  const line = (text: string) => element("p", {}, text);
  return [
    ["start", element("div", { class: "reading-how" }, ...how)],
    ...others.map((mode): [Notice, HTMLElement] => [`refused-${mode}`, line(texts.notThisWay[mode])]),
    ...modes.map((mode): [Notice, HTMLElement] => [`reading-${mode}`, line(texts.readWith[mode])]),
    ["away", line(texts.away)],
    ["paused", line(texts.paused)],
    ["left-full-screen", line(texts.leftFullScreen)],
  ];
}

/** Which way of reading somebody means who presses a button this way. */
export function modeOfPress(
  event: MouseEvent,
  lastPointer: { readonly type: string; readonly time: number } | null,
): Mode {
  const own = (event as Partial<PointerEvent>).pointerType;
  const recent = lastPointer !== null && event.timeStamp - lastPointer.time < 2_000 ? lastPointer.type : "";
  switch (own || (event.detail > 0 ? recent || "mouse" : "")) {
    case "touch":
      return "drag";
    case "mouse":
    case "pen":
      return "pointer";
    default:
      return "keyboard";
  }
}

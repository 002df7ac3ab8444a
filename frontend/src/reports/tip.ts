/** The small box with the words of a mark: always inside the window, never over the mark. */

import { type Box, middleOf } from "./marks";

const GAP = 10;
const MARGIN = 8;

/** Where the box goes: above the mark where there is room, else below, and never past the sides of the window. */
export function placed(
  mark: Box,
  size: { readonly width: number; readonly height: number },
  window: { readonly width: number; readonly height: number },
): { left: number; top: number } {
  const above = mark.top - GAP - size.height;
  const below = mark.top + mark.height + GAP;
  const top = Math.min(above >= MARGIN ? above : below, window.height - MARGIN - size.height);
  const left = middleOf(mark).x - size.width / 2;
  const furthest = window.width - MARGIN - size.width;
  return { left: Math.max(MARGIN, Math.min(left, furthest)), top: Math.max(MARGIN, top) };
}

export class Tip {
  readonly element = document.createElement("div");

  constructor() {
    this.element.className = "figure-tip";
    this.element.setAttribute("role", "tooltip");
    this.element.hidden = true;
  }

  /** Shows text next to a mark, with an optional hint below. */
  show(words: readonly string[], mark: Box, hint = ""): void {
    const lines = words.map((words) => line(words));
    if (hint !== "") lines.push(line(hint, "figure-tip-hint"));
    this.element.replaceChildren(...lines);
    this.element.hidden = false;
    const { width, height } = this.element.getBoundingClientRect();
    // The available width excludes the scroll bar.
    const room = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const { left, top } = placed(mark, { width, height }, room);
    this.element.style.left = `${left}px`;
    this.element.style.top = `${top}px`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

function line(words: string, name = ""): HTMLElement {
  const made = document.createElement("div");
  if (name !== "") made.className = name;
  made.textContent = words;
  return made;
}

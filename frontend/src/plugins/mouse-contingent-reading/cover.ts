/**
 * The text on the page: masks that never change, and above them what is open. The page holds no other text than that of the
 * one open area, so that nothing else can be selected, searched, copied, printed or read out.
 */

import { element } from "../../page/blocks";
import type { Layout } from "./boxes";
import { FAMILY } from "./measure";
import type { MaskName } from "./params";

/** A blur in which no letter can be guessed: blocks of this many pixels become one. */
const BLUR_GRAIN = 15;
const SMEAR = 3;

export class Cover {
  /** The sheet below the text. */
  readonly element: HTMLElement;
  /** The text itself, from whose corner all places count. */
  readonly text: HTMLElement;
  private readonly masks = element("div", { class: "reading-masks", "aria-hidden": "true" });
  private readonly opening = element("div", { class: "reading-opening" });
  private readonly rules = element("div", { class: "reading-rules", "aria-hidden": "true" });
  private areas = new Map<number, readonly HTMLElement[]>();
  private shown = 0;

  constructor(options: { readonly label: string; readonly arrangement: string }) {
    this.text = element(
      "div",
      { class: `reading-text ${options.arrangement}`, role: "group", "aria-label": options.label, translate: "no" },
      this.masks,
      this.opening,
      this.rules,
    );
    this.element = element("div", { class: "reading-paper" }, this.text);
  }

  /** Draws the masks for a layout; nothing is open then. */
  lay(layout: Layout, mask: MaskName): void {
    this.open(0);
    const { style } = this.text;
    style.width = `${layout.width}px`;
    style.height = `${layout.height}px`;
    style.fontSize = `${layout.fontSize}px`;
    style.lineHeight = `${layout.lineHeight}px`;
    this.element.style.padding = `${layout.margin.top}px ${layout.margin.side}px`;
    this.masks.replaceChildren(...masksOf(layout, mask));
    this.rules.replaceChildren(...rulesOf(layout));
    this.areas = areasOf(layout);
    this.text.dir = layout.dir;
  }

  /** What shows an area where it is open. */
  tilesOf(aoi: number): readonly HTMLElement[] {
    return this.areas.get(aoi) ?? [];
  }

  /** Uncovers one area, or none for 0: one change of the page, in which whatever was open is covered. */
  open(aoi: number): void {
    if (aoi === this.shown) return;
    this.shown = aoi;
    this.opening.replaceChildren(...(this.areas.get(aoi) ?? []));
  }

  /** Has what opens read out, for those who open areas with keys. */
  readOut(): void {
    this.text.tabIndex = 0;
    this.opening.setAttribute("aria-live", "polite");
  }
}

/** The tiles of each area with the lines that stand in them. */
function areasOf(layout: Layout): Map<number, readonly HTMLElement[]> {
  const areas = new Map<number, HTMLElement[]>();
  for (const box of layout.boxes) {
    const tile = placed(element("div", { class: "reading-area", "data-aoi": String(box.aoi) }), box);
    for (const part of layout.parts) {
      const isOnLine = part.aoi === box.aoi && part.top >= box.y && part.top < box.y + box.height;
      // Other words of the area may stand beyond those of another area.
      if (!isOnLine || part.left < box.x - 1 || part.left >= box.x + box.width) continue;
      const line = element("span", { class: "reading-line", dir: part.dir ?? false }, part.text);
      line.style.left = `${part.left - box.x}px`;
      line.style.top = `${part.top - box.y}px`;
      tile.append(line, " ");
    }
    areas.set(box.aoi, [...(areas.get(box.aoi) ?? []), tile]);
  }
  return areas;
}

/** The hairlines between bands, in sight whatever is open. */
function rulesOf(layout: Layout): HTMLElement[] {
  return layout.boxes
    .filter((box) => box.height > layout.lineHeight && box.y > 0)
    .map((box) => placed(element("div", { class: "reading-rule" }), { ...box, height: 1 }));
}

function masksOf(layout: Layout, mask: MaskName): HTMLElement[] {
  switch (mask) {
    case "bar":
      return layout.bars.map((bar) => placed(element("div", { class: "reading-bar" }), bar));
    case "dashes":
      return layout.words.map((word) => {
        const top = word.top + 0.5 * (layout.lineHeight + layout.fontSize * 0.66);
        const place = { x: word.left, y: top, width: word.width, height: 2 };
        return placed(element("div", { class: "reading-dash" }), place);
      });
    case "blur":
      return [blurOf(layout)];
  }
}

/** A picture of the text, made so coarse and drawn so large that its letters are gone. */
function blurOf(layout: Layout): HTMLElement {
  const canvas = element("canvas", { class: "reading-blur" });
  const coarse = { width: Math.ceil(layout.width / BLUR_GRAIN), height: Math.ceil(layout.height / BLUR_GRAIN) };
  canvas.width = coarse.width * SMEAR;
  canvas.height = coarse.height * SMEAR;
  canvas.style.width = `${coarse.width * BLUR_GRAIN}px`;
  canvas.style.height = `${coarse.height * BLUR_GRAIN}px`;
  const grain = element("canvas");
  grain.width = coarse.width;
  grain.height = coarse.height;
  const fine = element("canvas");
  fine.width = coarse.width * BLUR_GRAIN;
  fine.height = coarse.height * BLUR_GRAIN;
  const ink = fine.getContext("2d");
  const middle = grain.getContext("2d");
  const paper = canvas.getContext("2d");
  if (ink === null || middle === null || paper === null) return canvas;
  ink.font = `400 ${layout.fontSize}px ${FAMILY}, system-ui, sans-serif`;
  ink.textBaseline = "middle";
  ink.fillStyle = "#1d1d1b";
  for (const part of layout.parts) ink.fillText(part.text, part.left, part.top + layout.lineHeight / 2);
  middle.imageSmoothingQuality = "high";
  middle.drawImage(fine, 0, 0, grain.width, grain.height);
  paper.imageSmoothingQuality = "high";
  paper.drawImage(grain, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function placed(
  node: HTMLElement,
  place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): HTMLElement {
  node.style.left = `${place.x}px`;
  node.style.top = `${place.y}px`;
  node.style.width = `${place.width}px`;
  node.style.height = `${place.height}px`;
  return node;
}

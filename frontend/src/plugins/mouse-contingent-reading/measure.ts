/** Finds where the browser breaks the lines of a text and where its words stand, in a copy that is never painted. */

import { element } from "../../page/blocks";
import { type Direction, directionAt, directionOf } from "../../page/direction";
import { levelsOf, stretchesOf } from "../../page/levels";
import { type Layout, layOut, type MeasuredWord } from "./boxes";
import type { Area, Arrangement, MaskName } from "./params";

export const FAMILY = '"Source Sans 3"';
const LONGEST_WAIT_FOR_FONT = 4_000;
const WIDEST = 760;
const NARROW = 520;
/** In CSS pixels: what makes the lines of a text the same for everybody who has room for it. */
export const TYPE = {
  wide: { size: 22, band: 34, flow: 46, margin: { side: 28, top: 16 } },
  narrow: { size: 20, band: 31, flow: 42, margin: { side: 16, top: 13 } },
} as const;

/** True once the font for this text is loaded; false if it is unavailable, and the system font is used. */
export async function fontFor(text: string): Promise<boolean> {
  if (document.fonts === undefined) return false;
  const font = `400 ${TYPE.wide.size}px ${FAMILY}`;
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), LONGEST_WAIT_FOR_FONT);
  });
  try {
    const faces = await Promise.race([document.fonts.load(font, text), late]);
    if (faces === null) return false;
    await Promise.race([document.fonts.ready, late]);
    return faces.length > 0 && document.fonts.check(font, text);
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

export interface TextToLay {
  readonly areas: readonly Area[];
  readonly arrangement: Arrangement;
  readonly mask: MaskName;
}

/** Lays the text out in the width there is. `host` is on the page and has the font of the text. */
export function measure(text: TextToLay, host: HTMLElement): Layout {
  const width = Math.min(WIDEST, Math.floor(host.getBoundingClientRect().width));
  const type = width < NARROW ? TYPE.narrow : TYPE.wide;
  const lineHeight = text.arrangement === "bands" ? type.band : type.flow;
  const sheet = element("div", { class: "reading-measure", "aria-hidden": "true" });
  sheet.dir = directionOf(text.areas.map((area) => area.text).join(" "));
  sheet.style.fontSize = `${type.size}px`;
  sheet.style.lineHeight = `${lineHeight}px`;
  sheet.style.width = `${width - 2 * type.margin.side}px`;
  host.append(sheet);
  try {
    const words = text.arrangement === "bands" ? wordsOfBands(text, sheet) : wordsOfFlow(text, sheet);
    const texts = text.areas.map((area) => area.text);
    const { arrangement, mask } = text;
    return layOut(words, {
      texts,
      arrangement,
      mask,
      width,
      lineHeight,
      fontSize: type.size,
      margin: type.margin,
    });
  } finally {
    sheet.remove();
  }
}

function wordsOfBands(text: TextToLay, sheet: HTMLElement): MeasuredWord[] {
  return text.areas.flatMap((area, index) => {
    const node = new Text(area.text);
    sheet.replaceChildren(node);
    const levels = levelsOf(area.text, sheet.dir as Direction);
    return wordsIn(area.text, { aoi: index + 1, node, from: 0, sheet, firstLine: 0, levels }).words;
  });
}

function wordsOfFlow(text: TextToLay, sheet: HTMLElement): MeasuredWord[] {
  const words: MeasuredWord[] = [];
  let firstLine = 0;
  for (const paragraph of paragraphsOf(text.areas)) {
    const node = new Text(paragraph.text);
    sheet.replaceChildren(node);
    const levels = levelsOf(paragraph.text, sheet.dir as Direction);
    let last = firstLine - 1;
    for (const { aoi, from, area } of paragraph.areas) {
      const found = wordsIn(area.text, { aoi, node, from, sheet, firstLine, levels });
      words.push(...found.words);
      last = Math.max(last, found.lastLine);
    }
    firstLine = last + 1;
  }
  return words;
}

interface Paragraph {
  text: string;
  readonly areas: { readonly aoi: number; readonly from: number; readonly area: Area }[];
}

function paragraphsOf(areas: readonly Area[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const [index, area] of areas.entries()) {
    let paragraph = paragraphs.at(-1);
    if (paragraph === undefined || area.before === "\n") {
      paragraph = { text: "", areas: [] };
      paragraphs.push(paragraph);
    } else {
      paragraph.text += area.before;
    }
    paragraph.areas.push({ aoi: index + 1, from: paragraph.text.length, area });
    paragraph.text += area.text;
  }
  return paragraphs;
}

interface Place {
  readonly aoi: number;
  readonly node: Text;
  /** Where the area begins in the node. */
  readonly from: number;
  readonly sheet: HTMLElement;
  readonly firstLine: number;
  /** Of the node's text, where it runs in both directions. */
  readonly levels: readonly number[] | null;
}

function wordsIn(text: string, place: Place): { words: MeasuredWord[]; lastLine: number } {
  const words: MeasuredWord[] = [];
  for (const match of text.matchAll(/\S+/gu)) {
    const start = match.index;
    const whole = { start, end: start + match[0].length };
    const spans = inOneDirection(whole, place).flatMap((part) => {
      const lines = new Set(rectsOf(part, place).map((rect) => lineOf(rect, place)));
      return lines.size > 1 ? brokenAcrossLines(part, text, place) : [part];
    });
    for (const span of spans) {
      const parts = rectsOf(span, place);
      const first = parts[0];
      if (first === undefined) continue;
      const edge = place.sheet.getBoundingClientRect().left;
      words.push({
        aoi: place.aoi,
        ...span,
        line: place.firstLine + lineOf(first, place),
        left: Math.min(...parts.map((rect) => rect.left)) - edge,
        right: Math.max(...parts.map((rect) => rect.right)) - edge,
      });
    }
  }
  return { words, lastLine: Math.max(place.firstLine, ...words.map((word) => word.line)) };
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly dir?: Direction;
}

/** A word in parts that run in one direction each: a Hebrew article and the English name behind it do not. */
function inOneDirection(word: Span, { levels, from }: Place): Span[] {
  if (levels === null) return [word];
  return stretchesOf(levels, from + word.start, from + word.end).map(({ start, end, level }) => ({
    start: start - from,
    end: end - from,
    dir: directionAt(level),
  }));
}

/** A word that is longer than a line, or has a place where it may be broken, in the parts that share a line. */
function brokenAcrossLines(word: Span, text: string, place: Place): Span[] {
  const spans: { start: number; end: number; line: number; dir?: Direction }[] = [];
  let at = word.start;
  for (const character of text.slice(word.start, word.end)) {
    const end = at + character.length;
    const rect = rectsOf({ start: at, end }, place)[0];
    const last = spans.at(-1);
    const line = rect === undefined ? (last?.line ?? 0) : lineOf(rect, place);
    if (last !== undefined && last.line === line) last.end = end;
    else spans.push({ ...word, start: at, end, line });
    at = end;
  }
  return spans;
}

function rectsOf(span: Span, place: Place): DOMRect[] {
  const range = document.createRange();
  range.setStart(place.node, place.from + span.start);
  range.setEnd(place.node, place.from + span.end);
  return [...range.getClientRects()].filter((rect) => rect.width > 0);
}

function lineOf(rect: DOMRect, place: Place): number {
  const lineHeight = Number.parseFloat(place.sheet.style.lineHeight);
  return Math.floor(((rect.top + rect.bottom) / 2 - place.sheet.getBoundingClientRect().top) / lineHeight);
}

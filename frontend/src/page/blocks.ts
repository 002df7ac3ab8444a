/** Texts arrive as blocks, never as HTML, and are shown with `textContent` alone. */

import type { Block, Span } from "../server/contract";
import { directionOf, hasDirection } from "./direction";

type Attributes = Readonly<Record<string, string | boolean>>;
type Child = Node | string;

/** Elements that hold a text of their own, unlike those that mark words of one. */
const HOLDERS = new Set(
  "p h1 h2 h3 h4 h5 h6 legend label button option ul ol blockquote figcaption caption td th dt dd".split(" "),
);
/** Text, and what marks words in it. */
const INLINE = new Set(["#text", "EM", "STRONG", "A"]);
/** Fields into which any text can be typed; what is typed has a direction of its own. */
const TYPED_INTO = new Set(["textarea", "input:text", "input:search", "input:"]);

/**
 * An element with attributes and children; strings become text nodes. `true` sets an attribute empty, `false` leaves it out.
 * An element that holds a text has the direction of that text, whatever the direction of the page.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  if (!("dir" in attributes)) setDirection(node, tag, attributes);
  return node;
}

function setDirection(node: HTMLElement, tag: string, { type = "" }: Attributes): void {
  if (TYPED_INTO.has(tag === "input" ? `input:${type}` : tag)) node.dir = "auto";
  if (!HOLDERS.has(tag)) return;
  const isList = tag === "ul" || tag === "ol";
  // What a label says stands beside its field or, as in a paragraph, around elements that mark words of the text.
  const own = isList ? node.childNodes : [...node.childNodes].filter(({ nodeName }) => INLINE.has(nodeName));
  const text = [...own].map(({ textContent }) => textContent).join(" ");
  if (hasDirection(text)) node.dir = directionOf(text);
  // What is said in it later has its own direction, too.
  else if (!node.hasChildNodes() && !isList) node.dir = "auto";
}

/** A text of its own within a line, as the label of an answer beside its button. */
export function textSpan(text: string, attributes: Attributes = {}): HTMLSpanElement {
  return element("span", { ...(hasDirection(text) && { dir: directionOf(text) }), ...attributes }, text);
}

/** The button to continue, or a secondary button next to it. */
export function buttonSaying(text: string, look: "primary" | "plain" = "primary"): HTMLButtonElement {
  return element("button", { type: "button", class: look }, text);
}

export function renderBlocks(blocks: readonly Block[]): HTMLElement[] {
  return blocks.map(renderBlock);
}

function renderBlock(block: Block): HTMLElement {
  switch (block.type) {
    case "heading":
      return element(block.level ? "h3" : "h2", {}, ...pieces(block.text, block.spans));
    case "list": {
      const items = block.items.map((item, at) => element("li", {}, ...pieces(item, block.item_spans?.[at])));
      return block.first === undefined
        ? element("ul", {}, ...items)
        : element("ol", { start: String(block.first) }, ...items);
    }
    case "example":
      return element("blockquote", { class: "example" }, ...pieces(block.text, block.spans));
    case "paragraph":
      return element("p", {}, ...pieces(block.text, block.spans));
  }
}

/** A text in its pieces where some are marked. A link opens a tab of its own: the page behind it must stay. */
function pieces(text: string, spans: readonly Span[] = [{ text }]): Child[] {
  return spans.map((span) => {
    let piece: Child = span.text;
    if (span.emphasis) piece = element("em", {}, piece);
    if (span.strong) piece = element("strong", {}, piece);
    return span.href ? element("a", { href: span.href, target: "_blank", rel: "noopener" }, piece) : piece;
  });
}

/** Texts arrive as blocks, never as HTML, and are shown with `textContent` alone. */

import type { Block, Span } from "../server/contract";

type Attributes = Readonly<Record<string, string | boolean>>;
type Child = Node | string;

/** An element with attributes and children; strings become text nodes. `true` sets an attribute empty, `false` leaves it out. */
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
  return node;
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

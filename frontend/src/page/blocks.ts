/** Texts arrive as blocks, never as HTML, and are shown with `textContent` alone. */

export type Block =
  | { readonly type: "paragraph" | "heading" | "example"; readonly text: string }
  | { readonly type: "list"; readonly items: readonly string[] };

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

export function renderBlocks(blocks: readonly Block[]): HTMLElement[] {
  return blocks.map(renderBlock);
}

function renderBlock(block: Block): HTMLElement {
  switch (block.type) {
    case "heading":
      return element("h2", {}, block.text);
    case "list":
      return element("ul", {}, ...block.items.map((item) => element("li", {}, item)));
    case "example":
      return element("blockquote", { class: "example" }, block.text);
    case "paragraph":
      return element("p", {}, block.text);
  }
}

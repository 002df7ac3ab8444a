/** Parts of the page, which the server made, and how texts are put into them: never as HTML. */

import type { Piece } from "./window";

/** The part of the page with that name. */
export function part<Kind extends HTMLElement = HTMLElement>(name: string): Kind {
  const found = document.querySelector<Kind>(`[data-part="${name}"]`);
  if (found === null) throw new Error(`The page has no part ${name}.`);
  return found;
}

/** A part that only some pages have. */
export function partOrNull(name: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-part="${name}"]`);
}

export function node<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}

/** A text with its differences marked; the style sheet shows or hides the marks. */
export function markedText(pieces: readonly Piece[]): Node[] {
  return pieces.map(({ text, kind }) => {
    if (kind === "same") return document.createTextNode(text);
    const [, before = "", words = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
    if (words === "") return document.createTextNode(text);
    const fragment = document.createDocumentFragment();
    fragment.append(before, node("mark", kind, words), after);
    return fragment;
  });
}

/** A sentence with its blanks filled in: `{n} of {total}`. */
export function filled(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (blank, name: string) => String(values[name] ?? blank));
}

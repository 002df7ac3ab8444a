/** Codings side by side, for adjudicating disagreements. */

import type { Code } from "./rule";
import { node, partOrNull } from "./shown";
import type { ColleaguesCoding } from "./window";

/** Shows one card for each coder; `take` is called with the number of the one whose codes are to be taken over. */
export function showOpinions(
  codings: readonly ColleaguesCoding[],
  scheme: readonly Code[],
  label: string,
  take: (coder: number) => void,
): void {
  const list = partOrNull("opinions");
  if (list === null) return;
  list.replaceChildren(
    ...codings.map((coding, index) => {
      const codes = coding.codes.map((code) => {
        const isShared = codings.every((one) => one.codes.includes(code));
        const description = scheme.find((one) => one.code === code)?.description ?? "";
        return node(
          "li",
          isShared ? "shared" : "differing",
          node("b", "code-name", code),
          node("span", "", description),
        );
      });
      const card = node("section", "opinion", node("h3", "", coding.coder), node("ul", "", ...codes));
      if (coding.note !== "") card.append(node("p", "opinion-note", coding.note));
      const button = node(
        "button",
        "button button-small",
        label,
        " ",
        node("kbd", "", String.fromCharCode(65 + index)),
      );
      button.type = "button";
      button.addEventListener("click", () => take(index));
      card.append(button);
      return card;
    }),
  );
}

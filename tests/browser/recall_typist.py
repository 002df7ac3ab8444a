"""A participant of sentence recall at a keyboard, and a recorder in the page of what it showed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from playwright.sync_api import Page

from tests.browser.typist import NEXT_SHEET, Typist

# Notes every sentence or word as it comes onto the page, and all that the page holds then and when the last has gone.
# Calls `sentenceBegins` at the onset of each sentence, where a test supplies that.
RECORDER = """
window.recorded = {shown: [], held: []};
const known = new WeakSet();
new MutationObserver((changes) => {
  for (const node of document.querySelectorAll(".recall-sentence")) {
    if (known.has(node)) continue;
    known.add(node);
    if (!known.has(node.parentNode)) window.sentenceBegins?.();
    known.add(node.parentNode);
    window.recorded.shown.push(node.textContent);
    window.recorded.held.push(document.documentElement.outerHTML);
  }
  const gone = changes.some((change) => [...change.removedNodes].some((node) => node.matches?.(".recall-sentence")));
  if (gone && !document.querySelector(".recall-sentence"))
    window.recorded.held.push(document.documentElement.outerHTML);
}).observe(document, {childList: true, subtree: true});
"""

# Everything a reader of the page could find in it, shadow trees, values of fields and storage included.
EVERYTHING = """() => {
  const parts = [document.title, document.documentElement.outerHTML, location.href, window.name,
                 JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}), document.cookie];
  const visit = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if ("value" in node) parts.push(String(node.value));
      if (node.shadowRoot) { parts.push(node.shadowRoot.innerHTML); visit(node.shadowRoot); }
      for (const part of ["::before", "::after"]) parts.push(getComputedStyle(node, part).content);
    }
  };
  visit(document);
  parts.push(...performance.getEntries().map((entry) => JSON.stringify(entry)));
  return parts.join("\\n");
}"""


@dataclass
class SolvedProblem:
    """A problem as the page showed it and what was typed."""

    problem: str
    answer: int


@dataclass
class Recalled:
    """One trial of sentence recall as the typist went through it."""

    sentence: str
    problems: list[SolvedProblem] = field(default_factory=list)
    recall: str = ""


def result_of(problem: str) -> int:
    """Return the result of a problem as it stands on the page, such as `71 − 18 =`."""
    match = re.fullmatch(r"(\d+) ([+−]) (\d+) =", problem)
    assert match, problem
    a, b = int(match[1]), int(match[3])
    return a + b if match[2] == "+" else a - b


class RecallTypist(Typist):
    """Goes through a study of sentence recall; `trials` holds what was done, in order."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.trials: list[Recalled] = []
        page.add_init_script(RECORDER)

    def begin(self, url: str) -> None:
        """Walk from the landing page through check and consent to the first trial."""
        self.page.goto(url)
        self.press_button("#landing [data-next]")
        # This paradigm needs a keyboard, so the check asks for a key.
        self.page.locator("#check-keyboard[data-state=waiting]").wait_for()
        self.page.keyboard.press("Space")
        self.pass_check()

    def last_shown(self) -> str:
        return str(self.page.evaluate("window.recorded.shown.at(-1)"))

    def shown(self) -> list[str]:
        return list(self.page.evaluate("window.recorded.shown"))

    def until(self, kind: str, most: int = 60) -> None:
        """Go on until the next page is of a kind: the first problem of a trial, a recall box."""
        for _ in range(most):
            if self.kind() == kind:
                return
            self.step()
        raise AssertionError(f"There was no page {kind} within {most} pages.")

    def step(self, *, answer: int | None = None, recall: str | None = None) -> str:
        """Answer the page that is open and return its kind."""
        kind = self.kind()
        if kind == "recall-problem":
            self.solve(answer)
        elif kind == "recall":
            self.recall(self.trials[-1].sentence if recall is None else recall)
        elif kind == "full-screen":
            self.mark()
            self.page.keyboard.press("Enter")
        elif kind == "page":
            return kind
        else:
            self.answer("")
        return kind

    def solve(self, answer: int | None = None) -> None:
        """Solve the problem that is open, rightly where no answer is given, and go on from the feedback."""
        sheet = self.page.locator(NEXT_SHEET).first
        problem = sheet.locator(".problem").inner_text()
        if not self.trials or self.trials[-1].recall or len(self.trials[-1].problems) == 2:
            self.trials.append(Recalled(self.last_shown()))
        given = result_of(problem) if answer is None else answer
        self.trials[-1].problems.append(SolvedProblem(problem, given))
        self.page.locator("#answer:focus").wait_for()
        self.mark()
        self.page.keyboard.type(str(given))
        practice = sheet_is_practice(self.page)
        self.page.keyboard.press("Enter")
        if practice:
            self.page.locator(".verdict:not(:empty)").wait_for()
            self.page.keyboard.press("Enter")

    def recall(self, text: str) -> None:
        self.page.locator("#recall:focus").wait_for()
        self.mark()
        self.page.keyboard.type(text)
        self.trials[-1].recall = text
        self.page.keyboard.press("Enter")


def sheet_is_practice(page: Page) -> bool:
    return page.locator(".where").inner_text().startswith(("Practice", "Übung"))

"""While the sentence is hidden nothing of it can be found: not in the page, not on the network, not in the console."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Response
from playwright.sync_api import Error as PlaywrightError

from experiments.formats.words import split_words
from tests.browser.platform import Platform
from tests.browser.recall_study import CAUSES, EFFECTS, write_recall_study
from tests.browser.recall_typist import EVERYTHING, RecallTypist
from tests.selection import only_in_full

pytestmark = pytest.mark.timing

TIMES = "ms_per_word = 200\nfixation_ms = 200\nblank_ms = 400"


@dataclass
class Wire:
    """Everything that went over the network and into the console since the onset of the sentence."""

    heard: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.expose_function("sentenceBegins", lambda: self.heard.clear())
        page.on("request", self.requested)
        page.on("response", self.responded)
        page.on("console", lambda message: self.heard.append(message.text))

    def requested(self, request: Request) -> None:
        self.heard.append(f"{request.url} {json.dumps(request.headers)} {request.post_data or ''}")

    def responded(self, response: Response) -> None:
        try:
            self.heard.append(f"{json.dumps(response.headers)} {response.text()}")
        except PlaywrightError:
            self.heard.append(json.dumps(response.headers))


def traces(sentence: str, text: str) -> list[str]:
    """Return what of a sentence stands in a text: any two words in a row, or a word that no page has by itself."""
    words = split_words(sentence)
    sought = [rf"{re.escape(a)}\W+{re.escape(b)}" for a, b in pairwise(words)]
    sought += [re.escape(word) for word in words if word in {*CAUSES, *EFFECTS, "chess", "friends", "fair"}]
    return [pattern for pattern in sought if re.search(rf"\b{pattern}\b", text, re.IGNORECASE)]


def reading_tree(page: Page) -> str:
    """Return what assistive technology is told of the page."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    return json.dumps(tree, ensure_ascii=False)


def assert_gone(typist: RecallTypist, wire: Wire, sentence: str) -> None:
    page = typist.page
    assert traces(sentence, page.evaluate(EVERYTHING)) == []
    assert traces(sentence, reading_tree(page)) == []
    assert traces(sentence, "\n".join(wire.heard)) == []
    longest = max(split_words(sentence), key=len)
    assert page.evaluate("word => window.find(word)", longest) is False


def test_the_search_finds_a_sentence_that_is_there() -> None:
    assert traces("There were delays because of frost.", "<p>… were  delays …</p>") == [r"were\W+delays", "delays"]
    assert traces("There were delays because of frost.", "because it was there") == []


@pytest.mark.parametrize(
    "presentation", ["word-by-word", only_in_full("a sentence that is shown whole and leaks", "whole")]
)
def test_nothing_of_a_hidden_sentence_is_in_page_network_or_console(
    platform: Platform, chromium: Browser, tmp_path: Path, presentation: str
) -> None:
    slug = f"hidden-{presentation}"
    settings = f'presentation = "{presentation}"\n{TIMES}'
    path = write_recall_study(tmp_path, slug=slug, items=2, settings=settings)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    typist = RecallTypist(page)
    wire = Wire()
    wire.listen(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    checked = 0
    for _ in range(60):
        kind = typist.kind()
        if kind in {"recall-problem", "recall"}:
            sentence = shown_sentence(typist, presentation)
            assert_gone(typist, wire, sentence)
            checked += 1
        typist.step(recall="Something else was typed.")
        if kind == "recall":
            page.evaluate("window.recorded.shown.splice(0)")
        if kind == "page":
            break
    assert checked == 4 * 3  # two problems and the box, in four trials
    context.close()


def shown_sentence(typist: RecallTypist, presentation: str) -> str:
    """Return the sentence of the trial that is open, from what the page showed."""
    shown = typist.shown()
    return shown[-1] if presentation == "whole" else " ".join(shown)


def test_word_by_word_the_page_never_holds_more_than_the_word_and_in_the_blank_nothing(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    slug = "hidden-words"
    path = write_recall_study(tmp_path, slug=slug, items=2, settings=f'presentation = "word-by-word"\n{TIMES}')
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    typist = RecallTypist(context.new_page())
    typist.begin(f"{platform.base_url}/s/{slug}/")
    typist.until("recall-problem")
    recorded = typist.page.evaluate("window.recorded")
    context.close()
    words = recorded["shown"]
    assert len(words) > 3
    assert len(recorded["held"]) == len(words) + 1  # one for each word and one for the blank
    for number, held in enumerate(recorded["held"]):
        others = [word for index, word in enumerate(words) if index != number and len(word) > 3]
        text = re.sub(r"<head>.*?</head>", "", held, flags=re.DOTALL)
        assert [word for word in others if re.search(rf">[^<]*\b{re.escape(word)}", text)] == []

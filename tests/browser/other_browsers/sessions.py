"""One short session of every paradigm: its study, how somebody takes part, and what is then expected in the export.

The participants are those of the tests in Chromium.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.browser.example_studies import write_example
from tests.browser.paper_study import write_study
from tests.browser.recall_study import write_recall_study
from tests.browser.recall_typist import RecallTypist
from tests.browser.sessions.test_comparison_session import shown_texts
from tests.browser.sessions.test_maze_session import SHOWN, texts_of_example
from tests.browser.sessions.test_maze_session import read as read_maze
from tests.browser.sessions.test_mouse_reading_session import read as read_with_mouse
from tests.browser.sessions.test_rating_session import QUESTIONS, rate_everything
from tests.browser.sessions.test_self_paced_session import read as read_with_keys
from tests.browser.sessions.test_timed_choice_session import QUICK, TARGET, answers_on
from tests.browser.sessions.test_typed_production_session import ProducingTypist
from tests.browser.typist import Typist
from tests.browser.waiting import wait_until

NUMBERS = ["50", "12,5", "7.25", "100", "0.5", "333"]
WORDS = ["butter", "Butter.", "naïve", "déjà-vu"]
MOST_PAGES = 80

Row = Mapping[str, str]


@dataclass(frozen=True)
class Session:
    """A study of one paradigm. `take_part` goes from its first trial to its end and returns what it answered, in order.

    `stored` reads the same from a row of the export. `begin_with` is what the check of the computer asks for.
    """

    write: Callable[[Path, str], Path]
    take_part: Callable[[Any], list[str]]
    stored: Callable[[Row], str]
    code: str
    begin_with: str = ""
    typist: Callable[[Any], Typist] = field(default=Typist)


def short_example(name: str, *, items: int, fillers: int = 2, **changes: str) -> Callable[[Path, str], Path]:
    """Return what writes an example with its first items, fillers and practice trial only."""

    def write(folder: Path, slug: str) -> Path:
        path = write_example(folder, slug=slug, name=name, changes=changes)
        materials = path.with_name("materials.csv")
        with materials.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        left = {"practice": 1, "filler": fillers, "target": items}
        kept = []
        for _, group in groupby(rows, key=lambda row: row["item"]):
            of_item = list(group)
            kind = "practice" if of_item[0]["is_practice"] == "true" else "filler"
            kind = kind if "true" in (of_item[0]["is_practice"], of_item[0]["is_filler"]) else "target"
            if left[kind]:
                left[kind] -= 1
                kept += of_item
        with materials.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(kept)
        return path

    return write


def pages_of(typist: Typist, answer: Callable[[str], bool]) -> None:
    """Go through all pages; `answer` says whether it has answered a kind of page, and what it has not is passed by."""
    for _ in range(MOST_PAGES):
        kind = typist.kind()
        if kind == "page":
            return
        if not answer(kind):
            typist.answer("5")
    raise AssertionError(f"The study did not end within {MOST_PAGES} pages.")


def judge(typist: Typist) -> list[str]:
    typist.finish(NUMBERS)
    return list(typist.typed.values())


def recall(typist: RecallTypist) -> list[str]:
    for _ in range(MOST_PAGES):
        if typist.step() == "page":
            return [trial.recall for trial in typist.trials]
    raise AssertionError(f"The study did not end within {MOST_PAGES} pages.")


def read_under_the_mouse(typist: Typist) -> list[str]:
    texts: list[str] = []

    def answer(kind: str) -> bool:
        if "reading" not in kind:
            return False
        if "reading-questions" in kind:
            for group in typist.page.locator(".sheet fieldset").all():
                group.locator("input[type=radio]").first.check()
        typist.mark()
        if kind == "reading":
            texts.append(" ".join(read_with_mouse(typist.page)))
        elif kind == "reading ratings":
            typist.page.keyboard.type("40")
        if kind != "reading":
            typist.page.keyboard.press("Enter")
        return True

    pages_of(typist, answer)
    return texts


def rate(typist: Typist) -> list[str]:
    pressed, _ = rate_everything(typist)
    return list(pressed.values())


def read_or_choose(typist: Typist, plugin: str, question: str, read: Callable[[], str]) -> list[str]:
    """Read every text, and answer questions with their first answer; return texts with answers."""
    read_texts: list[str] = []

    def answer(kind: str) -> bool:
        if kind == plugin:
            typist.mark()
            read_texts.append(f"{read()}|")
        elif kind == question:
            read_texts[-1] += typist.page.locator(".choice span:last-child").all_inner_texts()[0]
            typist.mark()
            typist.page.keyboard.press("1")
        else:
            return False
        return True

    pages_of(typist, answer)
    return read_texts


def press_through(typist: Typist) -> list[str]:
    return read_or_choose(
        typist, "self-paced-reading", "self-paced-question", lambda: " ".join(read_with_keys(typist.page)[0])
    )


def find_the_way(typist: Typist) -> list[str]:
    texts = texts_of_example()

    def read() -> str:
        wait_until(typist.page, f"{SHOWN}.join('') !== ''")
        return read_maze(typist.page, texts)[0]

    return read_or_choose(typist, "maze", "maze-question", read)


def choose_in_time(typist: Typist) -> list[str]:
    chosen: list[str] = []

    def answer(kind: str) -> bool:
        if kind != "timed-choice":
            return False
        keys = answers_on(typist.page)
        target = typist.page.locator(TARGET)
        target.wait_for()
        key = "f" if len(chosen) % 3 else "j"
        chosen.append(f"{target.inner_text()}: {keys[key]}")
        typist.mark()
        typist.page.keyboard.press(key)
        return True

    pages_of(typist, answer)
    return chosen


def produce(typist: ProducingTypist) -> list[str]:
    for _ in range(MOST_PAGES):
        if typist.step() == "page":
            return [answers[0] for answers in typist.given]
    raise AssertionError(f"The study did not end within {MOST_PAGES} pages.")


def compare(typist: Typist) -> list[str]:
    chosen: list[str] = []

    def answer(kind: str) -> bool:
        if kind != "comparison":
            return False
        key = "12"[len(chosen) % 2]
        chosen.append(f"{' || '.join(shown_texts(typist.page))}: {key}")
        typist.page.keyboard.press(key)
        typist.mark()
        typist.page.keyboard.press("Enter")
        return True

    pages_of(typist, answer)
    return chosen


def text_and_answer(row: Row) -> str:
    return f"{row['text']}|{row['question_answer']}"


# By the slug of the paradigm, which is the name of the plugin of its trials too.
SESSIONS: dict[str, Session] = {
    "magnitude-estimation": Session(
        lambda folder, slug: write_study(folder, slug=slug, items=8), judge, lambda row: row["typed"], "C0DE-FOR-TESTS"
    ),
    "sentence-recall": Session(
        lambda folder, slug: write_recall_study(folder, slug=slug), recall, lambda row: row["recall"],
        "C0DE-FOR-TESTS", begin_with="key", typist=RecallTypist,
    ),
    "mouse-contingent-reading": Session(
        short_example("mouse-reading", items=3), read_under_the_mouse, lambda row: row["text"],
        "READING-EXAMPLE", begin_with="mouse",
    ),
    "rating": Session(
        short_example("system-ratings", items=2), rate, lambda row: "".join(row[name] for name in QUESTIONS),
        "RATING-EXAMPLE",
    ),
    "self-paced-reading": Session(
        short_example("relative-clauses", items=4), press_through, text_and_answer, "READING-EXAMPLE", begin_with="key"
    ),
    "timed-choice": Session(
        short_example("masked-priming", items=4, fillers=4, **QUICK), choose_in_time,
        lambda row: f"{row['text']}: {row['choice']}", "PRIMING-EXAMPLE", begin_with="key",
    ),
    "typed-production": Session(
        short_example("cloze-sentences", items=6), produce, lambda row: row["response"], "CLOZE-EXAMPLE",
        typist=lambda page: ProducingTypist(page, lambda number, fields: [WORDS[number % 4]] * fields),
    ),
    "comparison": Session(
        short_example("simplified-sentences", items=6), compare,
        lambda row: f"{row['text']}: {row['first_place_rank']}", "COMPARE-EXAMPLE",
    ),
    "maze": Session(
        short_example("maze-agents", items=4), find_the_way, text_and_answer, "MAZE-EXAMPLE"
    ),
}  # fmt: skip


def begin(session: Session, page: Any, url: str) -> Typist:
    """Walk from the start page to the first trial, and show the check of the computer the device that it asks for."""
    typist = session.typist(page)
    page.goto(url)
    typist.press_button("#landing [data-next]")
    page.locator("#check").wait_for()
    if session.begin_with == "key":
        page.locator("#check-keyboard[data-state=waiting]").wait_for()
        page.keyboard.press("Space")
    elif session.begin_with == "mouse":
        page.mouse.move(200, 200)
        page.mouse.move(260, 240)
    typist.pass_check()
    return typist

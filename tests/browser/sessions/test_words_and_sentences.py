"""The example of several parts in Chromium: background, words, judgements, recall; two groups; somebody screened out.

What was pressed and typed is what is exported, for every part.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.recall_typist import RecallTypist
from tests.browser.typist import NEXT_SHEET, Typist

CODE = "PARTS-EXAMPLE"
SLUG = "words-and-sentences-taken"
TARGET = ".sheet.timed-choice:not([data-seen]) .choice-text.target"
TASKS = ("timed-choice", "magnitude-estimation", "sentence-recall")


def answer_background(page: Page, *, age: str, home: str) -> None:
    """Answer the questions about languages by keyboard and mouse, and go on."""
    page.get_by_label("How old are you?").fill(age)
    page.get_by_label(home, exact=True).check()
    row = page.locator(".language input")
    for place, typed in enumerate(("English", "0", "34")):
        row.nth(place).fill(typed)
    for skill in page.locator(".language select").all():
        skill.select_option("9")
    slider = page.locator("input[type=range]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.locator("button.primary").click()


@dataclass
class Done:
    """What a participant did, in order of the parts, and for every text."""

    pages: list[str] = field(default_factory=list)
    pressed: dict[str, str] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)


def take_part(typist: RecallTypist) -> Done:
    """Go through all parts from the background questions to the debriefing."""
    page, done = typist.page, Done()
    looked: set[str] = set()
    for _ in range(300):
        kind = typist.kind()
        if kind == "page" and not page.get_by_text(CODE).count():
            # What comes next is being asked for, or the last answers are on their way.
            page.wait_for_timeout(100)
            continue
        plugin = kind.split()[0]
        if plugin not in looked:
            looked.add(plugin)
            done.found += violations(page, plugin, WCAG)
        if not done.pages or done.pages[-1] != plugin:
            done.pages.append(plugin)
        if kind == "page":
            return done
        if plugin == "questions":
            typist.mark()
            answer_background(page, age="34", home="English")
        elif plugin == "timed-choice":
            page.locator(TARGET).wait_for()
            text = page.locator(TARGET).inner_text()
            labels = dict(label.split()[::-1] for label in page.locator(".choice-answer").all_inner_texts())
            key = "f" if len(done.pressed) % 3 else "j"
            typist.mark()
            page.keyboard.press(key)
            done.pressed[text] = {name.lower(): word for name, word in labels.items()}[key]
        elif plugin == "magnitude-estimation":
            typist.answer(str(10 + len(typist.seen)))
        else:
            typist.step()
    raise AssertionError("The study did not end in time.")


def rows_of(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_two_people_go_through_all_parts_and_a_third_is_screened_out(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    path = write_example(tmp_path / "study", slug=SLUG, name="words-and-sentences")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    address = f"{platform.base_url}/s/{SLUG}/"
    problems: list[str] = []
    people: list[tuple[RecallTypist, Done]] = []

    def somebody() -> RecallTypist:
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        typist = RecallTypist(page)
        typist.begin(address)
        return typist

    third = somebody()
    assert third.kind() == "questions"
    third.mark()
    answer_background(third.page, age="34", home="another language")
    expect(third.page.get_by_role("heading", name="this study is not for you")).to_be_visible()
    expect(third.page.get_by_text(CODE)).to_have_count(0)
    found = violations(third.page, "screened out", WCAG)
    third.page.context.close()
    for _ in range(2):
        typist = somebody()
        done = take_part(typist)
        expect(typist.page.get_by_text(CODE)).to_be_visible()
        expect(typist.page.get_by_text("What the study was about")).to_be_visible()
        typist.page.context.close()
        people.append((typist, done))
        found += done.found
    assert problems == []
    assert found == [], "\n".join(found)

    data = tmp_path / "data"
    rows = trials_of(platform, SLUG, data)
    sessions = rows_of(data, "sessions.csv")
    assert [session["outcome"] for session in sessions] == ["screened-out", "completed", "completed"]
    assert sessions[0]["group"] == sessions[0]["order"] == "", "nothing was decided for who was screened out"
    finished = sessions[1:]
    assert {session["group"] for session in finished} == {"reading", "picturing"}
    assert {row["plugin"] for row in rows if row["session"] == sessions[0]["session"]} <= {"background-questions"}
    of_session: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        of_session[row["session"]].append(row)
    for session, (typist, done) in zip(finished, people, strict=True):
        own = of_session[session["session"]]
        check_parts(own, session, done)
        words = [row for row in own if row["plugin"] == "timed-choice"]
        assert {row["text"]: row["choice"] for row in words} == done.pressed
        assert len(words) == 2 + 8 + 8
        assert all(row["correct"] == str(row["choice"] == row["right_answer"]).lower() for row in words)
        judged = [row for row in own if row["plugin"] == "magnitude-estimation" and row["phase"] != "modulus"]
        assert {row["text"]: row["typed"] for row in judged} == typist.typed
        assert all(float(row["modulus"]) == float(typist.modulus) for row in judged)
        assert len(typist.typed) == 1 + 4
        recalled = [row for row in own if row["plugin"] == "sentence-recall"]
        assert [(row["text"], row["recall"]) for row in recalled] == [
            (trial.sentence, trial.recall) for trial in typist.trials
        ]
        assert [row["arithmetic_answers"] for row in recalled] == [
            str(trial.problems[0].answer) for trial in typist.trials
        ]
    answers = rows_of(data, "participants.csv")
    said: list[Any] = [(float(row["age"]), row["home"]) for row in answers]
    assert sorted(said) == [(34, "English"), (34, "English"), (34, "another language")]
    platform.manage("check_data", SLUG)


def check_parts(rows: list[dict[str, str]], session: dict[str, str], done: Done) -> None:
    """The parts came in the order that was decided, and the page for one group was seen by it alone."""
    order = list(dict.fromkeys(row["part"] for row in rows if row["plugin"] in TASKS))
    assert order == ["words", *session["order"].split()]
    assert sorted(session["order"].split()) == ["judging", "recall"]
    seen = [plugin for plugin in done.pages if plugin in {"timed-choice", "magnitude-estimation"}]
    assert seen == ["timed-choice", "magnitude-estimation"]


FOR_SOME = """
slug = "{slug}"
title = "Parts for some people"
language = "en"
responsible = "Example Language Laboratory"
contact = "studies@example.org"
estimated_minutes = 2
data_protection_note = "Answers are kept under pseudonyms."

[procedure]
completion_code = "FOR-SOME"

[[parts]]
name = "about"
kind = "questionnaire"
questions = [
  {{ name = "pet", label = "What is your pet called?", kind = "text", decline = false }},
  {{ name = "kind", label = "What is it?", kind = "choice", choices = ["an otter", "a cat"], required = true }},
]

[[parts]]
name = "otters"
kind = "page"
markup = "markdown"
body = "# Otters\\n\\nSo **{{answer:pet|your pet}}** swims."
minimum_seconds = 1
shown_if = {{ question = "kind", operator = "is", value = "an otter" }}

[[parts]]
name = "judge"
paradigm = "magnitude-estimation"
instructions = "Think of {{answer:kind}} now."

[parts.settings]
modulus_text = "The door was by the porter opened."
line_length_training = false
break_every = 0
[parts.procedure]
leading_fillers = 0

[[parts]]
name = "after"
kind = "questionnaire"
[[parts.questions]]
name = "well"
label = "Is {{answer:pet|it}} well?"
kind = "choice"
choices = ["yes", "no"]
required = true
"""


@pytest.mark.parametrize(("pet", "kind", "shown"), [("رغيف <b>", "an otter", "رغيف <b>"), ("", "a cat", "it")])
def test_a_part_for_some_people_and_what_was_answered_in_later_texts(
    platform: Platform, chromium: Browser, tmp_path: Path, pet: str, kind: str, shown: str
) -> None:
    slug = f"for-some-{kind.split()[-1]}"
    (tmp_path / "study.toml").write_text(FOR_SOME.format(slug=slug), encoding="utf-8")
    materials = "item,text,order\n1,The first sentence.,a\n1,First the sentence.,b\n2,One more.,a\n2,More one.,b\n"
    (tmp_path / "materials-judge.csv").write_text(materials, encoding="utf-8")
    platform.manage("create_study", str(tmp_path / "study.toml"), "--owner", "researcher", "--open")
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    assert typist.kind() == "questions"
    typist.mark()
    page.get_by_label("What is your pet called?").fill(pet)
    page.get_by_label(kind, exact=True).check()
    page.locator("button.primary").click()
    seen: list[str] = []
    for _ in range(200):
        plugin = typist.kind()
        if plugin == "page":
            if page.get_by_text("FOR-SOME").count():
                break
            page.wait_for_timeout(100)
            continue
        screen = page.locator(NEXT_SHEET).first
        seen.append(screen.inner_text())
        if "Otters" in seen[-1]:
            assert screen.locator("strong").inner_text() == f"\u2068{pet}\u2069"
            assert screen.locator("b").count() == 0
            going_on = screen.locator("button")
            assert going_on.is_disabled()
            page.keyboard.press("Enter")
            expect(going_on).to_have_text("Continue")
        typist.answer("5")
    said = "\n".join(seen).replace("\u2068", "").replace("\u2069", "")
    assert (f"So {pet} swims." in said) == (kind == "an otter")
    assert "Otters" not in said or kind == "an otter"
    assert f"Think of {kind} now." in said
    assert f"Is {shown} well?" in said
    assert "{answer" not in said
    page.close()
    rows = trials_of(platform, slug, tmp_path / "data")
    times = [float(row["rt_ms"]) for row in rows if row["plugin"] == "pages"]
    assert kind == "a cat" or max(times) >= 1_000, "nobody goes on before the second is over"
    with (tmp_path / "data" / "participants.csv").open(encoding="utf-8", newline="") as file:
        (person,) = csv.DictReader(file)
    assert person["parts_skipped"] == ("" if kind == "an otter" else "otters")
    platform.manage("check_data", slug)

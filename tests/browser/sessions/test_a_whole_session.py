"""A real participant's road in Chromium: 144 judgements typed by keyboard alone, exported and compared one by one."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Error as PlaywrightError

from tests.browser.exported import trials_of
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform
from tests.browser.typist import Typist
from tests.selection import only_in_full

# Points and commas, whole numbers and fractions, small and large: everything that may be typed.
NUMBERS = ["50", "12,5", "7.25", "100", "0.5", "333", "1", "80,0", "111111", "64"]


def as_number(typed: str) -> float:
    return float(typed.replace(",", "."))


@pytest.fixture(scope="module")
def study(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> str:
    slug = "whole-session"
    path = write_study(tmp_path_factory.mktemp("study"), slug=slug)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    return slug


def assert_exported_as_typed(typist: Typist, rows: list[dict[str, str]]) -> None:
    """Every judgement that was typed is exported once, with number, modulus and time, and none besides."""
    judged = [row for row in rows if row["plugin"] == "magnitude-estimation" and row["phase"] != "modulus"]
    assert Counter(row["text"] for row in judged) == Counter(typist.typed.keys())
    for row in judged:
        assert row["typed"] == typist.typed[row["text"]]
        assert float(row["rating"]) == as_number(typist.typed[row["text"]])
        assert float(row["modulus"]) == as_number(typist.modulus)
        # 0 where this typist, who does not read, answered before the sentence was presented.
        assert float(row["rt_ms"]) >= 0
        assert row["clock"] in {"element-timing", "animation-frame"}


@pytest.mark.full("what a quiet whole session breaks and one with faults does not")
def test_144_judgements_typed_in_a_browser_are_exported_exactly_as_typed(
    platform: Platform, browser: Browser, study: str, tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{study}/")
    typist.finish(NUMBERS)
    expect(page.get_by_text("C0DE-FOR-TESTS")).to_be_visible()
    context.close()

    assert problems == []
    assert len(typist.typed) == 145  # 144 items and one practice sentence
    rows = trials_of(platform, study, tmp_path)
    mine = [row for row in rows if row["participant"] == rows[-1]["participant"]]
    assert_exported_as_typed(typist, mine)
    targets = [row for row in mine if row["phase"] == "main" and row["plugin"] == "magnitude-estimation"]
    assert len({row["item"] for row in targets}) == 144
    assert set(Counter((row["marker"], row["order"]) for row in targets).values()) == {18}
    assert [int(row["position"]) for row in mine] == list(
        range(int(mine[0]["position"]), int(mine[0]["position"]) + len(mine))
    )
    assert {row["interrupted"] for row in targets} == {"false"}
    platform.manage("check_data", study)  # ends with an error where an invariant is violated


@pytest.mark.parametrize("seconds", [3, only_in_full("answers that a whole minute without a connection loses", 60)])
def test_a_reload_a_killed_tab_and_a_time_offline_lose_nothing(
    platform: Platform, browser: Browser, study: str, tmp_path: Path, seconds: int
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    typist = Typist(context.new_page())
    typist.begin(f"{platform.base_url}/s/{study}/")
    answer_until(typist, 30)

    # A reload in the middle of a trial comes back to the same sentence.
    typist.kind()
    before = typist.page.locator(".stimulus").inner_text()
    typist.page.reload()
    typist.kind()
    assert typist.page.locator(".stimulus").inner_text() == before
    answer_until(typist, 60)

    # The tab's process dies without a word; the same link goes on where it was.
    typist.kind()
    before = typist.page.locator(".stimulus").inner_text()
    crash_tab(typist)
    typist.page = context.new_page()
    typist.page.goto(f"{platform.base_url}/s/{study}/run/")
    typist.kind()
    assert typist.page.locator(".stimulus").inner_text() == before
    answer_until(typist, 80)

    # A while without a connection: the participant goes on, nothing interrupts, and the answers follow later.
    context.set_offline(True)
    answer_until(typist, 120)
    expect(typist.page.locator(".connection")).not_to_be_empty()
    typist.page.wait_for_timeout(seconds * 1000)
    context.set_offline(False)
    typist.finish(NUMBERS)
    expect(typist.page.get_by_text("C0DE-FOR-TESTS")).to_be_visible()
    context.close()

    assert len(typist.typed) == 145
    rows = trials_of(platform, study, tmp_path)
    mine = [row for row in rows if row["participant"] == rows[-1]["participant"]]
    assert_exported_as_typed(typist, mine)
    interrupted = [row["text"] for row in mine if row["interrupted"] == "true"]
    assert len(interrupted) == 2  # the trial that was reloaded and the one whose tab died, marked as such
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert "trials.csv" in json.dumps(manifest)


def answer_until(typist: Typist, judgements: int) -> None:
    """Answer until that many sentences have been judged."""
    while len(typist.typed) < judgements:
        typist.answer(NUMBERS[len(typist.seen) % len(NUMBERS)])


def crash_tab(typist: Typist) -> None:
    """Kill the process behind the page, as the system does when memory runs out."""
    with typist.page.expect_event("crash"), contextlib.suppress(PlaywrightError):
        typist.page.goto("chrome://crash")
    typist.page.close()


def test_a_finished_block_is_not_repeated_because_its_last_answers_had_not_been_sent(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    slug = "block-by-block"
    path = write_study(
        tmp_path / "study", slug=slug, items=16, settings="line_length_training = false\nbreak_every = 8"
    )
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("[procedure]", '[procedure]\nresume = "restart-block"'), encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    typist = Typist(context.new_page())
    typist.begin(f"{platform.base_url}/s/{slug}/")
    answer_until(typist, 4)
    context.set_offline(True)
    while typist.kind() != "break":
        typist.answer(NUMBERS[len(typist.seen) % len(NUMBERS)])
    of_first_block = list(typist.seen)
    typist.page.close()
    context.set_offline(False)
    typist.page = context.new_page()
    typist.page.goto(f"{platform.base_url}/s/{slug}/run/")
    typist.finish(NUMBERS)
    expect(typist.page.get_by_text("C0DE-FOR-TESTS")).to_be_visible()
    context.close()
    assert len(typist.seen) == len(set(typist.seen)), "nothing was shown twice"
    assert of_first_block
    assert_exported_as_typed(typist, trials_of(platform, slug, tmp_path))

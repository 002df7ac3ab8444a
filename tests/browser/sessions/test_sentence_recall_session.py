"""A session of sentence recall in Chromium, by real typing, and what of it arrives in the export."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from experiments.formats.words import count_words
from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.recall_study import write_recall_study
from tests.browser.recall_typist import RecallTypist
from tests.browser.waiting import wait_until

pytestmark = pytest.mark.timing

MS_PER_WORD = 150
SETTINGS = f"ms_per_word = {MS_PER_WORD}\nfixation_ms = 200\nblank_ms = 200\nkeystroke_log = true\nbreak_every = 4"


@pytest.fixture(scope="module")
def study(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> str:
    slug = "recall-session"
    path = write_recall_study(tmp_path_factory.mktemp("study"), slug=slug, items=8, settings=SETTINGS)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    return slug


def begun(platform: Platform, page: Page, slug: str) -> RecallTypist:
    typist = RecallTypist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    return typist


def rows_of(platform: Platform, slug: str, folder: Path) -> list[dict[str, str]]:
    """Export and return the recall trials of the participant who came last."""
    rows = trials_of(platform, slug, folder)
    return [
        row
        for row in rows
        if row["participant"] == rows[-1]["participant"] and row["plugin"] == "sentence-recall"
    ]  # fmt: skip


def recall_for(number: int, sentence: str) -> str:
    """What is typed for the n-th sentence: whole, cut short, with other words, with characters of all kinds."""
    words = sentence.split()
    return [sentence, " ".join(words[:3]), f"{words[-1]} … “so” — naïve, 100 % & <b>", "I am not sure 🙂"][number % 4]


def test_a_session_typed_in_a_browser_is_exported_exactly_as_typed(
    platform: Platform, chromium: Browser, study: str, tmp_path: Path
) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    typist = begun(platform, page, study)
    solved = 0
    for _ in range(100):
        kind = typist.kind()
        if kind == "recall-problem":
            solved += 1
            typist.step(answer=-7 if solved % 5 == 0 else None)
        elif kind == "recall":
            typist.step(recall=recall_for(len(typist.trials), typist.trials[-1].sentence))
        elif typist.step() == "page":
            break
    expect(page.get_by_text("C0DE-FOR-TESTS")).to_be_visible()
    context.close()

    assert problems == []
    assert len(typist.trials) == 10  # 8 items, a filler and a practice sentence
    rows = rows_of(platform, study, tmp_path)
    assert [row["text"] for row in rows] == [trial.sentence for trial in typist.trials]
    for row, trial in zip(rows, typist.trials, strict=True):
        shown = [solved.problem.removesuffix(" =") for solved in trial.problems]
        right = sum(answer_is_right(solved.problem, solved.answer) for solved in trial.problems)
        words = count_words(trial.sentence)
        assert row["recall"] == trial.recall
        assert row["arithmetic_problems"] == "; ".join(shown)
        assert row["arithmetic_answers"] == "; ".join(str(solved.answer) for solved in trial.problems)
        assert (int(row["arithmetic_total"]), int(row["arithmetic_correct"])) == (2, right)
        assert int(row["words"]) == words
        assert float(row["display_intended_ms"]) == words * MS_PER_WORD
        assert abs(float(row["display_measured_ms"]) - words * MS_PER_WORD) < 100 or row["display_flagged"] == "true"
        assert float(row["rt_ms"]) >= float(row["typing_ms"]) >= 0
        assert row["recall_first_key_ms"] != ""
        assert [row[name] for name in ("paste_attempts", "drop_attempts", "copy_attempts", "edits")] == ["0"] * 4
        assert row["interrupted"] == "false"
    assert any(row["arithmetic_correct"] == "1" for row in rows)
    assert any(float(row["typing_ms"]) > 0 for row in rows)
    assert_log_leads_to_recalls(tmp_path / "events.csv", rows)
    platform.manage("check_data", study)  # ends with an error where an invariant is violated


def answer_is_right(problem: str, answer: int) -> bool:
    match = re.fullmatch(r"(\d+) ([+−]) (\d+) =", problem)
    assert match
    a, b = int(match[1]), int(match[3])
    return answer == (a + b if match[2] == "+" else a - b)


def assert_log_leads_to_recalls(path: Path, rows: list[dict[str, str]]) -> None:
    """The keystroke log of each trial, replayed, is the recall."""
    with path.open(encoding="utf-8", newline="") as file:
        logged = list(csv.DictReader(file))
    for row in rows:
        text: list[str] = []
        mine = [e for e in logged if (e["session"], e["position"]) == (row["session"], row["position"])]
        for event in mine:
            change = json.loads(event["event"])
            text[change["from"] : change["from"] + change["removed"]] = list(change["typed"])
            assert float(event["t_ms"]) >= float(row["onset_ms"])
        assert "".join(text) == row["recall"]


@pytest.mark.full("a reload, a paste or a window that leaves recall in a state of its own")
def test_what_would_help_the_memory_is_refused_and_counted(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    # Sentences stay long enough for somebody to try a copy of one.
    slow = SETTINGS.replace(f"ms_per_word = {MS_PER_WORD}", "ms_per_word = 500")
    study = "recall-helped"
    path = write_recall_study(tmp_path / "study", slug=study, items=2, settings=slow)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=platform.base_url)
    page = context.new_page()
    typist = begun(platform, page, study)
    typist.until("recall-problem")
    typist.solve()
    typist.until("recall")
    typist.step()
    # Copying while the sentence is on the page.
    page.wait_for_selector(".recall-sentence")
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+C")
    typist.until("recall")
    page.evaluate("navigator.clipboard.writeText('taken from elsewhere')")
    box = page.locator("#recall")
    page.keyboard.type("mine")
    page.keyboard.press("Control+V")
    expect(page.locator("#recall-message")).to_have_text("Nothing can be pasted here. Please type what you remember.")
    expect(box).to_have_value("mine")
    drop_text(page, "taken from elsewhere")
    expect(box).to_have_value("mine")
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+X")
    expect(page.locator("#recall-message")).to_have_text("Nothing can be copied here. Please go on by typing.")
    expect(box).to_have_value("mine")
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    page.keyboard.type("k")
    typist.mark()
    page.keyboard.press("Enter")
    finish(typist)
    context.close()

    row = rows_of(platform, study, tmp_path)[1]
    assert row["recall"] == "mink"
    counted = [row[name] for name in ("paste_attempts", "drop_attempts", "copy_attempts", "edits")]
    assert counted == ["1", "1", "2", "1"]


def finish(typist: RecallTypist) -> None:
    for _ in range(100):
        if typist.step() == "page":
            break
    expect(typist.page.get_by_text("C0DE-FOR-TESTS")).to_be_visible()


def drop_text(page: Page, text: str) -> None:
    """Drop a text onto the recall box as a person does who drags it over from another window."""
    box = page.locator("#recall").bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    data = {"items": [{"mimeType": "text/plain", "data": text}], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": box["x"] + 50, "y": box["y"] + 50, "data": data})


@pytest.mark.full("a reload, a paste or a window that leaves recall in a state of its own")
def test_a_reload_during_recall_shows_the_sentence_again_and_marks_the_trial(
    platform: Platform, chromium: Browser, study: str, tmp_path: Path
) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    typist = begun(platform, context.new_page(), study)
    typist.until("recall")
    typist.step()
    typist.until("recall")
    sentence = typist.trials[-1].sentence
    typist.page.keyboard.type("half of")
    typist.page.reload()
    typist.trials.pop()
    typist.until("recall")
    assert typist.shown() == [sentence]
    assert typist.trials[-1].sentence == sentence
    # What had been typed is there again, as in every field; this person replaces it.
    typist.page.keyboard.press("Control+a")
    finish(typist)
    context.close()

    rows = rows_of(platform, study, tmp_path)
    assert [row["interrupted"] for row in rows] == ["false", "true"] + ["false"] * 8
    assert rows[1]["recall"] == sentence
    assert rows[1]["attempts"] == "2"


def test_practice_says_whether_an_answer_is_right_and_goes_on_without_a_connection(
    platform: Platform, chromium: Browser, study: str
) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    typist = begun(platform, page, study)
    typist.until("recall-problem")
    page.keyboard.type("-999")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("That is not right.")
    typist.mark()
    page.keyboard.press("Enter")
    assert typist.kind() == "recall-problem"
    page.route("**/session/check/", lambda route: route.abort())
    page.keyboard.type("1")
    typist.mark()
    page.keyboard.press("Enter")
    assert typist.kind() == "recall"
    context.close()


def test_a_composed_text_is_recalled_as_it_was_composed(platform: Platform, chromium: Browser, study: str) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    typist = begun(platform, page, study)
    typist.until("recall")
    keyboard = context.new_cdp_session(page)
    for composed in ("あ", "あm", "あめ"):
        keyboard.send("Input.imeSetComposition", {"text": composed, "selectionStart": 1, "selectionEnd": 1})
    keyboard.send("Input.insertText", {"text": "雨"})
    expect(page.locator("#recall")).to_have_value("雨")
    with page.expect_request("**/session/results/") as sent:
        page.keyboard.press("Enter")
    result = next(entry for entry in json.loads(sent.value.post_data or "")["entries"] if entry["kind"] == "result")
    assert result["payload"]["recall"] == "雨"
    assert result["payload"]["edits"] == 0
    context.close()


@pytest.mark.full("a reload, a paste or a window that leaves recall in a state of its own")
def test_full_screen_is_asked_for_and_asked_back(platform: Platform, chromium: Browser, tmp_path: Path) -> None:
    slug = "recall-full-screen"
    path = write_recall_study(tmp_path / "study", slug=slug, items=2, settings=f"full_screen = true\n{SETTINGS}")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    typist = begun(platform, page, slug)
    typist.until("full-screen")
    assert typist.shown() == []
    typist.until("recall")
    assert page.evaluate("document.fullscreenElement !== null")
    page.evaluate("document.exitFullscreen()")
    wait_until(page, "document.fullscreenElement === null")
    typist.step()
    assert typist.kind() == "full-screen"
    assert len(typist.shown()) == 1
    expect(page.locator(".full-screen")).to_contain_text("You have left the whole screen.")
    finish(typist)
    context.close()
    assert [row["full_screen_exits"] for row in rows_of(platform, slug, tmp_path / "data")] == ["1", "0", "0", "0"]

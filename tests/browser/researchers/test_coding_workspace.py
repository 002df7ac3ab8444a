"""Coding and settling by keyboard in a real browser: what was typed is stored, also after the server was away."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.platform import Platform
from tests.browser.waiting import wait_until

# Everybody has a queue of their own in the first study, so that no test rests on another; the second is coded already.
from tests.selection import only_in_full

CODERS = ("anna", "ben", "cleo", "dora", "emil", "fay", "gus", "hal", "ida")
STUDY = f"""
from tests.analysis.recalls import add_recalls, make_recall_study, user_named
from analysis.coding import queues, saving
from experiments.study.lifecycle import save_member

def person(name):
    user = user_named(name)
    user.set_password("a-password-for-tests")
    user.save()
    return user

def queue(study, name, seed):
    save_member(study, person(name), "coder", study.owner)
    return queues.create_queue(study, coder=person(name), user=study.owner, is_second=seed > 1, seed=seed)

person("owner")
first = make_recall_study("coding-by-key")
add_recalls(first, 4)
for seed, name in enumerate({CODERS!r}, start=1):
    queue(first, name, seed)
second = make_recall_study("coding-settled")
add_recalls(second, 4)
for seed, name in enumerate(("anna", "ben"), start=1):
    coder = queue(second, name, seed)
    for view in queues.items(coder, count=12):
        saving.save(coder, view.recall_id, ["0"] if seed == 1 else ["3", "4"], seconds=5, note="B is gone" * (seed - 1))
"""
# Whether leaving would be asked about.
LEAVING = """() => {
    const leaving = new Event("beforeunload", {cancelable: true});
    window.dispatchEvent(leaving);
    return leaving.defaultPrevented;
}"""
WORK = "/admin/studies/coding-by-key/code/work/"
ADJUDICATE = "/admin/studies/coding-settled/code/adjudicate/"


@pytest.fixture(scope="module")
def coding(platform: Platform) -> Platform:
    """Return the platform with two studies of 16 recalls."""
    platform.manage("shell", "-v", "0", "-c", STUDY)
    return platform


@pytest.fixture
def window(browser: Browser) -> Iterator[Page]:
    """Return a window; whatever it logs as an error fails the test."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if "Content Security" in message.text else None)
    yield page
    page.close()
    assert errors == []


def codes_of(page: Page, platform: Platform, coder: str) -> list[tuple[str, str]]:
    """Return codes and note of what is stored of the coder who is logged in, in the order of the queue."""
    number = CODERS.index(coder) + 1
    address = f"{platform.base_url}/admin/studies/coding-by-key/code/coders/{number}/sheet.csv"
    table = csv.DictReader(io.StringIO(page.request.get(address).text().removeprefix("\ufeff")))
    return [(row["codes"], row["note"]) for row in table if row["codes"]]


def open_as(page: Page, platform: Platform, name: str, address: str) -> None:
    page.goto(f"{platform.base_url}/admin/login/?next={address}")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", "a-password-for-tests")
    page.press("input[name=password]", "Enter")
    page.wait_for_url(f"**{address}")
    expect(part(page, "stimulus")).not_to_be_empty()


def part(page: Page, name: str) -> Locator:
    return page.locator(f"[data-part='{name}']")


def chosen(page: Page) -> list[str]:
    codes: list[str] = page.eval_on_selector_all("[data-code]:checked", "boxes => boxes.map(box => box.value)")
    return codes


@pytest.mark.full("codes that a long run of keys mixes up")
def test_twelve_recalls_are_coded_by_keyboard_and_stored_as_they_were_typed(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "anna", WORK)
    loads: list[str] = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    typed = ["0", "1", "34", "243", "5", "6", "2", "23", "4", "0", "3", "24"]
    expected = ["0", "1", "3;4", "2;3;4", "5", "6", "2", "2;3", "4", "0", "3", "2;4"]
    for number, keys in enumerate(typed, start=1):
        expect(part(page, "number")).to_have_text(str(number))
        for key in keys:
            page.keyboard.press(key)
        if number == 3:
            page.keyboard.press("n")
            page.keyboard.type("0 or 1? 34")
            page.keyboard.press("Enter")
        page.keyboard.press("Enter")
    expect(part(page, "number")).to_have_text("13")
    expect(part(page, "coded")).to_have_text("12")
    expect(part(page, "pace")).to_contain_text("s each")
    expect(part(page, "unsent")).to_have_text("All saved")
    assert loads == []

    notes = ["0 or 1? 34" if number == 3 else "" for number in range(1, 13)]
    assert codes_of(page, coding, "anna") == list(zip(expected, notes, strict=True))

    # What was coded is there after a reload, and the page goes on where it was.
    page.reload()
    expect(part(page, "number")).to_have_text("13")
    page.keyboard.press("Backspace")
    expect(part(page, "number")).to_have_text("12")
    assert chosen(page) == ["2", "4"]


def test_a_code_that_stands_alone_sends_the_others_away_and_says_so(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "ben", WORK)
    page.keyboard.press("3")
    page.keyboard.press("4")
    assert chosen(page) == ["3", "4"]
    page.keyboard.press("0")
    assert chosen(page) == ["0"]
    expect(part(page, "notice")).to_have_text("0 instead of 3, 4: they cannot be combined.")
    page.locator("label", has_text="Clause B").click()
    assert chosen(page) == ["3"]
    page.keyboard.press("3")
    assert chosen(page) == []
    page.keyboard.press("Enter")
    expect(part(page, "notice")).to_have_text("Choose at least one code first.")
    expect(part(page, "number")).to_have_text("1")


def test_the_next_recall_appears_while_the_server_still_stores_the_one_before(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "cleo", WORK)
    held: list[Route] = []
    page.route("**/code/work/save/", lambda route: route.continue_() if held else held.append(route))
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    expect(part(page, "number")).to_have_text("2")
    expect(part(page, "unsent")).to_have_text("Saving")
    wait_until(page, lambda: len(held) == 1)
    # From the key to the changed text, on the clock of the page.
    milliseconds = page.evaluate(
        """() => new Promise(resolve => {
            const number = document.querySelector("[data-part='number']");
            const started = performance.now();
            new MutationObserver(() => resolve(performance.now() - started)).observe(number, {childList: true});
            document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "1", bubbles: true}));
            document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
        })"""
    )
    print(f"the next recall after {milliseconds:.1f} ms")  # noqa: T201
    expect(part(page, "number")).to_have_text("3")
    held[0].continue_()
    expect(part(page, "unsent")).to_have_text("All saved")
    assert codes_of(page, coding, "cleo") == [("0", ""), ("1", "")]


def test_undo_takes_back_what_was_saved_last(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "dora", WORK)
    for key in "06":
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    expect(part(page, "number")).to_have_text("3")
    page.keyboard.press("u")
    expect(part(page, "number")).to_have_text("2")
    expect(part(page, "notice")).to_have_text("Undone: this one is no longer coded.")
    assert codes_of(page, coding, "dora") == [("0", "")]
    page.keyboard.press("u")
    expect(part(page, "number")).to_have_text("1")
    expect(part(page, "coded")).to_have_text("0")
    assert codes_of(page, coding, "dora") == []


def test_a_suggestion_is_seen_before_it_is_taken_over(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "emil", WORK)
    for _ in range(16):
        page.keyboard.press("s")
        if part(page, "suggestion").is_visible():
            break
        page.keyboard.press("0")
        page.keyboard.press("Enter")
    assert chosen(page) == []
    expect(part(page, "suggestion-reasons").locator("li").first).not_to_be_empty()
    suggested = part(page, "suggestion-codes").inner_text().split(", ")
    page.keyboard.press("s")
    assert chosen(page) == suggested


def test_codings_wait_while_the_server_is_away_and_arrive_when_it_is_back(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "fay", WORK)
    page.context.set_offline(True)
    for key in "34":
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    expect(part(page, "number")).to_have_text("3")
    expect(part(page, "unsent")).to_contain_text("2 not sent yet")
    assert page.evaluate(LEAVING) is True
    page.context.set_offline(False)
    expect(part(page, "unsent")).to_have_text("All saved")
    assert page.evaluate(LEAVING) is False
    assert codes_of(page, coding, "fay") == [("3", ""), ("4", "")]


def test_what_waited_in_a_window_that_was_closed_is_sent_by_the_next(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "gus", WORK)
    page.route("**/code/work/save/", lambda route: route.abort())
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    expect(part(page, "unsent")).to_contain_text("1 not sent yet")
    page.goto("about:blank")
    page.unroute("**/code/work/save/")
    page.goto(coding.base_url + WORK)
    expect(part(page, "unsent")).to_have_text("All saved")
    assert codes_of(page, coding, "gus") == [("5", "")]


def test_choices_that_are_not_saved_outlast_a_reload(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "hal", WORK)
    page.keyboard.press("3")
    page.keyboard.press("4")
    page.keyboard.press("n")
    page.keyboard.type("Is A there?")
    page.reload()
    expect(part(page, "notice")).to_contain_text("not saved yet")
    assert chosen(page) == ["3", "4"]
    expect(part(page, "note")).to_have_value("Is A there?")
    page.keyboard.press("Enter")
    expect(part(page, "unsent")).to_have_text("All saved")
    assert codes_of(page, coding, "hal") == [("3;4", "Is A there?")]
    page.reload()
    expect(part(page, "stimulus")).not_to_be_empty()
    assert chosen(page) == []


def test_a_second_tab_waits_until_the_first_is_closed(coding: Platform, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    window, second = context.new_page(), context.new_page()
    open_as(window, coding, "ida", WORK)
    second.goto(coding.base_url + WORK)
    expect(part(second, "elsewhere")).to_be_visible()
    expect(part(second, "sheet")).to_be_hidden()
    window.keyboard.press("0")
    window.keyboard.press("Enter")
    expect(part(window, "unsent")).to_have_text("All saved")
    window.goto("about:blank")
    expect(part(second, "number")).to_have_text("2")
    expect(part(second, "elsewhere")).to_be_hidden()
    second.keyboard.press("3")
    second.keyboard.press("Enter")
    expect(part(second, "coded")).to_have_text("2")
    expect(part(second, "unsent")).to_have_text("All saved")
    assert [codes for codes, _note in codes_of(second, coding, "ida")] == ["0", "3"]
    context.close()


def test_a_pause_hides_the_texts_and_keeps_what_was_begun(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "gus", WORK)
    page.keyboard.press("4")
    page.keyboard.press("p")
    expect(part(page, "stimulus")).to_be_hidden()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(part(page, "stimulus")).to_be_visible()
    assert chosen(page) == ["4"]


def test_disagreements_are_settled_by_the_same_keys(coding: Platform, window: Page) -> None:
    page = window
    open_as(page, coding, "owner", ADJUDICATE)
    total = int(page.locator("[data-part='meter']").get_attribute("max") or 0)
    assert total >= 8
    first = [page.locator(".opinion").nth(coder).locator(".code-name").all_inner_texts() for coder in (0, 1)]
    page.keyboard.press("b")
    assert chosen(page) == first[1]
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(part(page, "coded")).to_have_text("2")
    page.keyboard.press("u")
    expect(part(page, "number")).to_have_text("2")
    expect(part(page, "coded")).to_have_text("1")
    for _ in range(total - 1):
        page.keyboard.press("a")
        page.keyboard.press("Enter")
    expect(part(page, "finished")).to_be_visible()
    items = page.request.get(f"{coding.base_url}{ADJUDICATE}items/").json()["items"]
    assert [item["coding"]["codes"] for item in items] == [
        first[1],
        *(item["codings"][0]["codes"] for item in items[1:]),
    ]
    page.goto(f"{coding.base_url}/admin/studies/coding-settled/code/")
    expect(page.get_by_role("link", name=re.compile(r"Settle \d"))).to_have_count(0)


@pytest.mark.parametrize("width", [390, only_in_full("a page of coding that a wide window alone shows", 1280)])
def test_axe_finds_nothing_on_the_pages_of_coding(coding: Platform, browser: Browser, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844})
    found: list[str] = []
    open_as(page, coding, "anna", WORK.replace("by-key", "settled"))
    found += violations(page, "workspace", WCAG)
    page.keyboard.press("Backspace")
    page.keyboard.press("s")
    found += violations(page, "coded, with suggestion", WCAG)
    page.keyboard.press("?")
    found += violations(page, "keys", WCAG)
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    found += violations(page, "paused", WCAG)
    page.context.clear_cookies()
    open_as(page, coding, "owner", ADJUDICATE)
    found += violations(page, "adjudication", WCAG)
    studies = f"{coding.base_url}/admin/studies/coding-settled/code/"
    for address in ("", "codes/", "freeze/", "coders/1/sheet/", "coders/1/remove/"):
        page.goto(studies + address)
        found += violations(page, address or "overview", WCAG)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), address
    page.close()
    assert found == [], "\n".join(found)

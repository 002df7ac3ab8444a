"""Somebody with a finger who walks through a study of whatever paradigm, and a witness of what its pages hear.

The witness stands before the guard of presses and behind it. What it saw beginning on one page, and the page after it
was told of, is a fault.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page
from playwright.sync_api import Error as PlaywrightError

from tests.browser.waiting import wait_for_screen

# A page is what is put into a place that the guard watches, or a section of the start page.
WITNESS = """(() => {
  const DOUBLE_TAP_MS = 300;
  const KINDS = "pointerdown pointerup mousedown mouseup click touchstart touchend keydown keyup".split(" ");
  const PAGES = "main > section:not([hidden]), .jspsych-content > *";
  const numbers = new WeakMap();
  const kinds = ["an earlier document"];
  const gestures = [];
  const keys = new Map();
  let from = 0;
  const now = () => {
    const page = [...document.querySelectorAll(PAGES)].filter((each) => each.getBoundingClientRect().height > 0).at(-1);
    if (page === undefined) return kinds.length - 1;
    if (!numbers.has(page)) {
      numbers.set(page, kinds.length);
      kinds.push(page.id || page.className);
      tellWalk("page", kinds.at(-1));
    }
    return numbers.get(page);
  };
  new MutationObserver(now).observe(document, { childList: true, subtree: true, attributes: true });
  const noteBeginning = (event) => {
    const page = now();
    if (event.type === "pointerdown") {
      // A finger that rests on the screen, or whose leaving nobody heard of, is no part of what comes later.
      const near = gestures.filter(({ began, ended }) => event.timeStamp - (ended ?? began) <= DOUBLE_TAP_MS);
      const judges = event.target instanceof Element && event.target.closest("[data-judges-presses]") !== null;
      from = event.pointerType === "mouse" || judges ? page : Math.min(page, ...near.map((each) => each.page));
      if (event.pointerType !== "mouse") {
        gestures.push({ id: event.pointerId, page: from, began: event.timeStamp, ended: null });
      }
    }
    if (["pointerup", "pointercancel"].includes(event.type)) {
      for (const each of gestures) if (each.id === event.pointerId) each.ended ??= event.timeStamp;
    }
    if (event.type === "keydown" && !event.repeat) keys.set(event.code, page);
  };
  // Where a page is lower than the one before, a finger may meet what is beside it, as the line with the resume code.
  const isBeside = ({ target }) =>
    target instanceof Element && !target.matches("body, html") && target.closest("main") === null;
  const judge = (event) => {
    const page = now();
    if (isBeside(event)) return;
    if (event.type === "click" && event.detail === 0) return;
    const earlier = event instanceof KeyboardEvent ? (keys.get(event.code) ?? 0) : from;
    if (earlier < page) tellWalk("fault", `${event.type}, begun on ${kinds[earlier]}, on ${kinds[page]}`);
  };
  for (const kind of [...KINDS, "pointercancel"]) addEventListener(kind, noteBeginning, true);
  for (const kind of KINDS) document.addEventListener(kind, judge, true);
})()"""
# Without a guard nothing is kept from a page.
WITHOUT_GUARD = "Event.prototype.stopImmediatePropagation = () => {};"
# How long a tap is held in milliseconds, or two at once or after each other; of keys, how long they are held.
WAYS = ("30", "130", "300", "600", "double", "two")
# What can be touched to go on, best first, and the keys of pages on which nothing can.
ANSWERS = (
    ".maze-place",
    "button.choice-answer",
    "button.choice",
    "button.primary",
    "button",
    ".reading-text",
    ".choice",
)
KEYS = ("Space", "Enter", "ArrowDown")
# Longer than a double tap may take.
PAUSE_MS = 350
MOST_STEPS = 250
TIMEOUT_MS = 5_000
PAGE = "main > section:not([hidden]), .jspsych-content > *"


@dataclass
class Finger:
    """Touches the screen as a hand does, for as long as it does."""

    page: Page
    cdp: Any

    def touch(self, *points: dict[str, float]) -> None:
        numbered = [{**point, "id": number} for number, point in enumerate(points)]
        self.cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": numbered})

    def lift(self) -> None:
        self.cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def middle_of(self, selector: str, nth: int = 0) -> dict[str, float]:
        return self.middle(self.page.locator(selector).nth(nth))

    def middle(self, locator: Locator) -> dict[str, float]:
        box = locator.bounding_box(timeout=5_000)
        if box is None:
            raise PlaywrightError("What was to be touched has gone with its page.")
        return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

    def tap(self, point: dict[str, float], how: str) -> None:
        """Tap in one of the `WAYS`."""
        beside = {"x": point["x"], "y": point["y"] + 40}
        if how == "two":
            self.touch(point)
            self.touch(point, beside)
            self.page.wait_for_timeout(60)
            self.lift()
            return
        for gap in (60, 0) if how == "double" else (0,):
            self.touch(point)
            self.page.wait_for_timeout(40 if how == "double" else int(how))
            self.lift()
            self.page.wait_for_timeout(gap)


@dataclass
class Walker:
    """Goes from the start page to the end, and answers every page in the next of the ways by what it has for that."""

    page: Page
    finger: Finger
    first_way: int = 0
    kinds: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, context: BrowserContext, *, first_way: int = 0, is_guarded: bool = True) -> Walker:
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        walker = cls(page, Finger(page, context.new_cdp_session(page)), first_way)
        context.expose_binding("tellWalk", lambda _source, what, text: walker.note(what, text))
        context.add_init_script(WITNESS if is_guarded else f"{WITHOUT_GUARD}\n{WITNESS}")
        return walker

    def note(self, what: str, text: str) -> None:
        (self.kinds if what == "page" else self.faults).append(text)

    def walk(self, address: str, *, end: str = "", until: str = "the end") -> None:
        """Go through a study until its page says `end`, or until a page of the kind `until` has been answered."""
        self.page.goto(address)
        ways = cycle(WAYS[self.first_way :] + WAYS[: self.first_way])
        tries, shown = 0, ""
        for _ in range(MOST_STEPS):
            # A page may go on by itself at any moment, as with a time limit, and another document come.
            with suppress(PlaywrightError):
                wait_for_screen(self.page)
                said = f"{len(self.kinds)} {self.page.locator('body').inner_text()}"
                if (end and end in said) or until in self.kinds[:-1]:
                    return
                tries, shown = (tries + 1 if said == shown else 0), said
                self.fill()
                self.answer(next(ways), tries)
            self.page.wait_for_timeout(PAUSE_MS)
        raise AssertionError(f"The study did not end within {MOST_STEPS} steps: {self.kinds[-5:]}")

    def fill(self) -> None:
        """Give every field of the page a value, and the first answer where one of several is asked for."""
        page = self.page.locator(PAGE).last
        for box in page.locator("input[type=checkbox][data-required]").all():
            box.check()
        names = {radio.get_attribute("name") for radio in page.locator("input[type=radio]").all()}
        for name in names:
            if page.locator(f"input[type=radio][name='{name}']:checked").count() == 0:
                page.locator(f"input[type=radio][name='{name}']").first.check(force=True)
        for choice in page.locator("select:visible").all():
            choice.select_option(index=1)
        for entry in page.locator("textarea:visible, input[type=text]:visible, input:not([type]):visible").all():
            is_number = entry.get_attribute("inputmode") in {"numeric", "decimal"}
            if not entry.input_value() and entry.is_editable():
                entry.fill("7" if is_number else "English")

    def answer(self, how: str, tries: int) -> None:
        """Touch what answers the page, or press a key where nothing can be touched; another one at every try."""
        page = self.page.locator(PAGE).last
        found = [each for selector in ANSWERS for each in page.locator(f"{selector}:visible:not(:disabled)").all()]
        places: list[Locator | str] = [*found, *KEYS]
        place = places[tries % len(places)]
        if isinstance(place, str):
            self.hold(place, how)
            return
        place.scroll_into_view_if_needed(timeout=5_000)
        self.finger.tap(self.finger.middle(place), how)

    def hold(self, key: str, how: str) -> None:
        """Press a key for as long as a tap is held, with the repeats that a keyboard makes of it."""
        for _ in range(2 if how == "double" else 1):
            self.page.keyboard.down(key)
            for _ in range(int(how) // 100 if how.isdigit() else 0):
                self.page.wait_for_timeout(100)
                self.page.keyboard.down(key)
            self.page.keyboard.up(key)

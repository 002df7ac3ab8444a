"""A participant at a keyboard: reads what the page shows, types, and remembers what was typed for which text."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Page

from tests.browser.waiting import press_until, wait_for_screen

CHECKS = 5
NEXT_SHEET = "#lectern .sheet:not([data-seen])"


def wait_for_check(page: Page) -> None:
    """Wait until the check of the computer has passed.

    A machine that is busy with something else may fail the check of its screen, and pass it a moment later.
    """
    outcome = page.locator("#check [data-next]:enabled, #check .again button").first
    for _ in range(CHECKS):
        outcome.wait_for(timeout=120_000)
        if page.locator("#check [data-next]").is_enabled():
            break
        page.locator("#check .again button").click()
    page.locator("#check [data-next]:enabled").wait_for()


@dataclass
class Typist:
    """Drives one participant's page by keyboard alone, from the landing page on.

    `typed` maps the text of every judged sentence to what was typed for it, in order of appearance.
    """

    page: Page
    typed: dict[str, str] = field(default_factory=dict)
    modulus: str = ""
    seen: list[str] = field(default_factory=list)

    def begin(self, url: str) -> None:
        """Walk from the landing page through check and consent to the first trial."""
        self.page.goto(url)
        self.press_button("#landing [data-next]")
        self.pass_check()

    def pass_check(self) -> None:
        """Go on from the check of the computer, consent, and wait for the run page."""
        wait_for_check(self.page)
        self.press_button("#check [data-next]")
        for box in self.page.locator("#consent input[data-required]").all():
            press_until(self.page, "Space", box.is_checked, place=box)
        agree = self.page.locator("#agree:enabled")
        press_until(self.page, "Enter", lambda: agree.count() == 0, place=agree)
        self.page.wait_for_url("**/run/")

    def press_button(self, selector: str) -> None:
        """Press a button that takes the page to something else."""
        button = self.page.locator(selector)
        press_until(self.page, "Enter", button.is_hidden, place=button)

    def kind(self) -> str:
        """Wait until the next page of the runner is on the screen, and return what kind it is."""
        sheet = self.page.locator(NEXT_SHEET).first
        sheet.wait_for(timeout=120_000)
        wait_for_screen(self.page)
        return (sheet.get_attribute("class") or "").replace("sheet", "").strip()

    def answer(self, number: str) -> str:
        """Answer the page that is open, typing `number` where one is asked for; return the kind of page."""
        kind = self.kind()
        sheet = self.page.locator(NEXT_SHEET).first
        if kind == "page":
            return kind
        if kind == "questions":
            self.answer_questions()
        elif kind in {"magnitude-estimation", "line-length"}:
            if kind == "magnitude-estimation":
                text = sheet.locator(".stimulus").inner_text()
                self.seen.append(text)
                if sheet.locator(".modulus-number").count():
                    self.typed[text] = number
                else:
                    self.modulus = number
            # The field has the focus already: a participant only types.
            self.page.locator("#number:focus").wait_for()
            self.remember()
            self.page.keyboard.type(number)
            self.page.keyboard.press("Enter")
            return kind
        self.remember()
        self.page.keyboard.press("Enter")
        return kind

    def remember(self) -> None:
        """Remember the open page, so that the next one can be told from it."""
        self.page.locator("#lectern .sheet").first.evaluate("sheet => { sheet.dataset.seen = 'yes'; }")

    def mark(self) -> None:
        """Remember the open page, and wait until it is on the screen."""
        self.remember()
        wait_for_screen(self.page)

    def answer_questions(self) -> None:
        """Fill in the background questions: the first choice everywhere, a number or a word where one is asked for."""
        questions = self.page.locator(".sheet.questions")
        for group in questions.locator("fieldset").all():
            if group.locator("input[type=radio]").count():
                group.locator("input[type=radio]").first.check()
        for choice in questions.locator("select").all():
            choice.select_option(index=1)
        for entry in questions.locator("input[type=text], input:not([type])").all():
            entry.fill("30" if entry.get_attribute("inputmode") in {"numeric", "decimal"} else "English")
        questions.locator("button.primary").focus()

    def finish(self, numbers: list[str], most: int = 400) -> None:
        """Answer everything that is left; the n-th judgement gets the n-th number, cyclically."""
        for _ in range(most):
            if self.answer(numbers[len(self.seen) % len(numbers)]) == "page":
                return
        raise AssertionError(f"The study did not end within {most} pages.")

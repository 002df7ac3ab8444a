"""A page in Firefox or WebKit under the names that Playwright has for Chromium's, as far as participants need them.

Whoever takes part in a browser test (`Typist` and the readers of single paradigms) is thereby the same in all browsers.
Everything is looked up anew at every step, as Playwright does; presses and clicks are those of devices, not of scripts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

from tests.browser.other_browsers.drivers import Driver, Refused
from tests.browser.platform import PATIENCE_MS

KEYS = {"Enter": "\ue007", "Space": " ", "Tab": "\ue004", "ArrowRight": "\ue014", "ArrowLeft": "\ue012"}

# Notes what goes wrong on a page from the moment on in which it is first asked for something.
WITNESS = """
window.wentWrong = [];
const note = (...words) => window.wentWrong.push(words.map(String).join(" "));
window.addEventListener("error", (event) => {
  // A modulepreload is a hint that a browser may drop; what a page needs is imported, and told where that fails.
  if (event.target?.rel !== "modulepreload") note(event.message || event.target?.outerHTML);
}, true);
window.addEventListener("unhandledrejection", (event) => note(event.reason));
document.addEventListener("securitypolicyviolation", (event) => note(event.effectiveDirective, event.blockedURI));
const said = console.error;
console.error = (...words) => { note(...words); said.apply(console, words); };
"""

FIND = """
const find = (steps) => {
  let found = [document];
  for (const [kind, value] of steps) {
    if (kind === "css") found = [...new Set(found.flatMap((each) => [...each.querySelectorAll(value)]))];
    if (kind === "nth") found = found.slice(value, value + 1);
    if (kind === "text") found = found.filter((each) => each.innerText.replace(/\\s+/g, " ").includes(value));
  }
  return found;
};
const isShown = (element) => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden";
};
"""

# What a command meets while one document goes and the next one comes.
PASSING = ("unloaded", "navigat", "no such", "destroyed", "discarded", "aborted", "actor", "stale")


class Locator:
    """What steps lead to: selectors, places in their order, and words that are inside."""

    def __init__(self, page: Page, steps: list[tuple[str, Any]]) -> None:
        self.page = page
        self.steps = steps

    def locator(self, selector: str) -> Locator:
        return Locator(self.page, [*self.steps, ("css", selector)])

    def nth(self, place: int) -> Locator:
        return Locator(self.page, [*self.steps, ("nth", place)])

    @property
    def first(self) -> Locator:
        return self.nth(0)

    def filter(self, *, has_text: str) -> Locator:
        return Locator(self.page, [*self.steps, ("text", has_text)])

    def count(self) -> int:
        return int(self.page.ask("return find(arguments[0]).length;", self.steps))

    def all(self) -> list[Locator]:
        return [self.nth(place) for place in range(self.count())]

    def wait_for(self, *, state: str = "visible", timeout: float = PATIENCE_MS) -> None:
        """Wait until it is shown (`visible`) or no longer there (`detached`)."""
        wanted = {"visible": "found.some(isShown)", "detached": "found.length === 0", "attached": "found.length > 0"}
        script = f"const found = find(arguments[0]); return {wanted[state]};"
        self.page.wait_until(lambda: self.page.ask(script, self.steps), f"{self.steps} {state}", timeout)

    def of_first(self, expression: str) -> Any:
        """Wait until the element is there, and return what an expression makes of it."""
        self.wait_for(state="attached")
        return self.page.ask(f"const element = find(arguments[0])[0]; return {expression};", self.steps)

    def inner_text(self) -> str:
        return str(self.of_first("element.innerText"))

    def all_inner_texts(self) -> list[str]:
        return list(self.page.ask("return find(arguments[0]).map((each) => each.innerText);", self.steps))

    def get_attribute(self, name: str) -> str | None:
        self.wait_for(state="attached")
        script = "return find(arguments[0])[0].getAttribute(arguments[1]);"
        return self.page.ask(script, self.steps, name)  # type: ignore[no-any-return]

    def is_enabled(self) -> bool:
        return bool(self.of_first("!element.disabled"))

    def is_checked(self) -> bool:
        return bool(self.of_first("element.checked"))

    def is_hidden(self) -> bool:
        """Return whether nothing of it is shown, or it is not there."""
        return not self.page.ask("return find(arguments[0]).some(isShown);", self.steps)

    def evaluate(self, function: str) -> Any:
        return self.of_first(f"({function})(element)")

    def bounding_box(self) -> dict[str, float]:
        return dict(self.of_first("element.getBoundingClientRect().toJSON()"))

    def focus(self) -> None:
        self.of_first("element.focus()")

    def click(self) -> None:
        """Click its middle, as soon as it is shown, can be used and is on top there."""
        self.page.wait_until(self.on_top, f"{self.steps} to be clicked")
        self.page.mouse.click(*self.of_first(MIDDLE))

    def on_top(self) -> bool:
        script = f"""
            const element = find(arguments[0])[0];
            if (!element || !isShown(element) || element.disabled) return false;
            element.scrollIntoView({{block: "nearest"}});
            const there = document.elementFromPoint(...{MIDDLE});
            return element.contains(there) || [...(element.labels ?? [])].some((label) => label.contains(there));"""
        return bool(self.page.ask(script, self.steps))

    def check(self) -> None:
        if not self.of_first("element.checked"):
            self.click()

    def select_option(self, *, index: int) -> None:
        # The list of a closed field is not part of the page; Playwright sets it in the same way.
        self.of_first(
            f"[element.selectedIndex = {index}, element.dispatchEvent(new Event('input', {{bubbles: true}})), "
            "element.dispatchEvent(new Event('change', {bubbles: true}))].length"
        )

    def fill(self, text: str) -> None:
        self.focus()
        self.page.keyboard.type(text)


MIDDLE = "((box) => [box.x + box.width / 2, box.y + box.height / 2])(element.getBoundingClientRect())"


# Sooner, a key would come before the page that it answers is on the screen.
BEFORE_KEYS = 0.15


class Keyboard:
    """The keyboard; letters come as a person's keys send them."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def press(self, key: str) -> None:
        self.send([KEYS.get(key, key)])

    def type(self, text: str) -> None:
        if text:
            self.send(list(text))

    def send(self, keys: list[str]) -> None:
        time.sleep(BEFORE_KEYS)
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.driver.perform([{"type": "key", "id": "keyboard", "actions": steps}])


BETWEEN_CLICKS = 0.6


class Mouse:
    """The mouse, at places of the window."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.clicked = -BETWEEN_CLICKS

    def move(self, x: float, y: float) -> None:
        self.send([self.moved(x, y)])

    def click(self, x: float, y: float) -> None:
        # Sooner, it would be the second click of a double click.
        time.sleep(max(0.0, self.clicked + BETWEEN_CLICKS - time.monotonic()))
        self.clicked = time.monotonic()
        self.send(
            [self.moved(x, y), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}],
        )

    def moved(self, x: float, y: float) -> dict[str, Any]:
        return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0, "origin": "viewport"}

    def send(self, steps: list[dict[str, Any]]) -> None:
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}
        self.driver.perform([pointer])


class Page:
    """The one page of a browser. `scripts` run at the first thing that a document is asked for."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.keyboard, self.mouse = Keyboard(driver), Mouse(driver)
        self.scripts = [WITNESS]
        self.seen_errors: list[str] = []
        self.n_errors_before = len(driver.errors())

    def add_init_script(self, script: str) -> None:
        self.scripts.append(script)

    def ask(self, script: str, *arguments: Any) -> Any:
        """Run the body of a function in the page, again where the document has just changed, and return its value."""
        begun = "".join(f"{{{each}}}\n" for each in self.scripts)
        whole = f"{FIND}\nif (!window.begun) {{ window.begun = true;\n{begun} }}\n{script}"
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while True:
            try:
                return self.driver.run(whole, list(arguments))
            except Refused as refused:
                if time.monotonic() > deadline or not any(word in str(refused).lower() for word in PASSING):
                    raise
                time.sleep(0.05)

    def wait_until(self, condition: Callable[[], Any], what: str, timeout: float = PATIENCE_MS) -> None:
        """Wait until a condition holds; it is asked about fifty times a second."""
        deadline = time.monotonic() + timeout / 1000
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what}, at {self.url}: {self.ask('return document.body.innerText;')[:2000]}")
            time.sleep(0.02)

    @property
    def url(self) -> str:
        return str(self.ask("return location.href;"))

    def goto(self, url: str) -> None:
        self.driver.navigate(url)

    def locator(self, selector: str) -> Locator:
        return Locator(self, [("css", selector)])

    def get_by_role(self, role: str, *, name: str) -> Locator:
        """Return buttons by their words; no other role is asked for."""
        assert role == "button"
        return self.locator("button").filter(has_text=name)

    def evaluate(self, source: str, argument: Any = None) -> Any:
        """Return what an expression, or a function called with `argument`, yields in the page."""
        return self.ask(f"const it = ({source}\n); return typeof it === 'function' ? it(arguments[0]) : it;", argument)

    def wait_for_url(self, pattern: str) -> None:
        """Wait for an address like this; one star stands for anything, as two do in Playwright."""
        self.wait_until(lambda: fnmatchcase(self.url, pattern.replace("**", "*")), pattern)

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)

    def problems(self) -> list[str]:
        """Return the errors of this page: those in the browser's log, and those that the last document saw."""
        return [*self.driver.errors()[self.n_errors_before :], *self.ask("return window.wentWrong;")]

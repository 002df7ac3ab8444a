"""One reading trial in a real browser: the built runner, a server made of answers, and a pointer with known times."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Route, expect

from experiments.paradigms.mouse_contingent_reading.columns import unpacked
from tests.browser.platform import ROOT
from tests.browser.waiting import wait_for_screen

DIST = ROOT / "frontend" / "dist"
# Nothing listens here: every request is answered below. A loopback address is what browsers trust without TLS.
ORIGIN = "http://127.0.0.1:9"
API = f"{ORIGIN}/api/"
# The policy of participant pages.
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'"
)

SENTENCES = (
    "Two masked men entered the branch of the savings bank shortly before noon",
    "They threatened the cashier with a pistol and demanded that she open the safe although it was known to be empty",
    "A customer who had hidden behind a pillar called the police",
)


def areas_of(texts: tuple[str, ...] | list[str]) -> list[dict[str, Any]]:
    """Return areas as the server sends them, one for each text."""
    return [
        {"text": text, "words": len(text.split()), "before": " " if index else ""} for index, text in enumerate(texts)
    ]


def params_of(**changes: Any) -> dict[str, Any]:
    """Return the parameters of a trial with three sentences, with changes."""
    params: dict[str, Any] = {
        "kind": "target",
        "text": " ".join(SENTENCES),
        "unit": "sentence",
        "arrangement": "bands",
        "areas": areas_of(SENTENCES),
        "mask": "bar",
        "modes": ["pointer"],
        "ask_device": False,
        "ratings": [],
        "question": None,
        "record_path": False,
        "full_screen": False,
        "index": 3,
        "total": 16,
    }
    return {**params, **changes}


@dataclass
class ReadingRig:
    """A page that shows the given trials; what it sends is kept in `results` and `events`, by position."""

    context: BrowserContext
    page: Page
    trials: list[dict[str, Any]]
    language: str
    mode: str = "run"
    plugin: str = "mouse-contingent-reading"
    results: dict[int, dict[str, Any]] = field(default_factory=dict)
    events: dict[int, list[dict[str, Any]]] = field(default_factory=dict)

    def answer(self, route: Route) -> None:
        """Answer one request of the page."""
        path = route.request.url.removeprefix(ORIGIN).split("?")[0]
        if path.startswith("/static/"):
            file = DIST / path.removeprefix("/static/")
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            route.fulfill(body=file.read_bytes(), content_type=kind)
        elif path == "/":
            route.fulfill(body=self.document(), content_type="text/html", headers={"Content-Security-Policy": POLICY})
        elif path in ("/api/session/open/", "/api/preview/"):
            route.fulfill(json=self.opened())
        elif path == "/api/preview/validate/":
            self.results[len(self.results)] = json.loads(route.request.post_data or "")
            route.fulfill(json={"valid": True, "errors": {}, "measures": {}})
        elif path == "/api/session/results/":
            entries = json.loads(route.request.post_data or "")["entries"]
            route.fulfill(json={"results": [self.take(entry) for entry in entries], "lease": True})
        else:
            route.fulfill(json={"complete": False, "missing": []})

    def document(self) -> str:
        """Return the run page as the server's template writes it."""
        manifest = json.loads((DIST / "manifest.json").read_text(encoding="utf-8"))
        runner, language = manifest["src/entries/runner.ts"], manifest[f"src/languages/{self.language}.ts"]
        styles = "".join(f'<link rel="stylesheet" href="/static/{file}">' for file in runner.get("css", []))
        config = {
            "slug": "rig", "title": "Reading", "language": self.language, "mode": self.mode, "contact": "",
            "responsible": "", "api": API, "participant": "P1" if self.mode == "run" else "",
        }  # fmt: skip
        return (
            f'<!doctype html><html lang="{self.language}"><head><meta charset="utf-8"><title>Reading</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">{styles}'
            f'<script type="module" src="/static/{language["file"]}"></script>'
            f'<script type="module" src="/static/{runner["file"]}"></script></head><body><div id="lectern"></div>'
            f'<script type="application/json" id="lectern-config">{json.dumps(config)}</script></body></html>'
        )

    def opened(self) -> dict[str, Any]:
        """Return what opening the session answers."""
        trials = [
            {"position": position, "phase": "main", "plugin": self.plugin, "params": params}
            for position, params in enumerate(self.trials)
        ]
        return {
            "participant": "P1", "mode": "run", "language": self.language, "resume": "continue", "trials": trials,
            "answered": [], "interrupted": [], "carried": {}, "status": "running",
        }  # fmt: skip

    def take(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Keep one entry and say that it is stored."""
        if entry["kind"] == "result":
            self.results[entry["sequence"]] = entry
        elif entry["kind"] == "events":
            self.events.setdefault(entry["sequence"], []).extend(entry["events"])
        return {
            "kind": entry["kind"], "sequence": entry["sequence"], "batch": entry.get("batch"), "status": "stored",
            "hash": "",
        }  # fmt: skip

    def load(self, query: str = "") -> None:
        """Open the page and wait until the first text, or whatever stands before it, is on the screen."""
        self.page.goto(f"{ORIGIN}/{query}")
        expect(self.page.locator("#trial section, #main section").first).to_be_visible()
        wait_for_screen(self.page)

    def start(self) -> None:
        """Press Start with the mouse and wait until the frame that opens the text has been drawn."""
        self.press("Start")
        self.wait_for("Press Done below the text")
        self.draw()

    def finish(self, position: int = 0) -> dict[str, Any]:
        """Press Done with the mouse and return the payload that is sent, its columns read."""
        self.press("Done")
        return self.payload(position)

    def payload(self, position: int = 0) -> dict[str, Any]:
        """Wait for the result of a trial and return its payload, its columns read."""
        for _ in range(100):
            if position in self.results:
                return unpacked(self.results[position]["payload"])
            self.page.wait_for_timeout(50)
        raise AssertionError("The trial has not ended.")

    @property
    def corner(self) -> tuple[float, float]:
        """The top left corner of the text, in the window."""
        box = self.page.locator(".reading-text").bounding_box()
        assert box is not None
        return box["x"], box["y"]

    def move_to(self, x: float, y: float, *, at: float | None = None) -> None:
        """Move the mouse to a place of the text; `at` is when, in seconds since the epoch, whenever it arrives."""
        left, top = self.corner
        event: dict[str, Any] = {"type": "mouseMoved", "x": left + x, "y": top + y}
        self.devtools.send("Input.dispatchMouseEvent", event if at is None else {**event, "timestamp": at})

    @property
    def open_areas(self) -> list[str]:
        """The numbers of the areas that are clear on the page, when what has been pressed and moved has been drawn."""
        self.draw()
        return list(
            self.page.evaluate("[...new Set([...document.querySelectorAll('.reading-area')].map(a => a.dataset.aoi))]")
        )

    def draw(self) -> None:
        """Wait until what has been pressed and moved has been drawn."""
        self.page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    @cached_property
    def devtools(self) -> CDPSession:
        """A channel to the browser that knows the times of its inputs."""
        return self.context.new_cdp_session(self.page)

    @property
    def notice(self) -> str:
        """What stands above the text."""
        return " ".join(self.page.locator(".reading-notices > [data-shown]").inner_text().split())

    def wait_for(self, notice: str) -> None:
        """Wait until this stands above the text."""
        expect(self.page.locator(".reading-notices > [data-shown]").filter(has_text=notice)).to_be_visible()

    def press(self, name: str) -> None:
        """Press a button with the mouse."""
        self.page.get_by_role("button", name=name, exact=True).click()


@contextmanager
def reading(
    browser: Browser,
    *trials: dict[str, Any],
    language: str = "en",
    simulate: str = "",
    plugin: str = "mouse-contingent-reading",
    **context: Any,
) -> Iterator[ReadingRig]:
    """Show trials on a page of their own; with `simulate`, in a preview that answers them itself."""
    made = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context})
    started = ReadingRig(made, made.new_page(), list(trials) or [params_of()], language, plugin=plugin)
    started.page.route("**/*", started.answer)
    if simulate:
        started.mode = "preview"
    started.load(f"?simulate={simulate}" if simulate else "")
    try:
        yield started
    finally:
        made.close()

"""Keys that go nowhere are pressed again until the page has moved; a page that never does leaves a picture."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from benchmarks.needs import CHROMIUM, X11, XVFB
from benchmarks.pixels.screen import SIZE, Screen, browser, screen
from benchmarks.pixels.sessions import wait_for
from tests import needs

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs.mark(CHROMIUM, XVFB, X11)]

PAGE = """<!doctype html><title>A page to turn</title><body style="background: lime">
<script>addEventListener("keydown", ({ key }) => { if (key === "Enter") document.body.style.background = "blue"; });
</script>"""
LIME, BLUE = (0, 255, 0), (0, 0, 255)
PATIENCE_SECONDS = 60.0


def colour_of(shown: Screen, folder: Path) -> object:
    with Image.open(shown.picture(folder / "screen.png")) as picture:
        return picture.getpixel((200, 200))  # away from the pointer


def wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def take_the_keyboard_away(display: str) -> None:
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(x11.XOpenDisplay(display.encode()))
    x11.XSetInputFocus(connection, ctypes.c_ulong(0), 0, ctypes.c_ulong(0))
    x11.XSync(connection, 0)
    x11.XCloseDisplay(connection)


def test_the_page_is_turned_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    with screen(tmp_path) as shown, browser("chromium", (tmp_path / "page.html").as_uri(), on=shown, folder=tmp_path):
        wait_until(lambda: colour_of(shown, tmp_path) == LIME)
        time.sleep(1)  # a window takes the keyboard when it has come up
        take_the_keyboard_away(shown.display)
        watcher = shown.watcher(seed=1)
        watcher.tell("R", 100, 100, SIZE[0] - 200, SIZE[1] - 200)
        watcher.tell("I", 350, 450)
        wait_until(lambda: colour_of(shown, tmp_path) == BLUE)
        seen = watcher.stop()
        sentence = pytest.raises(TimeoutError, match=r"^Nothing came up\. What was .*/last\.png$")
        with sentence, shown.pictured_on_timeout(tmp_path / "last.png"):
            wait_for(lambda: None, seconds=0, saying="Nothing came up.")
    with Image.open(tmp_path / "last.png") as last:
        assert (last.size, last.getpixel((200, 200))) == (SIZE, BLUE)
    assert len(seen.keys) >= 4, "the first two keys went nowhere, so the test shows nothing"

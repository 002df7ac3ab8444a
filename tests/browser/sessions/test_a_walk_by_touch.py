"""Every page of every paradigm behind every kind of press: none is answered by what began on another one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from experiments.paradigms import BUILT_IN, paradigm_named
from tests.browser.other_browsers.sessions import SESSIONS
from tests.browser.platform import Platform
from tests.browser.sessions.walk import WAYS, Walker
from tests.selection import only_in_full

# What the quick form walks through, and until which kind of page.
IN_SHORT = ("timed-choice", 2)
UNTIL = "sheet break"
# Settings with which a page can be touched and breaks come, where a paradigm has them.
TOUCHED = {
    "break_every": "1",
    "buttons": "true",
    "respond_with": '"both"',
    "allow_drag": "true",
    "allow_keyboard": "true",
    "error_delay_ms": "0",
}
# Neither a telephone, which has no keyboard, nor a computer without a touch screen.
TABLET: dict[str, Any] = {"viewport": {"width": 820, "height": 1000}, "has_touch": True}


def written(folder: Path, slug: str, paradigm: str) -> tuple[Path, str]:
    """Write the short study of a paradigm with what can be touched; return its file and its code."""
    session = SESSIONS[paradigm]
    path = session.write(folder, slug)
    text = path.read_text(encoding="utf-8")
    known = paradigm_named(paradigm).complete_settings({})
    lines = [f"{name} = {value}" for name, value in TOUCHED.items() if name in known]
    for line in lines:
        text = re.sub(rf"(?m)^{line.split(' = ')[0]} = .*\n", "", text)
    if "[settings]" not in text:
        text = text.replace("[procedure]", "[settings]\n\n[procedure]", 1)
    path.write_text(text.replace("[settings]\n", "\n".join(["[settings]", *lines, ""]), 1), encoding="utf-8")
    return path, session.code


@pytest.mark.parametrize(
    ("paradigm", "first_way", "until"),
    [
        (*IN_SHORT, UNTIL),
        *(
            only_in_full("a page that another kind of press passes through", paradigm.slug, way, "the end")
            for paradigm in BUILT_IN
            for way in range(0, len(WAYS), 2)
        ),
    ],
)
def test_no_page_is_answered_by_a_press_that_began_on_another(
    platform: Platform, browser: Browser, tmp_path: Path, paradigm: str, first_way: int, until: str
) -> None:
    slug = f"walk-{paradigm}-{first_way}-{until.split()[-1]}"
    path, code = written(tmp_path / "study", slug, paradigm)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(**TABLET)
    walker = Walker.of(context, first_way=first_way)
    walker.walk(f"{platform.base_url}/s/{slug}/", end=code, until=until)
    context.close()
    assert walker.faults == []
    kinds = " ".join(walker.kinds)
    assert {"landing", "check", "consent"} <= set(walker.kinds)
    assert paradigm in kinds or "reading" in kinds or "recall" in kinds
    if "break_every" in paradigm_named(paradigm).complete_settings({}):
        assert "sheet break" in walker.kinds


@pytest.mark.full("a witness that sees nothing")
def test_without_the_guard_pages_are_answered_so(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    path, code = written(tmp_path / "study", "walk-unguarded", "maze")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(**TABLET)
    walker = Walker.of(context, first_way=1, is_guarded=False)
    walker.walk(f"{platform.base_url}/s/walk-unguarded/", end=code)
    context.close()
    assert {fault.split(",")[0] for fault in walker.faults} >= {"pointerup", "click"}

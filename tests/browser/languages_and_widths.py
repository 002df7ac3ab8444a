"""In which languages and at which widths pages are looked at: each once, all with each other by `make test-all`."""

from __future__ import annotations

import itertools
import os

import pytest

LANGUAGES = ("en", "de")
DESKTOP, TELEPHONE = (1280, 800), (390, 844)


def pairs() -> list[tuple[str, int, int]]:
    """Return language, width and height in pixels of every look at a page."""
    exhaustive = bool(os.environ.get("EXHAUSTIVE"))
    chosen = (
        itertools.product(LANGUAGES, (DESKTOP, TELEPHONE))
        if exhaustive
        else zip(LANGUAGES, (DESKTOP, TELEPHONE), strict=True)
    )
    return [(language, *size) for language, size in chosen]


in_languages_at_widths = pytest.mark.parametrize(("language", "width", "height"), pairs())

"""In which languages and at which widths pages are looked at: all with each other by `make test-all`."""

from __future__ import annotations

import itertools

import pytest

from tests.selection import only_in_full

LANGUAGES = ("en", "de")
DESKTOP, TELEPHONE = (1280, 800), (390, 844)
# Long words in a narrow window: what does not fit anywhere does not fit here.
ALWAYS = ("de", TELEPHONE)

in_languages_at_widths = pytest.mark.parametrize(
    ("language", "width", "height"),
    [
        (language, *size)
        if (language, size) == ALWAYS
        else only_in_full("a page that axe objects to in one language or at one width alone", language, *size)
        for language, size in itertools.product(LANGUAGES, (DESKTOP, TELEPHONE))
    ],
)

"""Format docstrings for the reference: fence their examples as code."""

from __future__ import annotations

import re
from typing import Any

import griffe

# A paragraph that begins with a prompt ends at the next empty line, as for doctest.
EXAMPLE = re.compile(r"(?:^|(?<=\n\n))(>>> .+?)(?=\n\n|\Z)", re.DOTALL)


class Examples(griffe.Extension):
    """Fences the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return the text with its examples as blocks of code."""
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[1]}\n```", text)

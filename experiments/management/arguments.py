"""Argument types for management commands."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return an argparse type for whole numbers from `least` to `most`.

    >>> whole_number(1, 65_535)("8000")
    8000
    """

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ArgumentTypeError(f"must be a whole number from {least} to {most}")
        return int(text)

    return read


port = whole_number(1, 65_535)

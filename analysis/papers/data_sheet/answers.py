"""Data class of an answer in the data sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """How far a question is answered by what is stored."""

    KNOWN = "answered"
    PART = "answered in part"
    OPEN = "open"


@dataclass(frozen=True)
class Answer:
    """An answer: what is stored, where it is from, and what the authors may want to add to it.

    What is open has no text. `add` replaces the usual line that tells authors what to write.
    """

    standing: Standing
    text: str = ""
    source: str = ""
    add: str = ""


Answers = Mapping[str, Answer]
"""The answers of a section, by the numbers of their questions."""

OPEN = Answer(Standing.OPEN)


def known(text: str, source: str = "", *, add: str = "") -> Answer:
    """Return a complete answer; `add` is what authors may still say."""
    return Answer(Standing.KNOWN, text, source, add)


def in_part(text: str, source: str = "", *, add: str = "") -> Answer:
    """Return what is known of a question that only the authors can answer."""
    return Answer(Standing.PART, text, source, add)


def quoted(text: str) -> str:
    """Return words of a study as a quotation on one line.

    >>> quoted(" Which is\\nbetter? ")
    '“Which is better?”'
    """
    return f"“{' '.join(str(text).split())}”"


def ended(text: str) -> str:
    """Return text with a full stop, unless it has an end already, be it within a quotation.

    >>> ended("a, b"), ended("“Which is better?”")
    ('a, b.', '“Which is better?”')
    """
    return text if text.rstrip("”").endswith((".", "!", "?", "…")) else f"{text}."

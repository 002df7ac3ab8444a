"""Which words of a stimulus and its recall are the same, for the marks that coders see. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["same", "near", "only"]


@dataclass(frozen=True)
class Mark:
    """A piece of a text, spaces and punctuation included; the pieces of a text joined are the text.

    `same` stands in the other text too, at its place; `near` differs there in spelling or ending only, as in a typing
    error; `only` stands in this text alone.
    """

    text: str
    kind: Kind


def marks(stimulus: str, recall: str) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the marks of the stimulus and of the recall."""
    raise NotImplementedError

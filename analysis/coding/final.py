"""The codes of a recall that are analysed: adjudicated before agreed before single; unresolved where coders differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.models import Study

ADJUDICATED, AGREED, SINGLE, UNRESOLVED = "adjudicated", "agreed", "single", "unresolved"


@dataclass(frozen=True)
class Final:
    """The final codes of a recall; None where it is unresolved."""

    codes: tuple[str, ...] | None
    source: str


@dataclass(frozen=True)
class Counts:
    """How far the coding of a study is, in recalls. `total` are those to code; `uncoded` those that nobody coded."""

    total: int
    uncoded: int
    single: int
    agreed: int
    adjudicated: int
    unresolved: int


def final_of(codings: Sequence[Sequence[str]], *, adjudicated: Sequence[str] | None = None) -> Final | None:
    """Return the final codes from the coders' codes of one recall; None where nobody coded it."""
    raise NotImplementedError


def counts(study: Study) -> Counts:
    """Return how far the coding of a study is."""
    raise NotImplementedError

"""Registry of paradigms, in the order in which they are offered: built-in ones, then those of installed packages.

A new one of the platform is one more line here; a package needs none (`packages`). Their modules are imported when the
first paradigm is asked for: models and most commands ask for none, and checks of answers bring REST framework along.
"""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from experiments.paradigms.base import Paradigm
from experiments.paradigms.packages import paradigms_from_packages

MODULES: tuple[str, ...] = (
    "magnitude_estimation.paradigm:MagnitudeEstimation",
    "sentence_recall.paradigm:SentenceRecall",
    "mouse_contingent_reading.paradigm:MouseContingentReading",
    "rating.paradigm:Rating",
    "self_paced_reading.paradigm:SelfPacedReading",
    "timed_choice.paradigm:TimedChoice",
    "typed_production.paradigm:TypedProduction",
    "comparison.paradigm:Comparison",
    "maze.paradigm:MazeReading",
)
BUILT_IN: tuple[Paradigm, ...]
PARADIGMS: tuple[Paradigm, ...]

if not TYPE_CHECKING:  # to which every name would be one of these

    def __getattr__(name: str) -> tuple[Paradigm, ...]:
        """Make one of the two tuples when somebody imports it."""
        if name == "BUILT_IN":
            return _built_in()
        if name == "PARADIGMS":
            return _offered()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _built_in() -> tuple[Paradigm, ...]:
    return tuple(_made(name) for name in MODULES)


@cache
def _offered() -> tuple[Paradigm, ...]:
    return (*_built_in(), *paradigms_from_packages(paradigm.slug for paradigm in _built_in()))


@cache
def _made(name: str) -> Paradigm:
    paradigm = resolve_name(f"{__name__}.{name}")()
    assert isinstance(paradigm, Paradigm), f"{name} is no paradigm"  # noqa: S101 - a fault of the programmer
    return paradigm


class UnknownParadigm(LookupError):
    """No paradigm has this slug: it is misspelt, or its package is no longer installed."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        known = ", ".join(paradigm.slug for paradigm in _offered())
        super().__init__(
            f"There is no paradigm '{slug}'. Known are: {known}. Where a package brought it, install the package again."
        )


def paradigm_named(slug: str) -> Paradigm:
    """Return the paradigm with this slug.

    Raises UnknownParadigm, naming those that exist.

    >>> paradigm_named("magnitude-estimation").label
    'Magnitude estimation of acceptability'
    """
    if (paradigm := known_paradigm(slug)) is None:
        raise UnknownParadigm(slug)
    return paradigm


def known_paradigm(slug: str) -> Paradigm | None:
    """Return the paradigm with this slug; None where it is not installed.

    >>> known_paradigm("none") is None
    True
    """
    return next((paradigm for paradigm in _offered() if paradigm.slug == slug), None)


def paradigm_behind(slug: str) -> Paradigm:
    """Return the paradigm of a part, given what it says of it: that of shared pages where it says nothing."""
    return paradigm_named(slug) if slug else _made("pieces.shared_pages:SharedPages")

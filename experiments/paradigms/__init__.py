"""Every paradigm that is offered, in the order in which it is offered: those of the platform, then those of packages.

A new one of the platform is one more line here; a package needs none (`packages`).
"""

from __future__ import annotations

from experiments.paradigms.base import Paradigm
from experiments.paradigms.comparison.paradigm import Comparison
from experiments.paradigms.magnitude_estimation.paradigm import MagnitudeEstimation
from experiments.paradigms.maze.paradigm import MazeReading
from experiments.paradigms.mouse_contingent_reading.paradigm import MouseContingentReading
from experiments.paradigms.packages import paradigms_from_packages
from experiments.paradigms.pieces.shared_pages import SharedPages
from experiments.paradigms.rating.paradigm import Rating
from experiments.paradigms.self_paced_reading.paradigm import SelfPacedReading
from experiments.paradigms.sentence_recall.paradigm import SentenceRecall
from experiments.paradigms.timed_choice.paradigm import TimedChoice
from experiments.paradigms.typed_production.paradigm import TypedProduction

BUILT_IN: tuple[Paradigm, ...] = (
    MagnitudeEstimation(),
    SentenceRecall(),
    MouseContingentReading(),
    Rating(),
    SelfPacedReading(),
    TimedChoice(),
    TypedProduction(),
    Comparison(),
    MazeReading(),
)
PARADIGMS: tuple[Paradigm, ...] = (*BUILT_IN, *paradigms_from_packages(paradigm.slug for paradigm in BUILT_IN))


SHARED_PAGES = SharedPages()


class UnknownParadigm(LookupError):
    """No paradigm has this slug: a file misspells it, or the package that brought it is not installed any more."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        known = ", ".join(paradigm.slug for paradigm in PARADIGMS)
        super().__init__(
            f"There is no paradigm '{slug}'. Known are: {known}. Where a package brought it, install the package again."
        )


def paradigm_named(slug: str) -> Paradigm:
    """Return the paradigm with this slug.

    Raises UnknownParadigm, naming those that exist.

    >>> paradigm_named("magnitude-estimation").label
    'Magnitude estimation of acceptability'
    """
    for paradigm in PARADIGMS:
        if paradigm.slug == slug:
            return paradigm
    raise UnknownParadigm(slug)


def paradigm_behind(slug: str) -> Paradigm:
    """Return the paradigm of a part, given what it says of it: `SHARED_PAGES` where it says nothing."""
    return paradigm_named(slug) if slug else SHARED_PAGES


__all__ = ["PARADIGMS", "SHARED_PAGES", "Comparison", "Rating", "UnknownParadigm", "paradigm_behind", "paradigm_named"]

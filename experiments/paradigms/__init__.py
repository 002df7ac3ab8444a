"""Every paradigm that is offered, in the order in which it is offered. A new one is one more line here."""

from __future__ import annotations

from experiments.paradigms.base import Paradigm
from experiments.paradigms.magnitude_estimation.paradigm import MagnitudeEstimation
from experiments.paradigms.mouse_contingent_reading.paradigm import MouseContingentReading
from experiments.paradigms.rating.paradigm import Rating
from experiments.paradigms.self_paced_reading.paradigm import SelfPacedReading
from experiments.paradigms.sentence_recall.paradigm import SentenceRecall

PARADIGMS: tuple[Paradigm, ...] = (
    MagnitudeEstimation(),
    SentenceRecall(),
    MouseContingentReading(),
    Rating(),
    SelfPacedReading(),
)


class UnknownParadigm(LookupError):
    """No paradigm has this slug."""


def paradigm_named(slug: str) -> Paradigm:
    """Return the paradigm with this slug.

    Raises UnknownParadigm, naming those that exist.

    >>> paradigm_named("magnitude-estimation").label
    'Magnitude estimation of acceptability'
    """
    for paradigm in PARADIGMS:
        if paradigm.slug == slug:
            return paradigm
    known = ", ".join(paradigm.slug for paradigm in PARADIGMS)
    raise UnknownParadigm(f"There is no paradigm '{slug}'. Known are: {known}.")


__all__ = [
    "PARADIGMS",
    "MagnitudeEstimation",
    "Paradigm",
    "Rating",
    "SelfPacedReading",
    "SentenceRecall",
    "UnknownParadigm",
    "paradigm_named",
]

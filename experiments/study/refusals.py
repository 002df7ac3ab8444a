"""Exceptions for refused changes of a study."""

from __future__ import annotations

from experiments.formats.faults import Fault, spoken
from experiments.models import Study
from experiments.sentences import Sentence


class LifecycleRefusal(ValueError):
    """A change that the state of the study does not allow. The message says what can be done instead."""


class FrozenStudy(LifecycleRefusal):
    """The design of a study that has been opened cannot change."""

    def __init__(self, study: Study) -> None:
        super().__init__(
            Sentence(
                "The study '{slug}' has been opened, so its design is locked. Nothing was changed. Duplicate the "
                "study and change the copy.",
                slug=study.slug,
            )
        )


class NotReady(LifecycleRefusal):
    """The study cannot open yet; `faults` says why."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(spoken([Sentence("The study cannot open yet."), *faults]))
        self.faults = faults

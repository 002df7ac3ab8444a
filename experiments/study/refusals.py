"""Why a change of a study is refused."""

from __future__ import annotations

from experiments.formats.faults import Fault
from experiments.models import Study


class LifecycleRefusal(ValueError):
    """A change that the state of the study does not allow. The message says what can be done instead."""


class FrozenStudy(LifecycleRefusal):
    """The design of a study that has been opened cannot change."""

    def __init__(self, study: Study) -> None:
        super().__init__(
            f"The study '{study.slug}' has been opened, so its design cannot change any more. Nothing was changed. "
            "Make a copy of the study and change that."
        )


class NotReady(LifecycleRefusal):
    """The study cannot open yet; `faults` says why."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("The study cannot open yet. " + " ".join(str(fault) for fault in faults))
        self.faults = faults

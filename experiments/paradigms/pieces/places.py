"""Number the trials of a session, practice and main trials separately, and place breaks between main trials.

Main trials are targets and fillers; the quality of a session is computed over its main trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from experiments.paradigms.base import ShownStimulus, TrialPlan
from experiments.paradigms.pieces.shared_pages import break_after


@dataclass(frozen=True)
class Place:
    """The position of a trial among those of its kind, `index` from 1 to `total`."""

    is_practice: bool
    index: int
    total: int

    @property
    def phase(self) -> str:
        """The phase of its `TrialPlan`: practice or main."""
        return "practice" if self.is_practice else "main"

    @property
    def kind(self) -> str:
        """The kind in the trial's parameters: practice or target (also for fillers)."""
        return "practice" if self.is_practice else "target"

    @property
    def progress(self) -> dict[str, int]:
        """The parameters for the page's progress display."""
        return {"index": self.index, "total": self.total}

    def break_after(self, every: int) -> list[TrialPlan]:
        """Return the break after this trial: one after every `every` main trials, none if 0, none after the last."""
        return [] if self.is_practice else break_after(self.index, of=self.total, every=every)


def places_of(shown: Iterable[ShownStimulus]) -> list[Place]:
    """Return the place of each trial, for what they show in its order.

    >>> texts = [ShownStimulus(1, "a", is_practice=True), ShownStimulus(2, "b"), ShownStimulus(3, "c")]
    >>> [(place.kind, place.index, place.total) for place in places_of(texts)]
    [('practice', 1, 1), ('target', 1, 2), ('target', 2, 2)]
    """
    kinds = [stimulus.is_practice for stimulus in shown]
    totals, done = Counter(kinds), Counter[bool]()
    places = []
    for is_practice in kinds:
        done[is_practice] += 1
        places.append(Place(is_practice, done[is_practice], totals[is_practice]))
    return places


def main_trials(
    answered: Iterable[tuple[str, Mapping[str, Any], Mapping[str, Any]]], plugin: str
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Return parameters and payload of the main trials of a plugin, from the (plugin, params, payload) of a session."""
    return [(params, payload) for name, params, payload in answered if name == plugin and params["kind"] == "target"]

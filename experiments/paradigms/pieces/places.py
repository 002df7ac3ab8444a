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
    """The position of a trial among those of its kind, `index` from 1 to `total`.

    Breaks are counted from the start of its block: it is trial `of_block[0]` of `of_block[1]`. Within a chain there is
    none; at its last trial, `chain` trials ended, and 0 before.
    """

    is_practice: bool
    index: int
    total: int
    of_block: tuple[int, int] = (0, 0)
    chain: int = 1

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
        """Return the break after this trial: one after every `every` main trials, none if 0, none after the last.

        In a block the count begins anew, and no break comes after its last trial: the procedure says what does. A break
        that is due within a chain comes after it.
        """
        done, total = self.of_block if self.of_block[1] else (self.index, self.total)
        is_due = every and self.chain and done // every > (done - self.chain) // every and done < total
        if self.is_practice or not is_due:
            return []
        return break_after(self.index, of=self.total, every=1)


def places_of(shown: Iterable[ShownStimulus]) -> list[Place]:
    """Return the place of each trial, for what they show in its order.

    >>> texts = [ShownStimulus(1, "a", is_practice=True), ShownStimulus(2, "b"), ShownStimulus(3, "c")]
    >>> [(place.kind, place.index, place.total) for place in places_of(texts)]
    [('practice', 1, 1), ('target', 1, 2), ('target', 2, 2)]
    """
    all_shown = list(shown)
    totals, done = Counter(stimulus.is_practice for stimulus in all_shown), Counter[bool]()
    of_blocks = Counter(stimulus.block for stimulus in all_shown if not stimulus.is_practice)
    in_block: Counter[str] = Counter()
    places = []
    length = 0
    for stimulus, after in zip(all_shown, [*all_shown[1:], None], strict=True):
        is_practice = stimulus.is_practice
        done[is_practice] += 1
        in_block[stimulus.block] += not is_practice
        length += 1
        ends = after is None or not stimulus.chain or _chain_of(after) != _chain_of(stimulus)
        of_block = (in_block[stimulus.block], of_blocks[stimulus.block])
        places.append(Place(is_practice, done[is_practice], totals[is_practice], of_block, length if ends else 0))
        length = 0 if ends else length
    return places


def _chain_of(stimulus: ShownStimulus) -> tuple[str, int]:
    return stimulus.chain, stimulus.repetition


def main_trials(
    answered: Iterable[tuple[str, Mapping[str, Any], Mapping[str, Any]]], plugin: str
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Return parameters and payload of the main trials of a plugin, from the (plugin, params, payload) of a session."""
    return [(params, payload) for name, params, payload in answered if name == plugin and params["kind"] == "target"]

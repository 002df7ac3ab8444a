"""Group sequential plans: interim looks (numbers of participants) and α spending.

It is the key `sequential` of the deciding analysis in a study's plan, and frozen with it. Boundaries are computed in
`analysis.methods.sequential`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from experiments.formats.faults import Fault, listed, unknown_keys
from experiments.sentences import Sentence

OBRIEN_FLEMING, POCOCK, HWANG_SHIH_DECANI = "obrien-fleming", "pocock", "hwang-shih-decani"
SPENDING = (OBRIEN_FLEMING, POCOCK, HWANG_SHIH_DECANI)
# The γ of Hwang, Shih and DeCani with boundaries near those of O'Brien and Fleming.
GAMMA = -4.0
GAMMAS = (-20.0, 10.0)
ALPHA = 0.05
ALPHAS = (0.001, 0.2)
FEWEST_LOOKS, MOST_LOOKS = 2, 10
FEWEST_PEOPLE, MOST_PEOPLE = 4, 100_000
MAX_CHARACTERS = 200
KEYS = ("effect", "looks", "spending", "alpha", "gamma")
NAMES = {
    OBRIEN_FLEMING: Sentence("the spending function of the O’Brien–Fleming type"),
    POCOCK: Sentence("the spending function of the Pocock type"),
    HWANG_SHIH_DECANI: Sentence("the spending function of Hwang, Shih and DeCani"),
}


@dataclass(frozen=True)
class SequentialPlan:
    """A valid plan: the deciding effect, the numbers of participants at the looks, and the spending function."""

    effect: str
    looks: tuple[int, ...]
    spending: str = OBRIEN_FLEMING
    alpha: float = ALPHA
    gamma: float = GAMMA

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> SequentialPlan:
        """Return a plan as it is stored."""
        return cls(**{**stored, "looks": tuple(stored["looks"])})

    @property
    def shares(self) -> tuple[float, ...]:
        """Return the share of the people at every look, 1 at the last."""
        return tuple(people / self.looks[-1] for people in self.looks)

    @property
    def spends(self) -> Sentence:
        """Return how α is spent, in words."""
        if self.spending == HWANG_SHIH_DECANI:
            return Sentence("{name} (γ = {gamma:g})", name=NAMES[self.spending], gamma=self.gamma)
        return NAMES[self.spending]


def sequential_faults(given: Any, place: str) -> list[Fault]:
    """Return every fault in the shape of a sequential plan; `place` names its analysis."""
    if not isinstance(given, Mapping):
        return [Fault(message=Sentence("{place}: 'sequential' must be a table.", place=place), step="plan")]
    faults = [
        Fault(
            message=Sentence("{place}: a sequential analysis has no key '{key}'.", place=place, key=key),
            suggestion=hint,
        )
        for key, hint in unknown_keys(given, KEYS)
    ]
    said = [*_wrong_with_looks(given.get("looks")), *_wrong_with_spending(given)]
    effect = given.get("effect")
    if not isinstance(effect, str) or not effect.strip() or "\x00" in effect or len(effect) > MAX_CHARACTERS:
        said.append(Sentence("a sequential analysis names the effect that decides, such as 'marker'."))
    faults += [Fault(message=Sentence("{place}: {message}", place=place, message=message)) for message in said]
    return [replace(fault, step="plan") for fault in faults]


def complete_sequential(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sound sequential plan with every key that it needs, in the order in which it is stored.

    >>> complete_sequential({"effect": "marker", "looks": [20, 40]})
    {'effect': 'marker', 'looks': [20, 40], 'spending': 'obrien-fleming', 'alpha': 0.05}
    """
    spending = given.get("spending", OBRIEN_FLEMING)
    return {
        "effect": given["effect"].strip(),
        "looks": list(given["looks"]),
        "spending": spending,
        "alpha": float(given.get("alpha", ALPHA)),
        **({"gamma": float(given.get("gamma", GAMMA))} if spending == HWANG_SHIH_DECANI else {}),
    }


def _wrong_with_looks(looks: Any) -> list[str]:
    if not isinstance(looks, (list, tuple)) or not FEWEST_LOOKS <= len(looks) <= MOST_LOOKS:
        return [
            Sentence(
                "a sequential analysis has {fewest} to {most} looks, such as 24, 48, 72, 96.",
                fewest=FEWEST_LOOKS,
                most=MOST_LOOKS,
            )
        ]
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in looks):
        return [Sentence("the looks of a sequential analysis are whole numbers of people.")]
    if any(later <= earlier for earlier, later in pairwise(looks)):
        return [
            Sentence("the looks of a sequential analysis must rise: every look needs more people than the one before.")
        ]
    if looks[0] < FEWEST_PEOPLE or looks[-1] > MOST_PEOPLE:
        return [Sentence("a look needs {fewest} to {most:,} people.", fewest=FEWEST_PEOPLE, most=MOST_PEOPLE)]
    return []


def _wrong_with_spending(given: Mapping[str, Any]) -> list[str]:
    said: list[str] = []
    spending = given.get("spending", OBRIEN_FLEMING)
    if spending not in SPENDING:
        said.append(
            Sentence(
                "there is no spending function '{name}'. Possible names: {names}.",
                name=spending,
                names=listed(list(SPENDING)),
            )
        )
    for name, (low, high), default in (("alpha", ALPHAS, ALPHA), ("gamma", GAMMAS, GAMMA)):
        value = given.get(name, default)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or not low <= value <= high:
            said.append(Sentence("'{name}' must be a number from {low:g} to {high:g}.", name=name, low=low, high=high))
    if "gamma" in given and spending != HWANG_SHIH_DECANI:
        said.append(Sentence("only {name} uses 'gamma'.", name=HWANG_SHIH_DECANI))
    return said

"""Read how often tests reject a true null hypothesis, as `benchmarks.error_rates` measured it (`recorded.json`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from analysis.methods.error_rates.tests_of import test_of

RECORDED = Path(__file__).with_name("recorded.json")
# The level of all tests that are counted, and the rates that keep it.
ALPHA = 0.05
BAND = (0.035, 0.065)
# Fewer data sets say too little to be quoted.
FEWEST = 300


@dataclass(frozen=True)
class Rates:
    """The lowest and the highest share of rejections over effects and designs; `data_sets` is the smallest number."""

    low: float
    high: float
    data_sets: int
    designs: int

    @property
    def keeps_its_level(self) -> bool:
        """Whether all rates lie between 3.5 and 6.5 %."""
        return BAND[0] <= self.low and self.high <= BAND[1]

    @property
    def low_percent(self) -> float:
        """Return the lowest rate in per cent."""
        return 100 * self.low

    @property
    def high_percent(self) -> float:
        """Return the highest rate in per cent."""
        return 100 * self.high

    @property
    def percent(self) -> str:
        """Return the rates as a text.

        >>> Rates(0.098, 0.132, 2000, 4).percent, Rates(0.05, 0.0502, 2000, 1).percent
        ('9.8 to 13.2 %', '5.0 %')
        """
        low, high = f"{100 * self.low:.1f}", f"{100 * self.high:.1f}"
        return f"{low} %" if low == high else f"{low} to {high} %"


def rates_of(method: str, params: Mapping[str, Any]) -> Rates | None:
    """Return the measured error rates of an analysis; None where none were measured.

    >>> rates_of("rm-anova", {"unit": "participant"}).high > 0.065
    True
    >>> rates_of("reading", {}) is None
    True
    """
    return _by_test().get(test_of(method, params))


def measured_in(method: str, params: Mapping[str, Any]) -> str:
    """Return a sentence about the measured error rates of an analysis; empty where none were measured.

    >>> print(measured_in("min-f", {})[:48])
    Without an effect it was significant at α = .05
    """
    rates = rates_of(method, params)
    if rates is None:
        return ""
    designs = "of one design" if rates.designs == 1 else f"of each of {rates.designs} kinds of data"
    return (
        f"Without an effect it was significant at α = .05 in {rates.percent} of simulated studies in which people and "
        f"items differ in the effect ({rates.data_sets:,} or more {designs})."
    )


def percent_of(*tests: str) -> str:
    """Return the lowest to the highest rate of several tests, by their names.

    >>> percent_of("lmm with intercepts only").endswith("%")
    True
    """
    found = [_by_test()[test] for test in tests]
    low, high = min(one.low for one in found), max(one.high for one in found)
    return Rates(low, high, min(one.data_sets for one in found), 0).percent


def beyond_one_unit(method: str, unit: str) -> str:
    """Return the warning of a test over means of people (or of items), which says nothing about other items (people).

    >>> print(beyond_one_unit("rm-anova", "item")[:56])
    This test generalises to other items and not to other pe
    """
    other, unit = ("items", "people") if unit != "item" else ("people", "items")
    measured = measured_in(method, {"unit": "item" if unit == "items" else "participant"})
    return (
        f"This test generalises to other {unit} and not to other {other}: where {other} differ in the effect, as they "
        f"mostly do, it finds too much. {measured} A mixed model with slopes by participant and by item generalises to "
        f"both: ordinal for points of a scale, glmm for yes and no, lmm for other measures."
    )


@cache
def recorded() -> Mapping[str, Mapping[str, Any]]:
    """Return the counts of all cases by their names."""
    found: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


@cache
def _by_test() -> Mapping[str, Rates]:
    found: dict[str, list[tuple[float, int]]] = {}
    for made in recorded().values():
        tested = made["simulations"] - made["undefined"]
        if made.get("test") and tested >= FEWEST:
            shares = (count / tested for count in made["rejected"].values())
            found.setdefault(made["test"], []).extend((share, tested) for share in shares)
    designs = {
        test: len({(made["simulations"], name) for name, made in recorded().items() if made.get("test") == test})
        for test in found
    }
    return {
        test: Rates(
            min(low for low, _ in shares), max(high for high, _ in shares), min(n for _, n in shares), designs[test]
        )
        for test, shares in found.items()
    }

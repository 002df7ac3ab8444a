"""Compare estimated marginal means: pairwise differences, on the scale of the model and in the unit of the measure.

Comparisons are adjusted by Tukey (studentised range over the means of one family) and by Holm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol

import numpy as np
import scipy

from analysis.methods.adjusted import holm
from analysis.methods.arrays import Floats
from analysis.methods.conditions.studentised_range import critical_value, upper_tail
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.estimates.means import Mean, factors, marginal_means
from analysis.methods.mixed.estimates.satterthwaite import Fitted
from analysis.methods.mixed.estimates.total_variance import Total, total_of
from analysis.methods.report import Column

MOST_LINES = 60
MOST_MEANS = 64


class Outcome(Protocol):
    """What means are in the unit of the measure; `columns` are the mean with its standard error and interval."""

    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def covariance(self) -> Floats: ...
    def of(self, mean: Mean) -> tuple[float, Floats]:
        """Return the value of a mean that can be estimated, and its derivative by what `covariance` is of."""


@dataclass(frozen=True)
class ByLink:
    """Means in the unit of the measure by the inverse of the link."""

    fit: Estimates

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return the columns of a mean in the unit of the measure; none where it is that of the coefficients."""
        return self.fit.scale.mean

    @property
    def covariance(self) -> Floats:
        """Return the covariance matrix of the fixed effects."""
        return self.fit.covariance

    def of(self, mean: Mean) -> tuple[float, Floats]:
        """Return the value of a mean and its derivative by the fixed effects."""
        weights = np.zeros(0) if mean.weights is None else mean.weights
        value, slope = self.fit.scale.outcome(float(weights @ self.fit.beta))
        return value, slope * weights


@dataclass(frozen=True)
class Family:
    """Means of one factor, or of several crossed, that are compared inside every combination of the first `held`."""

    factor: str
    means: Sequence[Mean]
    held: int


def default_families(fit: Estimates) -> list[Family]:
    """Return what is compared where nothing is named: the levels of every factor.

    They are averaged over the factors with which it does not interact, and compared inside every combination of levels
    of those with which it does (simple effects). A factor with more than 60 comparisons is left out.
    """
    known = factors(fit)
    found = []
    for variable, read in known.items():
        held = [
            other
            for other in known
            if other != variable and any({variable, other} <= set(term) for term in fit.design.fixed.terms)
        ]
        families, size = math.prod(len(known[other].levels) for other in held), len(read.levels)
        if size < 2 or families * size * (size - 1) / 2 > MOST_LINES or families * size > MOST_MEANS:
            continue
        found.append(Family(variable.column, marginal_means(fit, [*held, variable]), len(held)))
    return found


def named_family(means: Sequence[Mean], over: Sequence[Variable], *, held: int) -> Family:
    """Return the family of means that were asked for; `over` are their factors, those that are held first."""
    return Family(" × ".join(variable.column for variable in over[held:]), means, held)


def comparisons(
    fit: Estimates, family: Family, *, confidence: float, outcome: Outcome | None = None
) -> list[dict[str, Any]]:
    """Compare means pairwise inside every combination of the first factors of a family."""
    lines: list[dict[str, Any]] = []
    held, means = family.held, family.means
    shown = outcome or ByLink(fit)
    total = total_of(fit) if isinstance(fit, Fitted) else None
    for one in dict.fromkeys(mean.levels[:held] for mean in means):
        members = [mean for mean in means if mean.levels[:held] == one]
        mine = [
            _compared(fit, pair, held=held, k=len(members), confidence=confidence, outcome=shown, total=total)
            for pair in combinations(members, 2)
        ]
        # What cannot be estimated stays in its family, as its mean does in Tukey's; emmeans does the same.
        adjusted = holm([1.0 if line["p_unadjusted"] is None else line["p_unadjusted"] for line in mine])
        for line, p in zip(mine, adjusted, strict=True):
            line["factor"] = family.factor
            line["p_holm"] = None if line["p_unadjusted"] is None else p
        lines += mine
    return lines


def _compared(
    fit: Estimates,
    pair: tuple[Mean, Mean],
    *,
    held: int,
    k: int,
    confidence: float,
    outcome: Outcome,
    total: Total | None,
) -> dict[str, Any]:
    a, b = pair
    family, first, second = ":".join(a.levels[:held]), ":".join(a.levels[held:]), ":".join(b.levels[held:])
    line: dict[str, Any] = {
        **fit.scale.blank,
        "by": family,
        "a": first,
        "b": second,
        "k": k,
        "comparison": (f"{family}: " if family else "") + f"{first} − {second}",
        "p_unadjusted": None,
    }
    if a.weights is None or b.weights is None:
        return line
    tested = fit.contrast(a.weights - b.weights)
    # With two means Tukey's test is the t test.
    if k == 2:
        critical, p = float(scipy.stats.t.isf((1 - confidence) / 2, tested.df)), tested.p
    else:
        critical = critical_value(round(1 - confidence, 12), k=k, df=round(tested.df, 4)) / math.sqrt(2)
        p = float(upper_tail(abs(tested.t) * np.sqrt(2), k=k, df=tested.df))
    low, high = tested.estimate - critical * tested.se, tested.estimate + critical * tested.se
    return line | {
        "mean_a": float(a.weights @ fit.beta),
        "mean_b": float(b.weights @ fit.beta),
        "diff": tested.estimate,
        "se": tested.se,
        "df": tested.df,
        "t": tested.t,
        "z": tested.t,
        "p": p,
        "p_unadjusted": tested.p,
        "ci_low": low,
        "ci_high": high,
        **fit.scale.ratios(tested.estimate, low, high),
        **_of_outcome(outcome, pair, critical=critical),
        **(total.effect(tested, confidence=confidence) if total is not None else {}),
    }


def _of_outcome(outcome: Outcome, pair: tuple[Mean, Mean], *, critical: float) -> dict[str, float]:
    """Return two means and their difference in the unit of the measure, with an interval by the delta method."""
    if not outcome.columns:
        return {}
    (a, slope_a), (b, slope_b) = outcome.of(pair[0]), outcome.of(pair[1])
    slope = slope_a - slope_b
    se = float(np.sqrt(max(float(slope @ outcome.covariance @ slope), 0.0)))
    name, diff = outcome.columns[0].name, a - b
    ends = {f"{name}_diff_low": diff - critical * se, f"{name}_diff_high": diff + critical * se}
    return {f"{name}_a": a, f"{name}_b": b, f"{name}_diff": diff, f"{name}_diff_se": se, **ends}

"""Read the intercept or thresholds of simulated answers, in log odds or as probabilities.

Answers have a logistic residual: with thresholds α_k, P(y ≤ k) = 1 / (1 + exp(−(α_k − η))). Yes and no have the one
threshold −β₀. Thresholds and the intercept hold for a participant and an item without deviations and, as effects sum to
zero over the cells of the design, for the mean of all cells in log odds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
import scipy

from analysis.methods.power.design import Design, Truth
from analysis.methods.power.stated import read_number
from analysis.methods.report import BadInput
from analysis.methods.wording import number_text

Outcome = Literal["measure", "binary", "ordered"]

LOGISTIC_SD = math.pi / math.sqrt(3)
# Beyond these log odds one of 160,000 answers is another.
CERTAIN = 12.0
LARGEST_SD = 12.0
ROUNDED = 0.02
MOST_CATEGORIES = 30


def outcome_of(methods: Sequence[str]) -> Outcome:
    """Return what the analyses need: with glmm yes and no, with ordinal ordered categories, else a measure.

    Raises BadInput where both are asked for.
    """
    if "glmm" in methods and "ordinal" in methods:
        raise BadInput(
            "method: glmm analyses yes and no and ordinal ordered categories, so they cannot have the same simulated "
            "answers; run power once for each."
        )
    return "binary" if "glmm" in methods else "ordered" if "ordinal" in methods else "measure"


def thresholds_of(
    outcome: Outcome,
    *,
    probability: str | None,
    intercept: str | None,
    thresholds: str | None,
    pilot: tuple[float, ...] | None,
) -> tuple[float, ...] | None:
    """Return the thresholds as stated, else those of the pilot data; None for a measure.

    Raises BadInput where none are given, they are stated twice, or they belong to another analysis.

    >>> thresholds_of("binary", probability="0.8", intercept=None, thresholds=None, pilot=None)
    (-1.3862943611198908,)
    >>> thresholds_of("ordered", probability="0.2,0.3,0.5", intercept=None, thresholds=None, pilot=None)
    (-1.3862943611198906, 0.0)
    """
    given = {
        name: text
        for name, text in (("probability", probability), ("intercept", intercept), ("thresholds", thresholds))
        if text and text.strip()
    }
    allowed = {"measure": (), "binary": ("probability", "intercept"), "ordered": ("probability", "thresholds")}[outcome]
    for name in given:
        if name not in allowed:
            where = {"probability": "glmm or ordinal", "intercept": "glmm", "thresholds": "ordinal"}[name]
            raise BadInput(f"{name}: it belongs to method={where}, which is none of the analyses; leave it out.")
    if outcome == "measure":
        return None
    if len(given) > 1:
        raise BadInput(f"{' and '.join(given)} say the same in two ways; give one of them.")
    if not given and pilot is None:
        example = "probability=0.7" if outcome == "binary" else "probability=0.1,0.2,0.4,0.3, one for each category"
        raise BadInput(
            f"probability is missing: say how likely answers are for an average participant and item, such as "
            f"{example}; or {allowed[1]}=… in log odds."
        )
    if "intercept" in given:
        return (-_log_odds(read_number(given["intercept"], parameter="intercept"), parameter="intercept"),)
    if "thresholds" in given:
        return _rising(_numbers(given["thresholds"], parameter="thresholds"))
    if "probability" in given:
        return _of_shares(_numbers(given["probability"], parameter="probability"), outcome)
    return pilot


def check_answers(design: Design, truth: Truth) -> None:
    """Raise BadInput where nearly every answer would be the same, or log odds differ absurdly."""
    thresholds = np.array(truth.thresholds)
    means = np.sum([truth.effects[term.name] for term in design.terms], axis=0)
    for cell, mean in zip(design.cells, means, strict=True):
        apart = thresholds - mean
        if float(apart.min()) > CERTAIN or float(apart.max()) < -CERTAIN:
            raise BadInput(
                f"In {':'.join(cell)} an average participant would always give the same answer (log odds of "
                f"{number_text(float(np.abs(apart).min()))}). Effects are in log odds here: 0.7 doubles the odds."
            )
    slopes = [*(truth.participant_slopes or {}).values(), *(truth.item_slopes or {}).values()]
    largest = max(truth.participant, truth.item, *slopes)
    if largest > LARGEST_SD:
        raise BadInput(
            f"sds: {number_text(largest)} is too large for log odds, where 1 or 2 is much; state how people and items "
            f"differ in log odds."
        )


def shares_of(thresholds: Sequence[float], mean: float = 0.0) -> list[float]:
    """Return the probability of every category at a mean.

    >>> shares_of([0.0], 0.0)
    [0.5, 0.5]
    """
    below = [0.0, *scipy.special.expit(np.array(thresholds) - mean), 1.0]
    return [float(share) for share in np.diff(below)]


def _numbers(text: str, *, parameter: str) -> list[float]:
    return [read_number(part, parameter=parameter) for part in text.split(",") if part.strip()]


def _log_odds(value: float, *, parameter: str) -> float:
    if abs(value) > CERTAIN:
        raise BadInput(
            f"{parameter}: log odds of {number_text(value)} make nearly every answer the same; it must lie between "
            f"{-CERTAIN:g} and {CERTAIN:g}."
        )
    return value


def _rising(values: Sequence[float]) -> tuple[float, ...]:
    if not 1 <= len(values) < MOST_CATEGORIES or any(after <= before for before, after in pairwise(values)):
        raise BadInput(
            f"thresholds must be 1 to {MOST_CATEGORIES - 1} rising log odds, one less than there are categories, such "
            f"as thresholds=-2,-0.5,1."
        )
    return tuple(_log_odds(value, parameter="thresholds") for value in values)


def _of_shares(shares: Sequence[float], outcome: Outcome) -> tuple[float, ...]:
    if outcome == "binary":
        if len(shares) != 1 or not 0 < shares[0] < 1:
            raise BadInput(
                "probability must be one number above 0 and below 1 for glmm, such as probability=0.7: with 0 or 1 "
                "nobody would ever answer otherwise."
            )
        return (-_log_odds(float(scipy.special.logit(shares[0])), parameter="probability"),)
    if not 2 <= len(shares) <= MOST_CATEGORIES:
        raise BadInput(
            f"probability must give a share for each of 2 to {MOST_CATEGORIES} categories for ordinal, lowest first, "
            f"such as probability=0.1,0.2,0.4,0.3."
        )
    total = math.fsum(shares)
    if min(shares) <= 0 or abs(total - 1) > ROUNDED:
        raise BadInput(
            f"probability: the shares of the categories must all be above 0 and add up to 1; these add up to "
            f"{number_text(total)}. Leave categories out that nobody chooses."
        )
    below = np.cumsum(shares)[:-1] / total
    return _rising([float(value) for value in scipy.special.logit(below)])

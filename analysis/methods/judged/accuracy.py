"""Pairwise accuracy: how often a metric orders two texts as people do, with ties on either side."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats, Integers, without_noise
from analysis.methods.columns import declared_table, usual
from analysis.methods.report import Column

CALIBRATED_UP_TO = 3_000_000
"""Up to this many pairs are examined one by one; more are only counted, without calibration."""


ACCURACY = declared_table(
    "accuracy",
    "Pairs ordered as people order them",
    "Higher values of a metric are better, except those in `lower_is_better`, whatever the data say.",
    usual("level", meaning="`text`, `within item` (pairs of texts of the same item) or `system`."),
    "metric",
    Column("pairs", "Pairs", "integer", meaning="All pairs: C + D + T_h + T_m + T_hm."),
    Column("accuracy", "Accuracy", "share", meaning="C/(C + D + T_m): pairs that people tie are left out."),
    Column(
        "accuracy_ties", "Accuracy with ties", "share", meaning="(C + T_hm) / pairs (Deutsch, Foster & Freitag 2023)."
    ),
    Column("accuracy_calibrated", "with ties, calibrated", "share", meaning="Its maximum over thresholds ε for ties."),
    Column("epsilon", "ε", meaning="The metric ties pairs that differ by at most this; chosen on these data."),
    Column("concordant", "C", "integer", meaning="C: pairs that both order alike."),
    Column("discordant", "D", "integer", meaning="D: pairs that they order the other way round."),
    Column("tied_human", "Tied by people", "integer", meaning="T_h: pairs that only people tie."),
    Column("tied_metric", "Tied by the metric", "integer", meaning="T_m: pairs that only the metric ties."),
    Column("tied_both", "Tied by both", "integer", meaning="T_hm: pairs that both tie."),
    detail="epsilon concordant discordant tied_human tied_metric tied_both",
    order=("level: system text",),
)


def accuracy(human: Floats, metric: Floats) -> dict[str, Any]:
    """Return counts of pairs of texts and accuracies, by the columns of `ACCURACY`.

    >>> found = accuracy(np.array([1.0, 1.0, 2.0]), np.array([0.1, 0.1, 0.5]))
    >>> found["accuracy"], found["accuracy_ties"]
    (1.0, 1.0)
    """
    human, metric = without_noise(human), without_noise(metric)
    n = len(human)
    if n * (n - 1) // 2 <= CALIBRATED_UP_TO:
        first, second = np.triu_indices(n, k=1)
        return _judged(human[second] - human[first], metric[second] - metric[first])
    pairs, tied_h, tied_m = n * (n - 1) // 2, _pairs_within(human), _pairs_within(metric)
    cells = np.unique(human, return_inverse=True)[1] * n + np.unique(metric, return_inverse=True)[1]
    both = _pairs_within(cells)
    ordered = pairs - tied_h - tied_m + both
    tau = (
        float(scipy.stats.kendalltau(human, metric, method="asymptotic").statistic) if tied_h < pairs > tied_m else 0.0
    )
    # τ-b is (C − D)/√((pairs − ties of one)(pairs − ties of the other)), so C and D follow from it.
    surplus = round(tau * float(np.sqrt((pairs - tied_h) * float(pairs - tied_m))))
    concordant = (ordered + surplus) // 2
    return _shares(pairs, concordant, ordered - concordant, tied_h - both, tied_m - both, both)


def accuracy_within(human: Floats, metric: Floats, groups: Integers) -> dict[str, Any] | None:
    """Return the accuracy over pairs of texts of the same item, each pair with equal weight; None without any.

    Return None also above `CALIBRATED_UP_TO` such pairs: items with that many texts tell nothing.
    """
    if _pairs_within(groups) > CALIBRATED_UP_TO:
        return None
    human, metric = without_noise(human), without_noise(metric)
    order = np.argsort(groups, kind="stable")
    human, metric, groups = human[order], metric[order], groups[order]
    differences: list[tuple[Floats, Floats]] = []
    # Texts of an item are adjacent: pair each text with the first, second, … one after it.
    for step in range(1, int(np.bincount(groups).max(initial=1))):
        same = groups[step:] == groups[:-step]
        differences.append(((human[step:] - human[:-step])[same], (metric[step:] - metric[:-step])[same]))
    if not differences or not sum(len(of_human) for of_human, _ in differences):
        return None
    return _judged(*(np.concatenate(side) for side in zip(*differences, strict=True)))


def _judged(of_human: Floats, of_metric: Floats) -> dict[str, Any]:
    h, m = np.sign(without_noise(of_human)), np.sign(without_noise(of_metric))
    found = _shares(
        len(h),
        int(((h * m) > 0).sum()),
        int(((h * m) < 0).sum()),
        int(((h == 0) & (m != 0)).sum()),
        int(((h != 0) & (m == 0)).sum()),
        int(((h == 0) & (m == 0)).sum()),
    )
    if len(h) > CALIBRATED_UP_TO:
        return found
    size = without_noise(np.abs(of_metric))
    order = np.argsort(size, kind="stable")
    size, tied, apart = size[order], (h == 0)[order], ((h * m) > 0)[order]
    # If all pairs up to a place are tied, right are those that people tie before it and those in order after it.
    right = np.concatenate([[apart.sum()], apart.sum() + np.cumsum(tied.astype(np.intp) - apart.astype(np.intp))])
    ends = np.append(np.flatnonzero(np.diff(size) > 0) + 1, len(size)) if len(size) else np.array([], dtype=np.intp)
    thresholds, values = size[ends - 1], right[ends]
    if not len(size) or size[0] > 0:
        thresholds, values = np.append(0.0, thresholds), np.append(right[0], values)
    best = int(np.argmax(values))
    calibrated = float(values[best]) / len(h) if len(h) else None
    return found | {"accuracy_calibrated": calibrated, "epsilon": float(thresholds[best])}


def _shares(pairs: int, concordant: int, discordant: int, tied_h: int, tied_m: int, both: int) -> dict[str, Any]:
    differ = concordant + discordant + tied_m
    return {
        "pairs": pairs,
        "concordant": concordant,
        "discordant": discordant,
        "tied_human": tied_h,
        "tied_metric": tied_m,
        "tied_both": both,
        "accuracy": concordant / differ if differ else None,
        "accuracy_ties": (concordant + both) / pairs if pairs else None,
    }


def _pairs_within(values: Floats | Integers) -> int:
    counts = np.unique(values, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())

"""How often a metric orders two texts as people do, with ties on either side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats, Integers, without_noise

CALIBRATED_UP_TO = 3_000_000
"""So many pairs are looked at one by one; above, they are only counted."""


@dataclass(frozen=True)
class Accuracy:
    """Counts of pairs, and shares of them that are ordered as people order them.

    `plain` is C/(C + D + T_m): pairs that people tie have no part, ties of the metric are wrong. `with_ties` is
    (C + T_hm)/(C + D + T_h + T_m + T_hm), which also counts ties that both give (Deutsch, Foster & Freitag 2023);
    `calibrated` is the largest such share when the metric ties all pairs that differ by at most `epsilon`.
    """

    pairs: int
    concordant: int
    discordant: int
    tied_human: int
    tied_metric: int
    tied_both: int
    plain: float | None
    with_ties: float | None
    calibrated: float | None = None
    epsilon: float | None = None


def accuracy(human: Floats, metric: Floats) -> Accuracy:
    """Return the accuracy over all pairs of texts.

    >>> found = accuracy(np.array([1.0, 1.0, 2.0]), np.array([0.1, 0.1, 0.5]))
    >>> found.plain, found.with_ties
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


def accuracy_within(human: Floats, metric: Floats, groups: Integers) -> Accuracy | None:
    """Return the accuracy over pairs of texts of the same item, every pair counting alike; None without any.

    None also where there are more such pairs than are looked at: items then hold so many texts that they tell nothing.
    """
    if _pairs_within(groups) > CALIBRATED_UP_TO:
        return None
    human, metric = without_noise(human), without_noise(metric)
    order = np.argsort(groups, kind="stable")
    human, metric, groups = human[order], metric[order], groups[order]
    differences: list[tuple[Floats, Floats]] = []
    # Texts of an item stand together: pairs are those of a text and the first, second, … one behind it.
    for step in range(1, int(np.bincount(groups).max(initial=1))):
        same = groups[step:] == groups[:-step]
        differences.append(((human[step:] - human[:-step])[same], (metric[step:] - metric[:-step])[same]))
    if not differences or not sum(len(of_human) for of_human, _ in differences):
        return None
    return _judged(*(np.concatenate(side) for side in zip(*differences, strict=True)))


def _judged(of_human: Floats, of_metric: Floats) -> Accuracy:
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
    # With everything up to a place tied: right are the ties of people before it and the pairs in order behind it.
    right = np.concatenate([[apart.sum()], apart.sum() + np.cumsum(tied.astype(np.intp) - apart.astype(np.intp))])
    ends = np.append(np.flatnonzero(np.diff(size) > 0) + 1, len(size)) if len(size) else np.array([], dtype=np.intp)
    thresholds, values = size[ends - 1], right[ends]
    if not len(size) or size[0] > 0:
        thresholds, values = np.append(0.0, thresholds), np.append(right[0], values)
    best = int(np.argmax(values))
    return Accuracy(
        **{
            **vars(found),
            "calibrated": float(values[best]) / len(h) if len(h) else None,
            "epsilon": float(thresholds[best]),
        }
    )


def _shares(pairs: int, concordant: int, discordant: int, tied_h: int, tied_m: int, both: int) -> Accuracy:
    differ = concordant + discordant + tied_m
    return Accuracy(
        pairs=pairs,
        concordant=concordant,
        discordant=discordant,
        tied_human=tied_h,
        tied_metric=tied_m,
        tied_both=both,
        plain=concordant / differ if differ else None,
        with_ties=(concordant + both) / pairs if pairs else None,
    )


def _pairs_within(values: Floats | Integers) -> int:
    counts = np.unique(values, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())

"""Check that the comparison graph is connected and that worths are finite."""

from __future__ import annotations

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.preference.judgements import Pairwise


def wins(pairs: Pairwise, number: int, weights: Floats | None = None) -> Floats:
    """Return how often each option (rows) was preferred to each other one (columns); a tie counts a half for both.

    `weights` are those of judgements.
    """
    w = np.ones(len(pairs.a)) if weights is None else weights[pairs.judgement]
    table = np.bincount(pairs.a * number + pairs.b, weights=w * pairs.outcome, minlength=number**2)
    table += np.bincount(pairs.b * number + pairs.a, weights=w * (1 - pairs.outcome), minlength=number**2)
    return np.asarray(table.reshape(number, number), dtype=np.float64)


def islands(table: Floats) -> list[list[int]]:
    """Return the options by groups that were never compared with each other, not even by way of others.

    >>> islands(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    [[0, 1], [2]]
    """
    count, label = scipy.sparse.csgraph.connected_components(table > 0, directed=False)
    return [np.flatnonzero(label == one).tolist() for one in range(count)]


def tiers(table: Floats) -> list[list[int]]:
    """Return the options by groups inside which worths are finite: each was preferred to each, if by way of others
    (Ford 1957). One group is what is wanted; between groups one side was always preferred.

    >>> tiers(np.array([[0.0, 2.0, 2.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    [[0], [1, 2]]
    """
    count, label = scipy.sparse.csgraph.connected_components(table > 0, directed=True, connection="strong")
    groups = [np.flatnonzero(label == one).tolist() for one in range(count)]
    # The better group first: by how often its options were preferred to those outside.
    outside = [table[np.ix_(g, [x for x in range(len(table)) if x not in g])].sum() for g in groups]
    return [group for _, group in sorted(zip(outside, groups, strict=True), key=lambda pair: (-pair[0], pair[1]))]

"""Weighted correlations (Pearson, Spearman, Kendall) for many bootstrap samples at once."""

from __future__ import annotations

import numpy as np
import scipy

from analysis.methods.arrays import Floats, without_noise

HOW = ("pearson", "spearman", "kendall")
NOISE = 1e-12


def pearson(weights: Floats, human: Floats, metrics: Floats) -> Floats:
    """Return r[drawing, metric] of `human` (one row for all, or one for each drawing) with `metrics[text, metric]`.

    `weights[drawing, text]` says how often a text counts; a text whose metric is NaN does not count for that metric.
    NaN where one side does not vary.

    >>> pearson(np.ones((1, 3)), np.array([[1.0, 2, 4]]), np.array([[1.0], [2], [4]])).round(6).tolist()
    [[1.0]]
    """
    there = ~np.isnan(metrics)
    x = np.where(there, metrics - np.nanmean(metrics, axis=0), 0.0)
    mask = there.astype(np.float64)
    # Centred on anything near the mean, moments lose nothing.
    y = human - human.mean()
    weighted = weights * y
    n = weights @ mask
    with np.errstate(invalid="ignore", divide="ignore"):
        of_x, of_y = (weights @ x) / n, (weighted @ mask) / n
        xx, yy = weights @ x**2 / n - of_x**2, (weighted * y) @ mask / n - of_y**2
        xy = weighted @ x / n - of_x * of_y
        flat = (xx <= NOISE * (x**2).mean(axis=0)) | (yy <= NOISE * (y**2).mean())
        return np.where(flat, np.nan, np.clip(xy / np.sqrt(xx * yy), -1, 1))


def spearman(weights: Floats, human: Floats, metrics: Floats) -> Floats:
    """Return ρ[drawing, metric], as `pearson`: mid-ranks among all copies of all texts that count."""
    found = np.full((len(weights), metrics.shape[1]), np.nan)
    there = ~np.isnan(metrics)
    # Metrics that have the same texts share the ranks of people's scores.
    for pattern in np.unique(there, axis=1).T:
        own = weights[:, pattern]
        y, yy = _ranks_by_row(human[:, pattern], own)
        weighted = own * y
        for index in np.flatnonzero((there == pattern[:, None]).all(axis=0)):
            x, xx = mid_ranks(without_noise(metrics[pattern, index]), own)
            found[:, index] = _r(np.einsum("ij,ij->i", weighted, np.broadcast_to(x, own.shape)), xx, yy)
    return found


def kendall(weights: Floats, human: Floats, metrics: Floats) -> Floats:
    """Return τ-b[drawing, metric], as `pearson`; a copy of a text ties with it on both sides."""
    found = np.full((len(weights), metrics.shape[1]), np.nan)
    for index in range(metrics.shape[1]):
        there = ~np.isnan(metrics[:, index])
        x = without_noise(metrics[there, index])
        for drawing, row in enumerate(weights[:, there]):
            copies = row.astype(np.intp)
            y = human[drawing if len(human) > 1 else 0, there]
            first, second = np.repeat(x, copies), np.repeat(y, copies)
            # Two copies have no variance of τ, which SciPy would divide by.
            if len(first) > 2 and np.ptp(first) > 0 and np.ptp(second) > 0:
                found[drawing, index] = scipy.stats.kendalltau(first, second, method="asymptotic").statistic
    return found


def mid_ranks(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the mid-ranks of values among the copies that weights[drawing, value] give, and their sums of squares.

    Ranks are centred. A sum of squares over n copies is (n³ − Σ g³)/12 for groups of g copies that tie.

    >>> ranks, squares = mid_ranks(np.array([3.0, 1.0, 3.0]), np.array([[1.0, 2.0, 1.0]]))
    >>> ranks.tolist(), squares.tolist()
    ([[1.0, -1.0, 1.0]], [4.0])
    """
    if len(weights) > 1 and bool((weights == 1).all()):
        weights = weights[:1]
    distinct, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(len(distinct)))
    of_group = np.add.reduceat(weights[:, order], starts, axis=1)
    n = of_group.sum(axis=1)
    middle = np.cumsum(of_group, axis=1) - of_group / 2 - n[:, None] / 2
    return np.asarray(middle[:, group]), (n**3 - (of_group**3).sum(axis=1)) / 12


def _ranks_by_row(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return mid-ranks of values that differ from drawing to drawing; one row of values serves all drawings."""
    if len(values) == 1:
        return mid_ranks(values[0], weights)
    ranked = [mid_ranks(row, own[None, :]) for row, own in zip(values, weights, strict=True)]
    return np.vstack([ranks for ranks, _ in ranked]), np.concatenate([squares for _, squares in ranked])


def _r(xy: Floats, xx: Floats, yy: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((xx <= 0) | (yy <= 0), np.nan, np.clip(xy / np.sqrt(xx * yy), -1, 1))

"""Compute Cohen's κ of two coders and Krippendorff's α of any number, on arrays."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from analysis.methods.arrays import Floats

METRICS = ("nominal", "ordinal", "interval", "ratio")


@dataclass(frozen=True)
class Pair:
    """Agreement of two coders over n units; NaN where it is not defined."""

    n: int
    raw: float
    kappa: float
    ci_low: float
    ci_high: float


# Half an interval that is as good as none.
NO_WIDTH = 1e-9


def cohen(first: Floats, second: Floats) -> Pair:
    """Return Cohen's κ = (p_o − p_e)/(1 − p_e) with the asymptotic 95 % interval of Fleiss, Cohen and Everitt (1969).

    Where that would have no width, as where coders agree on everything, it is NaN.

    >>> pair = cohen(np.array([1.0] * 25 + [0.0] * 25), np.array([1.0] * 20 + [0.0] * 5 + [1.0] * 10 + [0.0] * 15))
    >>> round(pair.raw, 3), round(pair.kappa, 3)
    (0.7, 0.4)
    """
    scale, both = np.unique(np.concatenate([first, second]), return_inverse=True)
    a, b, k, n = both[: len(first)], both[len(first) :], len(scale), len(first)
    share = np.bincount(a * k + b, minlength=k * k).reshape(k, k) / n
    of_first, of_second = share.sum(axis=1), share.sum(axis=0)
    observed, expected = float(np.trace(share)), float(of_first @ of_second)
    if k < 2:
        return Pair(n, observed, kappa=np.nan, ci_low=np.nan, ci_high=np.nan)
    kappa = (observed - expected) / (1 - expected)
    diagonal = np.diag(share) @ (1 - (of_first + of_second) * (1 - kappa)) ** 2
    crossed = share * (of_second[:, None] + of_first[None, :]) ** 2
    off = (1 - kappa) ** 2 * (crossed.sum() - np.trace(crossed))
    variance = (diagonal + off - (kappa - expected * (1 - kappa)) ** 2) / ((1 - expected) ** 2 * n)
    half = 1.959963984540054 * sqrt(max(float(variance), 0.0))
    if half < NO_WIDTH:
        return Pair(n, observed, kappa, ci_low=np.nan, ci_high=np.nan)
    return Pair(n, observed, kappa, ci_low=max(kappa - half, -1.0), ci_high=min(kappa + half, 1.0))


def raw_agreement(values: Floats) -> float:
    """Return the share of agreeing pairs of codings, over all pairs of codings of the same unit.

    `values[unit, coder]`, NaN where a coder did not code a unit.
    """
    sizes = [(values == value).sum(axis=1) for value in np.unique(values[~np.isnan(values)])]
    coded = (~np.isnan(values)).sum(axis=1)
    pairs = int((coded * (coded - 1)).sum())
    return sum(int((same * (same - 1)).sum()) for same in sizes) / pairs if pairs else np.nan


def alpha(values: Floats, metric: str) -> float:
    """Return Krippendorff's α = 1 − (n − 1) Σ o_ck δ²_ck / Σ n_c n_k δ²_ck; NaN where only one value occurs.

    `values[unit, coder]`, NaN where a coder did not code a unit. The coincidence o_ck counts each pair of values of a
    unit, weighted by 1/(m_u − 1) for m_u codings of it; units with one coding do not count.

    >>> alpha(np.array([[1.0, 1.0], [2.0, 2.0], [1.0, 2.0]]), "nominal").__round__(4)
    0.4444
    """
    coded = (~np.isnan(values)).sum(axis=1)
    pairable = values[coded > 1]
    scale = np.unique(pairable[~np.isnan(pairable)])
    if len(scale) < 2:
        return float("nan")
    counts = np.stack([(pairable == value).sum(axis=1) for value in scale], axis=1).astype(np.float64)
    weights = 1 / (counts.sum(axis=1) - 1)
    coincidence = counts.T @ (counts * weights[:, None]) - np.diag(counts.T @ weights)
    total = coincidence.sum(axis=1)
    difference = _difference(scale, total, metric)
    observed = float((coincidence * difference).sum())
    expected = float(total @ difference @ total)
    return 1 - (float(total.sum()) - 1) * observed / expected


def _difference(scale: Floats, total: Floats, metric: str) -> Floats:
    """Return δ² between every two values (Krippendorff 2004, section 11.3.4)."""
    if metric == "nominal":
        return 1 - np.eye(len(scale))
    if metric == "interval":
        return np.asarray((scale[:, None] - scale[None, :]) ** 2)
    if metric == "ratio":
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (scale[:, None] - scale[None, :]) / (scale[:, None] + scale[None, :])
        return np.nan_to_num(ratio**2)
    up_to = np.cumsum(total) - total / 2
    return np.asarray((up_to[:, None] - up_to[None, :]) ** 2)

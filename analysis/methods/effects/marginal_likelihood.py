"""Marginal likelihoods of balanced normal models whose effects have priors of Jeffreys, Zellner and Siow.

Each effect has coefficients ~ N(0, g σ²) with g ~ inverse χ²(1) · r², and p(μ, σ²) ∝ 1/σ² (Rouder, Morey, Speckman &
Province 2012). With orthogonal effects, coefficients and σ² leave an integral over the g alone:

    m = ∫ Π (1 + c g)^(−df/2) · (SS_rest + Σ SS/(1 + c g))^(−h) Π p(g) dg,  h = (N − 1)/2

which is summed over a grid of ln g: for such a function the trapezoid rule converges faster than any power of the step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.methods.arrays import Floats

# On the logarithm of g; halving it changes the seventh digit.
STEP = 0.5
# Where the integrand has fallen by e to this power, the grid ends.
NEGLIGIBLE = 20.0
LARGEST_BLOCK = 2_000_000


@dataclass(frozen=True)
class Term:
    """An effect: its sum of squares, degrees of freedom, c (the rows behind each coefficient), and the scale r."""

    ss: float
    df: int
    c: float
    r: float


def log_marginal(terms: Sequence[Term], *, ss_rest: float, half: float) -> float:
    """Return ln m of a model with these terms, up to a constant that all models of the same data share.

    >>> t = Term(ss=2.5**2, df=1, c=24, r=math.sqrt(2) / 2)
    >>> bf = log_marginal([t], ss_rest=23, half=12) - log_marginal([], ss_rest=23 + t.ss, half=12)
    >>> round(math.exp(bf), 6)
    2.722659
    """
    log_weights, shares = [np.zeros(1)], [np.zeros(1)]
    for term in terms:
        x = _grid(term, ss_rest)
        g = np.exp(x)
        prior = math.log(term.r) - 0.5 * math.log(2 * math.pi) - 0.5 * x - term.r**2 / (2 * g)
        log_weights.append(prior - term.df / 2 * np.log1p(term.c * g) + math.log(STEP))
        shares.append(term.ss / (1 + term.c * g))
    # All but the last dimensions are laid out; the last one is gone through in blocks.
    weight, rest = log_weights[0], shares[0] + ss_rest
    for more_weight, more_rest in zip(log_weights[1:], shares[1:], strict=True):
        if len(weight) * len(more_weight) > LARGEST_BLOCK:
            return _in_blocks(weight, rest, more_weight, more_rest, half=half)
        weight = (weight[:, None] + more_weight).ravel()
        rest = (rest[:, None] + more_rest).ravel()
    return _log_sum(weight - half * np.log(rest))


def _log_sum(values: Floats) -> float:
    largest = float(values.max())
    return largest + math.log(float(np.exp(values - largest).sum()))


def _in_blocks(weight: Floats, rest: Floats, last_weight: Floats, last_rest: Floats, *, half: float) -> float:
    parts = [
        one_weight + _log_sum(weight - half * np.log(rest + one_rest))
        for one_weight, one_rest in zip(last_weight, last_rest, strict=True)
    ]
    return _log_sum(np.array(parts))


def _grid(term: Term, ss_rest: float) -> Floats:
    """Return ln g from where its prior is negligible to where the integrand has fallen."""
    low = math.log(term.r**2 / (2 * NEGLIGIBLE))
    turns = max(term.r**2, 1 / term.c, term.ss / (term.c * ss_rest))
    return np.arange(low, math.log(turns) + 2 * NEGLIGIBLE / (term.df + 1) + STEP, STEP)

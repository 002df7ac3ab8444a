"""Choose the next pairs to compare from the judgements so far. Pure: no Django, no database.

Bradley–Terry with a normal prior on the worths: P(i ≻ j) = 1 / (1 + exp(λ_j − λ_i)), λ ~ N(0, s²), a tie as half a win
for both. The posterior is taken as normal around its mode (Laplace). The gain of a pair is the product of two terms:
the information that a judgement is expected to give, ½ log(1 + w v), with the posterior variance v of λ_i − λ_j and the
information w = p (1 − p) of one judgement (Glickman & Jensen 2005, *Journal of Statistical Planning and Inference*
127); and the uncertainty of the pair's order, q (1 − q), with q = P(λ_i > λ_j). So neither a settled pair nor a nearly
equal one is asked again and again. Several pairs are chosen one at a time, each as if the previous ones had already
been judged, whatever the judgement.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

Matrix = list[list[float]]

PRIOR_SD = 2.0
_ROUNDS = 100


@dataclass(frozen=True)
class Posterior:
    """Means of the worths (log scale) and their covariances."""

    means: Sequence[float]
    covariances: Sequence[Sequence[float]]

    def variance(self, one: int, other: int) -> float:
        """Return the variance of the difference of two worths."""
        table = self.covariances
        return table[one][one] + table[other][other] - 2 * table[one][other]

    @property
    def order(self) -> list[int]:
        """The options, best first."""
        return sorted(range(len(self.means)), key=lambda option: -self.means[option])


def posterior(wins: Sequence[Sequence[float]], *, prior_sd: float = PRIOR_SD) -> Posterior:
    """Return the posterior of the worths; `wins[i][j]` is how often i was preferred to j, a tie half to each.

    Newton's method on Σ wins_ij log P(i ≻ j) − Σ λ² / (2 s²), which has one maximum whatever the wins.

    >>> found = posterior([[0, 3, 4], [1, 0, 4], [0, 1, 0]])
    >>> found.order, [round(mean, 1) for mean in found.means]
    ([0, 1, 2], [1.2, 0.1, -1.3])
    """
    n = len(wins)
    means = [0.0] * n
    for _ in range(_ROUNDS):
        gradient, information = _derivatives(wins, means, prior_sd)
        inverse = _inverse(information)
        steps = [sum(inverse[i][j] * gradient[j] for j in range(n)) for i in range(n)]
        longest = max(map(abs, steps), default=0.0)
        # Far from the mode the quadratic can overshoot.
        means = [
            mean + step * min(1.0, 2.0 / longest if longest else 1.0) for mean, step in zip(means, steps, strict=True)
        ]
        if longest < 1e-9:
            break
    return Posterior(means, _inverse(_derivatives(wins, means, prior_sd)[1]))


def next_pairs(
    found: Posterior, number: int, *, rng: random.Random, among: Collection[tuple[int, int]] | None = None
) -> list[tuple[int, int]]:
    """Return this many pairs (lower option first), the greatest gain first; ties are in random order.

    `among` are the pairs to choose from; by default all pairs.

    >>> sorted(next_pairs(posterior([[0.0] * 3 for _ in range(3)]), 3, rng=random.Random(1)))
    [(0, 1), (0, 2), (1, 2)]
    """
    n = len(found.means)
    table = [list(row) for row in found.covariances]
    every = list(combinations(range(n), 2) if among is None else among)
    chosen = []
    for _ in range(number):
        rng.shuffle(every)
        one, other = max(every, key=lambda pair: _gain(found.means, table, *pair))
        chosen.append((one, other))
        _learn(found.means, table, one, other)
    return chosen


def expected_information(difference: float, variance: float) -> float:
    """Return the expected information p (1 − p) of one judgement, given mean and variance of the difference in worth.

    The logistic of a normal difference is taken as logistic(d / √(1 + π v / 8)) (MacKay 1992).

    >>> expected_information(0.0, 1.0), round(expected_information(3.0, 0.0), 3)
    (0.25, 0.045)
    """
    p = 1 / (1 + math.exp(-difference / math.sqrt(1 + math.pi * variance / 8)))
    return p * (1 - p)


def _gain(means: Sequence[float], table: Matrix, one: int, other: int) -> float:
    variance = table[one][one] + table[other][other] - 2 * table[one][other]
    difference = means[one] - means[other]
    surely = 0.5 * (1 + math.erf(difference / math.sqrt(2 * variance)))
    return math.log1p(variance * expected_information(difference, variance)) * surely * (1 - surely)


def _learn(means: Sequence[float], table: Matrix, one: int, other: int) -> None:
    """Reduce the covariances in place by what one more judgement of a pair will tell (Sherman & Morrison 1950)."""
    n = len(table)
    variance = table[one][one] + table[other][other] - 2 * table[one][other]
    weight = expected_information(means[one] - means[other], variance)
    column = [table[i][one] - table[i][other] for i in range(n)]
    scale = weight / (1 + weight * variance)
    for i in range(n):
        for j in range(n):
            table[i][j] -= scale * column[i] * column[j]


def _derivatives(wins: Sequence[Sequence[float]], means: Sequence[float], sd: float) -> tuple[list[float], Matrix]:
    """Return the gradient of the log posterior and its negative second derivatives."""
    n = len(means)
    gradient = [-mean / sd**2 for mean in means]
    information = [[1 / sd**2 if i == j else 0.0 for j in range(n)] for i in range(n)]
    for i, j in combinations(range(n), 2):
        times = wins[i][j] + wins[j][i]
        if not times:
            continue
        p = 1 / (1 + math.exp(means[j] - means[i]))
        surprise = wins[i][j] - times * p
        gradient[i] += surprise
        gradient[j] -= surprise
        weight = times * p * (1 - p)
        information[i][i] += weight
        information[j][j] += weight
        information[i][j] -= weight
        information[j][i] -= weight
    return gradient, information


def _inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite matrix, by elimination."""
    n = len(matrix)
    work = [[*row, *(1.0 if i == j else 0.0 for j in range(n))] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = work[i][i]
        work[i] = [value / pivot for value in work[i]]
        for j in range(n):
            if j != i and work[j][i]:
                factor = work[j][i]
                work[j] = [value - factor * own for value, own in zip(work[j], work[i], strict=True)]
    return [row[n:] for row in work]

"""The matrices of a Laplace approximation by blocks: Z'WZ, its factorisation with Λ, and what follows from it.

The grouping factor with the most random effects has a block-diagonal C, which is factored for all its levels at once;
the others form a dense Schur complement.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy

from analysis.methods.arrays import Floats, Integers
from analysis.methods.generalised.likelihoods.answers import Likelihood
from analysis.methods.mixed.fitting.engine import product


@dataclass(frozen=True)
class Grouping:
    """One grouping factor: the level of every row, and what multiplies its random effects (n × P)."""

    index: Integers
    columns: Floats
    levels: int

    @property
    def width(self) -> int:
        """Return the number of effects per level."""
        return int(self.columns.shape[1])

    def sums(self, values: Floats) -> Floats:
        """Return Z'v as (levels × P)."""
        weighted = [np.bincount(self.index, column * values, self.levels) for column in self.columns.T]
        return np.column_stack(weighted)

    def spread(self, effects: Floats) -> Floats:
        """Return Zb for b (levels × P)."""
        return np.asarray((self.columns * effects[self.index]).sum(axis=1))


@dataclass(frozen=True)
class Problem:
    """Everything that does not change while parameters do. `groupings` have the most random effects first."""

    likelihood: Likelihood
    X: Floats
    groupings: tuple[Grouping, ...]

    @property
    def places(self) -> tuple[slice, ...]:
        """Return where the random effects of every later group stand among each other."""
        sizes = [group.levels * group.width for group in self.groupings[1:]]
        return tuple(slice(int(a), int(b)) for a, b in pairwise(np.cumsum([0, *sizes])))

    @property
    def others(self) -> int:
        """Return the number of random effects outside the first group."""
        return sum(group.levels * group.width for group in self.groupings[1:])


@dataclass(frozen=True)
class Factored:
    """C by blocks, and what its factorisation with Λ leaves.

    `inner` (q, P, P) and `cross` (q, P, m) belong to the first group; `first` is Λ₁(I + Λ₁'C₁₁Λ₁)⁻¹Λ₁' by level and
    `half` is (I + Λ₁'C₁₁Λ₁)⁻¹Λ₁'; `schur` is C₂₂ − C₂₁ M₁ C₁₂, `last` = Λ₂(I + Λ₂'SΛ₂)⁻¹Λ₂', `last_half` without its
    left Λ₂.
    """

    inner: Floats
    cross: Floats
    first: Floats
    half: Floats
    schur: Floats
    last: Floats
    last_half: Floats
    log_det: float


def factor(problem: Problem, lambdas: tuple[Floats, ...], weight: Floats) -> Factored | None:
    """Form C = Z'WZ by blocks and factor I + Λ'CΛ."""
    first = problem.groupings[0]
    q, P, m = first.levels, first.width, problem.others
    inner = np.empty((q, P, P))
    for a in range(P):
        weighted = first.columns[:, a] * weight
        for b in range(a + 1):
            inner[:, a, b] = inner[:, b, a] = np.bincount(first.index, weighted * first.columns[:, b], q)
    cross, dense = np.empty((q, P, m)), np.empty((m, m))
    for number, (group, place) in enumerate(zip(problem.groupings[1:], problem.places, strict=True)):
        cross[:, :, place] = _between(first, group, weight)
        for other, there in zip(problem.groupings[1 : number + 2], problem.places, strict=False):
            block = _between(other, group, weight).reshape(other.levels * other.width, -1)
            dense[there, place], dense[place, there] = block, block.T
    try:
        root = np.linalg.cholesky(lambdas[0].T @ inner @ lambdas[0] + np.eye(P))
        white = np.linalg.inv(root) @ lambdas[0].T
        half = np.swapaxes(np.linalg.inv(root), 1, 2) @ white
        seen = (white @ cross).reshape(q * P, m)
        schur = dense - product(seen.T, seen)
        wide = _block_diagonal(problem, lambdas)
        lower = scipy.linalg.cholesky(product(wide.T, product(schur, wide)) + np.eye(m), lower=True) if m else np.eye(0)
    except (np.linalg.LinAlgError, scipy.linalg.LinAlgError, ValueError):
        return None
    last_half = scipy.linalg.cho_solve((lower, True), wide.T) if m else np.zeros((0, 0))
    return Factored(
        inner=inner,
        cross=cross,
        first=np.swapaxes(white, 1, 2) @ white,
        half=half,
        schur=schur,
        last=product(wide, last_half) if m else np.zeros((0, 0)),
        last_half=np.asarray(last_half),
        log_det=2 * float(np.log(np.diagonal(root, axis1=1, axis2=2)).sum() + np.log(np.diag(lower)).sum()),
    )


def solve(problem: Problem, found: Factored, right: list[Floats], *, spherical: bool) -> tuple[Floats, ...]:
    """Return u = (I + Λ'CΛ)⁻¹Λ'r where `spherical`, else b = Λu = Mr, by group."""
    q, P, m = found.cross.shape
    cross = found.cross.reshape(q * P, m)
    through = (found.first @ right[0][:, :, None])[:, :, 0]
    rest = np.concatenate([part.reshape(-1) for part in right[1:]]) if m else np.zeros(0)
    rest = rest - cross.T @ through.reshape(-1)
    last = found.last @ rest
    remaining = right[0] - (cross @ last).reshape(q, P)
    first = ((found.half if spherical else found.first) @ remaining[:, :, None])[:, :, 0]
    others = found.last_half @ rest if spherical else last
    shaped = (
        others[place].reshape(group.levels, group.width)
        for group, place in zip(problem.groupings[1:], problem.places, strict=True)
    )
    return (first, *shaped)


def leverage(problem: Problem, M11: Floats, M12: Floats, M22: Floats) -> Floats:
    """Return z_i'Mz_i of every row."""
    first = problem.groupings[0]
    _, P, m = M12.shape
    total = np.zeros(len(first.index))
    for a in range(P):
        for b in range(a + 1):
            twice = 1.0 if a == b else 2.0
            total += twice * first.columns[:, a] * first.columns[:, b] * M11[first.index, a, b]
    flat12, flat22 = M12.reshape(-1), np.ascontiguousarray(M22).reshape(-1)
    for number, (group, place) in enumerate(zip(problem.groupings[1:], problem.places, strict=True)):
        for b in range(group.width):
            column = place.start + group.index * group.width + b
            for a in range(P):
                total += 2 * first.columns[:, a] * group.columns[:, b] * flat12[(first.index * P + a) * m + column]
            for earlier, (other, there) in enumerate(
                zip(problem.groupings[1 : number + 2], problem.places, strict=False)
            ):
                twice = 1.0 if earlier == number else 2.0
                for a in range(other.width):
                    row = there.start + other.index * other.width + a
                    total += twice * other.columns[:, a] * group.columns[:, b] * flat22[row * m + column]
    return total


def diagonal_blocks(problem: Problem, found: Factored) -> list[Floats]:
    """Return Σ_levels of the diagonal blocks of C − CMC, by group."""
    q, P, m = found.cross.shape
    own = found.inner - found.inner @ found.first @ found.inner
    D = (found.cross - found.inner @ (found.first @ found.cross)).reshape(q * P, m)
    seen = product(D, found.last).reshape(q, P, m)
    blocks = [own.sum(axis=0) - np.tensordot(seen, D.reshape(q, P, m), axes=([0, 2], [0, 2]))]
    if m:
        dense = found.schur - product(found.schur, product(found.last, found.schur))
        for group, place in zip(problem.groupings[1:], problem.places, strict=True):
            shaped = dense[place, place].reshape(group.levels, group.width, group.levels, group.width)
            every = np.arange(group.levels)
            blocks.append(shaped[every, :, every, :].sum(axis=0))
    return blocks


def _between(first: Grouping, second: Grouping, weight: Floats) -> Floats:
    """Return Z₁'WZ₂ as (levels, P, levels' · P')."""
    made = np.empty((first.levels, first.width, second.levels, second.width))
    flat = first.index * second.levels + second.index
    size = first.levels * second.levels
    for a in range(first.width):
        weighted = first.columns[:, a] * weight
        for b in range(second.width):
            sums = np.bincount(flat, weighted * second.columns[:, b], size)
            made[:, a, :, b] = sums.reshape(first.levels, second.levels)
    return made.reshape(first.levels, first.width, -1)


def _block_diagonal(problem: Problem, lambdas: tuple[Floats, ...]) -> Floats:
    pieces = [
        np.kron(np.eye(group.levels), factor_)
        for group, factor_ in zip(problem.groupings[1:], lambdas[1:], strict=True)
    ]
    return np.asarray(scipy.linalg.block_diag(*pieces)) if pieces else np.zeros((0, 0))

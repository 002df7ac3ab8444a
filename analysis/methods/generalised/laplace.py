"""The Laplace approximation of a generalised linear mixed model, its exact gradient, by blocks.

    η = Xβ + Zb,  b = Λu,  u ~ N(0, I),  log p(y | η) = Σ ℓ_i(η_i)

With û the mode of Σℓ − ½u'u, W = −ℓ″ there and C = Z'WZ, the criterion is −2 log likelihood by Laplace (as `glmer`
with nAGQ = 1 and `clmm` have it; Bates, Mächler, Bolker & Walker 2015):

    f(Λ, β, τ) = −2 Σℓ_i(η̂_i) + û'û + ln |I + Λ'CΛ|

The mode is found by Newton steps. The grouping factor with the most random effects has a block-diagonal C, which is
factored for all its levels at once; the others form a dense Schur complement.

Gradient. Let M = Λ(I + Λ'CΛ)⁻¹Λ', s_i = z_i'Mz_i (what W does to the determinant), c = s w′ and c̃ = c − WZMZ'c, which
carries c back through the mode. Then, with h = Z'ℓ′, k = Z'c̃, and G = C − CMC by levels,

    ∂f/∂β = X'(c̃ − 2ℓ′)
    ∂f/∂τ = −2 ∂Σℓ/∂τ + s'∂w/∂τ + (ZMZ'c)'∂ℓ′/∂τ
    ∂f/∂Λ = 2ΓΛ,  Γ = Σ_levels [G_l − h_l h_l' + ½(k_l h_l' + h_l k_l')]

Γ is the derivative with respect to the covariance matrix ΛΛ' and exists also where that is zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import linalg

from analysis.methods.designs import Floats, Integers
from analysis.methods.generalised.likelihoods import Derivatives, Likelihood
from analysis.methods.mixed.engine import product

STEPS = 100
MODE = 1e-13


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


@dataclass(frozen=True)
class Mode:
    """The mode for given parameters, and the criterion there. `effects` are b by group (levels × P)."""

    criterion: float
    lambdas: tuple[Floats, ...]
    eta: Floats
    effects: tuple[Floats, ...]
    spherical: tuple[Floats, ...]
    derivatives: Derivatives
    factored: Factored | None


@dataclass(frozen=True)
class Slopes:
    """The gradient of the criterion: with respect to β, τ, and every group's covariance matrix (Γ)."""

    beta: Floats
    extra: Floats
    gammas: tuple[Floats, ...]


def mode(
    problem: Problem,
    lambdas: tuple[Floats, ...],
    beta: Floats,
    extra: Floats,
    *,
    start: tuple[Floats, ...] | None = None,
) -> Mode | None:
    """Find the mode of the random effects; None where the parameters are not allowed or the search fails."""
    fixed = problem.X @ beta
    if not bool(np.isfinite(fixed).all()) or float(np.abs(fixed).max(initial=0.0)) > 1e4:
        return None
    groups = problem.groupings
    spherical = start or tuple(np.zeros((group.levels, group.width)) for group in groups)
    effects, eta, derivatives, value = _placed(problem, lambdas, fixed, spherical, extra)
    if derivatives is None and start is not None:
        return mode(problem, lambdas, beta, extra)
    if derivatives is None:
        return None
    if not groups:
        return Mode(-2 * derivatives.value, lambdas, eta, (), (), derivatives, None)
    for _ in range(STEPS):
        factored = factor(problem, lambdas, derivatives.weight)
        if factored is None:
            return None
        pull = derivatives.weight * (eta - fixed) + derivatives.slope
        target = _solved(problem, lambdas, factored, [group.sums(pull) for group in groups])
        step = [new - old for new, old in zip(target, spherical, strict=True)]
        down = [group.sums(derivatives.slope) @ factor_ for group, factor_ in zip(groups, lambdas, strict=True)]
        decrement = sum(
            float(((slope - old) * move).sum()) for slope, old, move in zip(down, spherical, step, strict=True)
        )
        share = 1.0
        while share > 1e-8:
            moved = tuple(old + share * move for old, move in zip(spherical, step, strict=True))
            effects, eta, found, reached = _placed(problem, lambdas, fixed, moved, extra)
            if found is not None and reached <= value + 1e-12 * abs(value):
                break
            share /= 2
        else:
            return None
        spherical, derivatives, value = moved, found, reached
        if decrement < MODE * (1 + abs(value)):
            break
    factored = factor(problem, lambdas, derivatives.weight)
    if factored is None or not np.isfinite(value):
        return None
    return Mode(value + factored.log_det, lambdas, eta, effects, spherical, derivatives, factored)


def slopes(problem: Problem, at: Mode) -> Slopes:
    """Return the exact gradient of the criterion at a mode."""
    made = at.derivatives
    if at.factored is None:
        return Slopes(-2 * (problem.X.T @ made.slope), -2 * made.extra_value, ())
    groups, found = problem.groupings, at.factored
    q, P, m = found.cross.shape
    through = found.first @ found.cross
    M12 = -product(through.reshape(q * P, m), found.last).reshape(q, P, m)
    M11 = found.first - M12 @ np.swapaxes(through, 1, 2)
    s = _leverage(problem, M11, M12, found.last)
    c = s * made.weight_slope
    back = _through(problem, found, [group.sums(c) for group in groups])
    behind = sum((group.spread(b) for group, b in zip(groups, back, strict=True)), np.zeros(len(c)))
    carried = c - made.weight * behind
    gammas = []
    for number, blocks in enumerate(_blocks(problem, found)):
        h, k = groups[number].sums(made.slope), groups[number].sums(carried)
        both = k.T @ h
        gammas.append(blocks - h.T @ h + (both + both.T) / 2)
    extra = -2 * made.extra_value + s @ made.extra_weight + behind @ made.extra_slope
    return Slopes(problem.X.T @ (carried - 2 * made.slope), extra, tuple(gammas))


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
        lower = linalg.cholesky(product(wide.T, product(schur, wide)) + np.eye(m), lower=True) if m else np.eye(0)
    except (np.linalg.LinAlgError, linalg.LinAlgError, ValueError):
        return None
    last_half = linalg.cho_solve((lower, True), wide.T) if m else np.zeros((0, 0))
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


def _placed(
    problem: Problem, lambdas: tuple[Floats, ...], fixed: Floats, spherical: tuple[Floats, ...], extra: Floats
) -> tuple[tuple[Floats, ...], Floats, Derivatives | None, float]:
    effects = tuple(u @ factor_.T for u, factor_ in zip(spherical, lambdas, strict=True))
    eta = fixed.copy()
    for group, b in zip(problem.groupings, effects, strict=True):
        eta += group.spread(b)
    derivatives = problem.likelihood.at(eta, extra)
    if derivatives is None or not np.isfinite(derivatives.value):
        return effects, eta, None, np.inf
    return effects, eta, derivatives, -2 * derivatives.value + sum(float((u**2).sum()) for u in spherical)


def _solved(problem: Problem, lambdas: tuple[Floats, ...], found: Factored, right: list[Floats]) -> tuple[Floats, ...]:
    """Return u = (I + Λ'CΛ)⁻¹ Λ'r."""
    q, P, m = found.cross.shape
    through = (found.first @ right[0][:, :, None])[:, :, 0]
    rest = np.concatenate([part.reshape(-1) for part in right[1:]]) if m else np.zeros(0)
    rest = rest - found.cross.reshape(q * P, m).T @ through.reshape(-1)
    u2, b2 = found.last_half @ rest, found.last @ rest
    remaining = right[0] - (found.cross.reshape(q * P, m) @ b2).reshape(q, P)
    u1 = (found.half @ remaining[:, :, None])[:, :, 0]
    others = (
        u2[place].reshape(group.levels, group.width)
        for group, place in zip(problem.groupings[1:], problem.places, strict=True)
    )
    return (u1, *others)


def _through(problem: Problem, found: Factored, right: list[Floats]) -> tuple[Floats, ...]:
    """Return M r."""
    q, P, m = found.cross.shape
    through = (found.first @ right[0][:, :, None])[:, :, 0]
    rest = np.concatenate([part.reshape(-1) for part in right[1:]]) if m else np.zeros(0)
    b2 = found.last @ (rest - found.cross.reshape(q * P, m).T @ through.reshape(-1))
    remaining = right[0] - (found.cross.reshape(q * P, m) @ b2).reshape(q, P)
    b1 = (found.first @ remaining[:, :, None])[:, :, 0]
    others = (
        b2[place].reshape(group.levels, group.width)
        for group, place in zip(problem.groupings[1:], problem.places, strict=True)
    )
    return (b1, *others)


def _leverage(problem: Problem, M11: Floats, M12: Floats, M22: Floats) -> Floats:
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


def _blocks(problem: Problem, found: Factored) -> list[Floats]:
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
    return np.asarray(linalg.block_diag(*pieces)) if pieces else np.zeros((0, 0))

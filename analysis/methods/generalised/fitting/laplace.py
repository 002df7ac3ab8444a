"""The Laplace approximation of a generalised linear mixed model, its exact gradient, by blocks.

    η = Xβ + Zb,  b = Λu,  u ~ N(0, I),  log p(y | η) = Σ ℓ_i(η_i)

With û the mode of Σℓ − ½u'u, W = −ℓ″ there and C = Z'WZ, the criterion is −2 log likelihood by Laplace (as `glmer`
with nAGQ = 1 and `clmm` have it; Bates, Mächler, Bolker & Walker 2015):

    f(Λ, β, τ) = −2 Σℓ_i(η̂_i) + û'û + ln |I + Λ'CΛ|

The mode is found by Newton steps; matrices are held by blocks (`blocks`).

Gradient. Let M = Λ(I + Λ'CΛ)⁻¹Λ', s_i = z_i'Mz_i (what W does to the determinant), c = s w′ and c̃ = c − WZMZ'c, which
carries c back through the mode. Then, with h = Z'ℓ′, k = Z'c̃, and G = C − CMC by levels,

    ∂f/∂β = X'(c̃ − 2ℓ′)
    ∂f/∂τ = −2 ∂Σℓ/∂τ + s'∂w/∂τ + (ZMZ'c)'∂ℓ′/∂τ
    ∂f/∂Λ = 2ΓΛ,  Γ = Σ_levels [G_l − h_l h_l' + ½(k_l h_l' + h_l k_l')]

Γ is the derivative with respect to the covariance matrix ΛΛ' and exists also where that is zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.generalised.fitting.blocks import Factored, Problem, diagonal_blocks, factor, leverage, solve
from analysis.methods.generalised.likelihoods.answers import Derivatives
from analysis.methods.mixed.fitting.engine import product

STEPS = 100
MODE = 1e-13


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
        weight = derivatives.weight
        factored = factor(problem, lambdas, weight)
        if factored is None and bool((weight < 0).any()):
            # Where a likelihood is not concave, steps take its curvature as downhill; only the mode itself has to be.
            weight = np.abs(weight)
            factored = factor(problem, lambdas, weight)
        if factored is None:
            return None
        pull = weight * (eta - fixed) + derivatives.slope
        target = solve(problem, factored, [group.sums(pull) for group in groups], spherical=True)
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
    s = leverage(problem, M11, M12, found.last)
    c = s * made.weight_slope
    back = solve(problem, found, [group.sums(c) for group in groups], spherical=False)
    behind = sum((group.spread(b) for group, b in zip(groups, back, strict=True)), np.zeros(len(c)))
    carried = c - made.weight * behind
    gammas = []
    for number, blocks in enumerate(diagonal_blocks(problem, found)):
        h, k = groups[number].sums(made.slope), groups[number].sums(carried)
        both = k.T @ h
        gammas.append(blocks - h.T @ h + (both + both.T) / 2)
    extra = -2 * made.extra_value + s @ made.extra_weight + behind @ made.extra_slope
    return Slopes(problem.X.T @ (carried - 2 * made.slope), extra, tuple(gammas))


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

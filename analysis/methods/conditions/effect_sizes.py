"""Compute intervals of effect sizes: η² and ω² of effects, d_z and d_av of differences."""

from __future__ import annotations

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.conditions.fitted import Fitted
from analysis.methods.conditions.variance import Effect
from analysis.methods.effects import noncentral

# So far from 1 may rounding carry a sum of weights.
WEIGHT = 1e-9


def of_effect(effect: Effect) -> dict[str, float]:
    """Return 90 % intervals of partial and generalised η² and partial ω²; nothing where F is not defined.

    With λ in the interval of the noncentrality of F (on degrees of freedom multiplied by the ε that is told, and
    divided by it): ηp² = λ/(λ + df2), as effectsize has it; ω² = λ/(λ + df1 + df2 + 1) (Steiger 2004); ηG² has
    λ · MS_error as the sum of squares, and takes the error sums of squares for known.
    """
    epsilon = effect.epsilon_told
    if effect.f is None or epsilon is None:
        return {}
    df2 = effect.stratum.df_error
    bounds = noncentral.of_f(effect.f, effect.df1 * epsilon, df2 * epsilon)
    if bounds is None:
        return {}
    found: dict[str, float] = {}
    for end, bound in zip(("low", "high"), bounds, strict=True):
        noncentrality = bound / epsilon
        ss = noncentrality * effect.stratum.mean_square
        found |= {
            f"pes_{end}": noncentrality / (noncentrality + df2),
            f"ges_{end}": ss / (ss + effect.ss_all_errors),
            f"omega2_{end}": noncentrality / (noncentrality + effect.df1 + df2 + 1),
        }
    return found


def of_difference(fit: Fitted, weights: Floats, *, confidence: float) -> dict[str, float | None]:
    """Return d_z and d_av of a contrast (weights on groups × cells) with intervals by the noncentral t.

    d_z = estimate / SD of the units' own values of the contrast, within groups; of a contrast between groups alone
    that is Cohen's d with the pooled SD. d_av, for a mean of some cells against that of others, = estimate /
    √((SD_a² + SD_b²)/2), where the SDs are those of the units' two means (Cumming 2012). Both intervals are that of
    the noncentrality of the contrast's t times its standard error over the SD (for d_av Algina & Keselman 2003).
    """
    variance = fit.variance(fit.shape(weights))
    if variance <= 0:
        return {}
    estimate, se = fit.estimate(weights), float(np.sqrt(variance))
    bounds = noncentral.of_t(estimate / se, fit.df, confidence=confidence)
    if bounds is None:
        return {}
    deviations = {"d_z": deviation(fit, weights)}
    on_cells, is_within = _on_cells(weights)
    if is_within and abs(np.abs(on_cells).sum() - 2) <= WEIGHT:
        sides = (np.maximum(on_cells, 0), np.maximum(-on_cells, 0))
        squares = [np.outer(side, side) for side in sides]
        variances = [fit.without_rounding(float((fit.covariance * square).sum()), square) for square in squares]
        if sum(variances) > 0:
            deviations["d_av"] = float(np.sqrt(sum(variances) / 2))
    found: dict[str, float | None] = {}
    for name, sd in deviations.items():
        low, high = (bound * se / sd for bound in bounds)
        found |= {name: estimate / sd, f"{name}_low": low, f"{name}_high": high}
    return found


def deviation(fit: Fitted, weights: Floats) -> float:
    """Return the standard deviation, within groups, of the units' own values of a contrast."""
    shape = fit.shape(weights)
    on_cells, _ = _on_cells(weights)
    return float(np.sqrt(fit.variance(shape) * (on_cells @ on_cells) / np.trace(shape)))


def is_between_groups(weights: Floats) -> bool:
    """Return whether the `deviation` of a contrast is the pooled one within groups, as of Cohen's d."""
    return not _on_cells(weights)[1]


def _on_cells(weights: Floats) -> tuple[Floats, bool]:
    """Return the weights of a contrast on the cells of one unit, and whether it lies within units."""
    on_cells = weights.sum(axis=0)
    is_within = float(np.abs(on_cells).max()) > WEIGHT
    return (on_cells if is_within else _of_one_group(weights)), is_within


def _of_one_group(weights: Floats) -> Floats:
    """Return the weights on cells of a contrast between groups: an average, or a difference of two averages."""
    largest = weights[int(np.abs(weights).sum(axis=1).argmax())]
    total = float(largest.sum())
    size = total if abs(total) > WEIGHT * float(np.abs(largest).sum()) else float(np.maximum(largest, 0).sum())
    return np.asarray(largest / size, dtype=np.float64)

"""Show the diagnostics of a generalised mixed model: calibration, frequencies of counts, random effects, influence."""

from __future__ import annotations

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table
from analysis.methods.generalised.checks.dispersion import offset_of, theta_of
from analysis.methods.generalised.fitting.blocks import Factored, leverage
from analysis.methods.generalised.likelihoods.answers import Binomial
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.logistic.calibration import (
    calibration_figures,
    calibration_lines,
    calibration_table,
    expected_shares,
)
from analysis.methods.mixed.checks.diagnostics import with_levels
from analysis.methods.mixed.checks.influence import Equations, influence_table
from analysis.methods.mixed.checks.predictions import Modes
from analysis.methods.mixed.estimates.scales import LOG_COUNTS
from analysis.methods.mixed.fitting.engine import product
from analysis.methods.report import Column, Figure, Report, Table

FREQUENCIES = declared_table(
    "frequencies",
    "Counts as observed and as expected by the model",
    "How many rows have every count; the last row takes larger counts together.",
    Column("count", "Count", "text", meaning="The count."),
    Column("value", "Value", "integer", meaning="The count as a number.", importance="detail"),
    Column("observed", "Observed rows", "integer", meaning="How many rows have it."),
    Column("expected", "Expected rows", meaning="How many the model expects, each row predicted from all others."),
    Column("low", "Expected low", meaning="Lower end of the 95 % band (binomial)."),
    Column("high", "Expected high", meaning="Upper end of the 95 % band (binomial)."),
    when="with one outcome of counts",
)
# Counts above the largest of so many values are taken together.
MOST_VALUES = 30
BENT = (
    "What the effects are without each person and item was left out: the likelihood of some rows is bent the other "
    "way, so that one step does not lead there."
)
APART = (
    " Every answer is predicted from all others (by one step from the estimates of all), so that none confirms itself."
)


def shown_binary(fit: Fitted, likelihood: Binomial, *, confidence: float) -> Report:
    """Return what shows a mixed logistic model."""
    predicted = scipy.special.expit(without_itself(fit))
    calibration = calibration_table(calibration_lines(predicted, likelihood.successes, likelihood.trials))
    drawn = calibration_figures(fit.design.formula.response.text, remark=APART)
    before = Report(tables=(calibration,), figures=drawn)
    influence = influence_table(fit, equations_of(fit))
    return with_levels(before, fit, random_effects(fit), influence, confidence=confidence)


def shown_ordinal(fit: Fitted, *, confidence: float) -> Report:
    """Return what shows an ordinal model: its random effects, where it has any."""
    return with_levels(Report(), fit, random_effects(fit), (None, ()), confidence=confidence)


def shown_numbers(fit: Fitted, *, confidence: float) -> Report:
    """Return what shows a model of counts or times."""
    influence: tuple[Table | None, list[str]] = (None, [BENT])
    if bool((fit.optimum.mode.derivatives.weight > 0).all()):
        influence = influence_table(fit, equations_of(fit))
    before = Report()
    if fit.scale.family in LOG_COUNTS:
        before = Report(tables=(frequencies_table(fit),), figures=(_frequencies_figure(fit),))
    return with_levels(before, fit, random_effects(fit), influence, confidence=confidence)


def random_effects(fit: Fitted) -> tuple[Modes, ...]:
    """Return the conditional modes of every group of `prepared`, with (Z'WZ + (ΛΛ')⁻¹)⁻¹ as their covariances."""
    mode, problem = fit.optimum.mode, fit.problem
    if mode.factored is None:
        return ()
    found = mode.factored
    covariances = [_of_first(found)[0]]
    for group, place in zip(problem.groupings[1:], problem.places, strict=True):
        every = np.arange(group.levels)
        own = found.last[place, place].reshape(group.levels, group.width, group.levels, group.width)
        covariances.append(own[every, :, every, :])
    return tuple(
        Modes(group, effects / scale, covariance / (scale[:, None] * scale[None, :]))
        for group, scale, effects, covariance in zip(
            fit.prepared.groups, fit.prepared.scales, mode.effects, covariances, strict=True
        )
    )


def equations_of(fit: Fitted) -> Equations:
    """Return the equations of the last step of the fit: rows weighted, y the working response."""
    mode, problem = fit.optimum.mode, fit.problem
    weight = np.maximum(mode.derivatives.weight, 1e-12)
    root: Floats = np.sqrt(weight)
    return Equations(
        groups=fit.prepared.groups,
        columns=tuple(
            grouping.columns @ factor * root[:, None]
            for grouping, factor in zip(problem.groupings, mode.lambdas, strict=True)
        ),
        X=problem.X * root[:, None],
        y=root * (mode.eta + mode.derivatives.slope / weight),
        back=fit.units[: len(fit.beta), : problem.X.shape[1]],
    )


def without_itself(fit: Fitted) -> Floats:
    """Return the linear predictor of every row without its own answer, by one step of its random effects.

    With s_i = z_i'Mz_i (see `laplace`), η_i without row i is η_i − s_iℓ_i′ / (1 − s_i w_i).
    """
    mode, problem = fit.optimum.mode, fit.problem
    if mode.factored is None:
        return mode.eta
    s = leverage(problem, *_of_first(mode.factored), mode.factored.last)
    return mode.eta - s * mode.derivatives.slope / np.maximum(1 - s * mode.derivatives.weight, 1e-6)


def _of_first(found: Factored) -> tuple[Floats, Floats]:
    """Return the blocks of M that belong to the first group: of each level with itself, and with the other groups."""
    q, P, m = found.cross.shape
    through = found.first @ found.cross
    reached = product(through.reshape(q * P, m), found.last).reshape(q, P, m)
    return found.first + reached @ np.swapaxes(through, 1, 2), -reached


def frequencies_table(fit: Fitted) -> Table:
    """Return how many rows have every count, and how many the model expects: Σ P(y = j) over the rows.

    Every row is predicted from all others, by one step from the estimates of all. The band holds at least 95 % of what
    would be observed (binomial, of all rows with the mean probability). The last line takes larger counts together.
    """
    y = fit.design.y
    with np.errstate(over="ignore"):
        mu = np.minimum(np.exp(without_itself(fit) + offset_of(fit)), 1e15)
    largest = int(min(y.max(), MOST_VALUES))
    n, lines, left = len(y), [], np.ones(len(y))
    for value in range(largest + 2):
        is_rest = value > largest
        share = np.maximum(left, 0.0) if is_rest else probabilities(float(value), mu, theta_of(fit))
        left = left - share
        mean = float(share.mean())
        low, high = expected_shares(mean, n)
        lines.append(
            {
                "count": f"more than {largest}" if is_rest else str(value),
                "value": value,
                "observed": int((y > largest).sum() if is_rest else (y == value).sum()),
                "expected": mean * n,
                "low": low * n,
                "high": high * n,
            }
        )
    return FREQUENCIES.of(lines)


def probabilities(count: float, mu: Floats, theta: float) -> Floats:
    """Return P(y = count) of Poisson (θ infinite) or negative binomial counts.

    >>> probabilities(0.0, np.array([1.0]), 1.0).round(12).tolist()
    [0.5]
    """
    if np.isinf(theta):
        return np.asarray(scipy.stats.poisson.pmf(count, mu))
    return np.asarray(scipy.stats.nbinom.pmf(count, theta, theta / (theta + mu)))


def _frequencies_figure(fit: Fitted) -> Figure:
    name = fit.design.formula.response.text
    return Figure(
        name="frequencies",
        title=f"How often each count of {name} occurred, and how often the model expects it",
        kind="band",
        table="frequencies",
        encoding={"x": "value", "y": "observed", "centre": "expected", "low": "low", "high": "high"},
        caption="The line is what the model expects; the band holds at least 95 % of what would be observed if it were "
        "right (binomial); every row is predicted from all others. The last point takes all larger counts together.",
        x_label="Count",
        y_label="Rows",
    )

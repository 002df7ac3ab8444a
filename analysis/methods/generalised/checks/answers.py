"""Tables and figures that show a fitted model of `generalised`: calibration, random effects, influence."""

from __future__ import annotations

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.generalised.fitting.blocks import Factored, leverage
from analysis.methods.generalised.likelihoods.answers import Binomial
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.logistic.calibration import calibration_figures, calibration_lines, calibration_table
from analysis.methods.mixed.checks.diagnostics import Shown, units_figures, units_table
from analysis.methods.mixed.checks.influence import Equations, influence_figure, influence_table
from analysis.methods.mixed.checks.predictions import Modes
from analysis.methods.mixed.fitting.engine import product
from analysis.methods.report import Figure, Table

APART = (
    " Every answer is predicted from all others (by one step from the estimates of all), so that none confirms itself."
)


def shown_binary(fit: Fitted, likelihood: Binomial, *, confidence: float) -> Shown:
    """Return what shows a mixed logistic model."""
    predicted = scipy.special.expit(without_itself(fit))
    calibration = calibration_table(calibration_lines(predicted, likelihood.successes, likelihood.trials))
    units = units_table(fit, random_effects(fit), confidence=confidence)
    influence, notes = influence_table(fit, equations_of(fit))
    tables: tuple[Table | None, ...] = (calibration, units, influence)
    figures: tuple[Figure, ...] = (
        *calibration_figures(fit.design.formula.response.text, remark=APART),
        *units_figures(units, confidence=confidence),
        *([influence_figure(influence)] if influence is not None else []),
    )
    return Shown(tuple(table for table in tables if table is not None), figures, tuple(notes))


def shown_ordinal(fit: Fitted, *, confidence: float) -> Shown:
    """Return what shows an ordinal model: its random effects, where it has any."""
    units = units_table(fit, random_effects(fit), confidence=confidence) if fit.design.groups else None
    return Shown((units,) if units is not None else (), units_figures(units, confidence=confidence), ())


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

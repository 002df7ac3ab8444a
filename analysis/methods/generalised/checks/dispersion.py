"""Estimate the dispersion of counts and times, and test counts for overdispersion against Poisson."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.generalised.likelihoods.counts import NegativeBinomial, Poisson
from analysis.methods.generalised.likelihoods.times import Times
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.generalised.models.numbers import is_poisson_limit
from analysis.methods.mixed.estimates.scales import GAMMA, LOG_COUNTS, NEGATIVE_BINOMIAL, POISSON
from analysis.methods.report import Column, Table
from analysis.methods.wording import number_text, p_text

DISPERSION = declared_table(
    "dispersion",
    "Scatter of single {what}",
    "One row: how much single counts or times scatter around their means, with a Wald interval of its logarithm.",
    Column("parameter", "Parameter", "text", meaning="θ of counts or φ of times, with the variance that it makes."),
    usual("estimate", meaning="θ or φ; empty where a Poisson model was fitted and no other could be."),
    "ci_low ci_high",
    Column("pearson", "Pearson χ²", "statistic", meaning="Pearson's χ² given the random effects."),
    usual("df", meaning="n minus the number of parameters."),
    Column("ratio", "χ² / df", meaning="Pearson's χ² over its degrees of freedom."),
    Column("chi2", "χ² against Poisson", "statistic", meaning="Likelihood ratio against the Poisson model."),
    usual("p", meaning="Halved, as θ is at the edge of its range in a Poisson model."),
    optional="pearson df ratio chi2 p",
    when="of counts and times",
)
THETA, PHI_GAMMA, PHI_INVERSE = "θ (variance μ + μ²/θ)", "φ (variance φμ²)", "φ (variance φμ³)"
# What a Pearson ratio may be without a word; below it counts vary less than Poisson counts.
EVEN = 0.7


def dispersion_of(fit: Fitted, other: Fitted | None, *, confidence: float) -> tuple[Table, list[str]]:
    """Return the scatter of single rows, and warnings: θ of counts, φ of times, with a Wald interval of its logarithm.

    Of counts also Pearson's χ² given the random effects, over n minus the number of parameters, and the likelihood
    ratio of the negative binomial and the Poisson model. `other` is the other of the two, None where it could not be
    fitted. As θ is at the edge of its range in a Poisson model, p is half of that of χ² with one degree of freedom
    (Self & Liang 1987).
    """
    line: dict[str, Any] = {"parameter": THETA}
    if fit.scale.family not in LOG_COUNTS:
        line["parameter"] = PHI_GAMMA if fit.scale.family == GAMMA else PHI_INVERSE
        return DISPERSION.of([line | _of_times(fit, confidence)], what="values"), []
    line |= dict.fromkeys(DISPERSION.optional)
    mu = np.asarray(np.exp(fit.optimum.mode.eta + offset_of(fit)))
    negative, poisson = (fit, other) if fit.scale.family == NEGATIVE_BINOMIAL else (other, fit)
    if negative is not None and len(negative.extra):
        line |= _interval(negative, confidence)
    variance = mu + mu**2 / theta_of(fit)
    pearson = float(((fit.design.y - mu) ** 2 / variance).sum())
    df = len(fit.design.y) - fit.parameters
    if df > 0:
        line |= {"pearson": pearson, "df": df, "ratio": pearson / df}
    if negative is not None and poisson is not None:
        chi2 = max(poisson.criterion - negative.criterion, 0.0) if len(negative.extra) else 0.0
        line |= {"chi2": chi2, "p": float(scipy.stats.chi2.sf(chi2, 1)) / 2 if chi2 > 0 else 1.0}
    return DISPERSION.of([line], what="counts"), _warnings(fit, line)


def offset_of(fit: Fitted) -> Floats:
    """Return the logarithm of the exposure of every row that was fitted."""
    likelihood = fit.problem.likelihood
    return likelihood.offset if isinstance(likelihood, Poisson | NegativeBinomial) else np.zeros(len(fit.design.y))


def theta_of(fit: Fitted) -> float:
    """Return θ of a model of counts: infinite for Poisson."""
    return float(np.exp(fit.extra[0])) if len(fit.extra) else float("inf")


def _of_times(fit: Fitted, confidence: float) -> dict[str, float]:
    """Return φ with its interval, from the shape in the units of the outcome."""
    likelihood = fit.problem.likelihood
    unit = likelihood.unit if isinstance(likelihood, Times) and fit.scale.family != GAMMA else 1.0
    value, half = 1 / (float(np.exp(fit.extra[0])) * unit), _half(fit, confidence)
    return {"estimate": value, "ci_low": value * np.exp(-half), "ci_high": value * np.exp(half)}


def _interval(fit: Fitted, confidence: float) -> dict[str, float]:
    value, half = theta_of(fit), _half(fit, confidence)
    with np.errstate(over="ignore"):
        low, high = np.exp([fit.extra[0] - half, fit.extra[0] + half]).tolist()
    return {"estimate": value, "ci_low": low} | ({"ci_high": high} if np.isfinite(high) else {})


def _half(fit: Fitted, confidence: float) -> float:
    """Return half the width of the Wald interval of the logarithm."""
    return float(scipy.special.ndtri((1 + confidence) / 2) * np.sqrt(max(float(fit.joint[-1, -1]), 0.0)))


def _warnings(fit: Fitted, line: dict[str, Any]) -> list[str]:
    if is_poisson_limit(fit):
        return [
            "These counts vary no more than Poisson counts do, so θ has no finite estimate (its likelihood rises until "
            "the negative binomial model is the Poisson model), and the Poisson model is what is reported here. Take "
            "family=poisson."
        ]
    if fit.scale.family != POISSON:
        return []
    ratio = line.get("ratio")
    if line.get("p") is not None and line["p"] < 0.05:
        beside = ""
        if ratio is not None and ratio > 1:
            beside = f" and Pearson's χ² is {number_text(ratio)} times its degrees of freedom"
        return [
            f"The counts vary more than a Poisson model lets them (overdispersion): the negative binomial model fits "
            f"better, χ²(1) = {number_text(line['chi2'])}, {p_text(line['p'])}{beside}. Standard errors are too small "
            f"then and tests reject too often; take family=negative-binomial."
        ]
    if ratio is not None and ratio < EVEN:
        return [
            f"The counts vary less than Poisson counts do (underdispersion): Pearson's χ² is {number_text(ratio)} "
            f"times its degrees of freedom, as where there is a largest count that most reach. Standard errors are "
            f"too large then. Where there is such a largest count, give it as trials=… with family=binomial."
        ]
    return []

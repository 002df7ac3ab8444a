"""Fill the tables of a cumulative model: thresholds, latent means, category probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.columns import FACTORS, declared_table, usual
from analysis.methods.generalised.estimates.points import Points
from analysis.methods.generalised.models.fitted import Fitted, tested
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.estimates.means import Mean, means_rows
from analysis.methods.mixed.estimates.scales import LOG_ODDS
from analysis.methods.mixed.reported.declared import ORDINAL
from analysis.methods.mixed.reported.tables import level_names
from analysis.methods.report import Column, Table

THRESHOLDS = declared_table(
    "thresholds",
    "Thresholds (cumulative log odds)",
    "One row per pair of neighbouring categories.",
    Column("threshold", "Threshold", "text", meaning="The categories below and above it."),
    usual("estimate", meaning="α_k of logit P(y ≤ k) = α_k − η."),
    "se z ci_low ci_high",
)
MEANS = replace(
    ORDINAL.means,
    title="Estimated marginal means of {response} (latent scale and points)",
    meaning="One row per cell of the factors: η minus the mean of the thresholds, in cumulative log odds; and points.",
    columns=tuple(column for column in ORDINAL.means.columns if column.name != "panel"),
    optional=frozenset(),
)
PROBABILITIES = declared_table(
    "probabilities",
    "Probabilities of {response}",
    "The categories at every mean, for people and items with average effects.",
    FACTORS,
    Column("category", "Category", "text", meaning="The category."),
    Column("probability", "Probability", "share", meaning="How likely it is."),
    Column(
        "probability_low", "Probability CI low", "share", meaning="Lower end of its interval (delta method, logit)."
    ),
    Column("probability_high", "Probability CI high", "share", meaning="Upper end of its interval."),
    when="where there are factors",
)
CATEGORIES = declared_table(
    "categories",
    "Answers",
    "How often each category was chosen.",
    Column("category", "Category", "text", meaning="The category, lowest first."),
    usual("n", meaning="How often it was chosen."),
    "share",
)


def thresholds_table(fit: Fitted, *, labels: Sequence[str], confidence: float) -> Table:
    """Return the thresholds between neighbouring categories."""
    k = len(fit.beta)
    lines = []
    for place, estimate in enumerate(fit.extra):
        found = tested(float(estimate), float(fit.joint[k + place, k + place])).line(confidence)
        lines.append({"threshold": f"{labels[place]}|{labels[place + 1]}", **found})
    return THRESHOLDS.of(lines)


def latent_means_table(
    fit: Fitted, means: Sequence[Mean], *, over: Sequence[Variable], points: Points, confidence: float
) -> Table:
    """Return the estimated marginal means of η minus the mean threshold and in points, one column per factor."""
    names = level_names(over, PROBABILITIES.names())
    rows = means_rows(fit, means, names=names, confidence=confidence)
    return MEANS.of(
        [row | points.line(mean, confidence=confidence) for row, mean in zip(rows, means, strict=True)],
        response=fit.design.formula.response.text,
        unit=LOG_ODDS.in_unit,
        factors={name: name for name in names},
    )


def probabilities_table(
    fit: Fitted, means: Sequence[Mean], *, over: Sequence[Variable], labels: Sequence[str], confidence: float
) -> Table:
    """Return the probability of every category at every mean, with intervals on the logit scale (delta method)."""
    names = level_names(over, PROBABILITIES.names())
    z = float(scipy.stats.norm.isf((1 - confidence) / 2))
    lines = []
    for mean in means:
        for place, label in enumerate(labels):
            line: dict[str, Any] = {**dict(zip(names, mean.levels, strict=True)), "category": label}
            if mean.weights is not None:
                share, slope = _probability(fit, mean.weights, place)
                spread = float(np.sqrt(max(float(slope @ fit.joint @ slope), 0.0)))
                line["probability"] = share
                if 0 < share < 1:
                    half = z * spread / (share * (1 - share))
                    middle = float(np.log(share) - np.log1p(-share))
                    line["probability_low"], line["probability_high"] = scipy.special.expit(
                        [middle - half, middle + half]
                    )
            lines.append(line)
    return PROBABILITIES.of(lines, response=fit.design.formula.response.text, factors={name: name for name in names})


def _probability(fit: Fitted, weights: Floats, place: int) -> tuple[float, Floats]:
    """Return the probability of a category and its derivative with respect to (β, α).

    The intercept in β is minus the mean threshold, so that η = weights · β + mean threshold.
    """
    k, q = len(fit.beta), len(fit.extra)
    by_extra = np.full(q, 1 / q)
    eta = float(weights @ fit.beta + fit.extra.mean())
    total, slope = 0.0, np.zeros(k + q)
    for sign, number in ((1.0, place), (-1.0, place - 1)):
        if number == q:
            total += 1.0
        if not 0 <= number < q:
            continue
        below = float(scipy.special.expit(fit.extra[number] - eta))
        steep = sign * below * (1 - below)
        total += sign * below
        slope[:k] -= steep * weights
        slope[k:] -= steep * by_extra
        slope[k + number] += steep
    return float(np.clip(total, 0.0, 1.0)), slope

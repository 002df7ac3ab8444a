"""Fill the tables of a fitted mixed model, linear or generalised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.effects import noncentral
from analysis.methods.mixed.design.matrices import INTERCEPT
from analysis.methods.mixed.design.terms import Formula, Variable
from analysis.methods.mixed.estimates import variance_explained
from analysis.methods.mixed.estimates.comparisons import (
    Family,
    Outcome,
    comparisons,
    default_families,
    named_family,
)
from analysis.methods.mixed.estimates.hypotheses import Hypothesis
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.estimates.means import (
    Mean,
    factors,
    few_enough,
    marginal_means,
    means_rows,
    named_factors,
)
from analysis.methods.mixed.estimates.satterthwaite import Fitted
from analysis.methods.mixed.random_effects.reduction import Reduced
from analysis.methods.mixed.random_effects.search import M
from analysis.methods.mixed.reported.declared import (
    ANOVA,
    COMPARISON,
    CORRELATIONS,
    FIT,
    ORDINAL,
    RANDOM,
    STEPS,
    of_scale,
)
from analysis.methods.mixed.reported.meanings import meanings
from analysis.methods.mixed.wording.selection import selection_notes, selection_sentence
from analysis.methods.report import Report, Table

# Beyond so many degrees of freedom of the error an effect explains no share of it that could be told from zero.
LARGEST_DF = 1e7


def estimate_tables(fit: Estimates, *, confidence: float, intercept: bool = True) -> list[Table]:
    """Return the coefficients, the random effects where there are any, and the measures of fit."""
    random = (random_table(fit), correlations_table(fit)) if fit.design.groups else ()
    made = (fixed_table(fit, confidence=confidence, intercept=intercept), *random, fit_table(fit))
    return [table for table in made if table is not None]


def fixed_table(fit: Estimates, *, confidence: float, intercept: bool = True) -> Table:
    """Return the coefficients; one without a finite estimate has none, one that was dropped no line."""
    lines = []
    said = meanings(fit)
    shown = fit.prepared.kept if not fit.is_limit else range(len(fit.design.fixed.names))
    for column in shown:
        name = fit.design.fixed.names[column]
        if name == INTERCEPT and not intercept:
            continue
        line: dict[str, Any] = {**fit.scale.blank, "term": name, "meaning": said[column]}
        weights = fit.coefficient(column)
        if weights is not None:
            line |= fit.contrast(weights).line(confidence)
            line |= fit.scale.ratios(line["estimate"], line["ci_low"], line["ci_high"])
        lines.append(line)
    return of_scale(fit.scale).fixed.of(
        lines or pd.DataFrame(columns=[*fit.scale.blank]),
        response=fit.design.formula.response.text,
        unit=fit.scale.in_unit,
    )


def random_table(fit: Estimates) -> Table:
    """Return standard deviations of the random effects in the order of the formula, and of the residual if any."""
    lines: list[dict[str, Any]] = []
    covariances = dict(zip((group.name for group in fit.prepared.groups), fit.random_covariances(), strict=True))
    for group in fit.design.groups:
        covariance = covariances[group.name]
        for block in group.blocks:
            for position, column in enumerate(block.columns[:1] if block.shared else block.columns):
                variance = float(covariance[column, column])
                corr = _correlation(covariance, block.columns[0], column) if position else None
                line = {"group": group.name, "term": group.names[column], "sd": np.sqrt(variance), "var": variance}
                lines.append({**line, "corr": corr})
    if fit.scale.is_linear:
        lines.append({"group": "Residual", "term": None, "sd": fit.sigma, "var": fit.sigma**2, "corr": None})
    return RANDOM.of(lines)


def correlations_table(fit: Estimates) -> Table | None:
    """Return the correlations of random effects, or None where there are none."""
    lines = []
    covariances = dict(zip((group.name for group in fit.prepared.groups), fit.random_covariances(), strict=True))
    for group in fit.design.groups:
        for block in group.blocks:
            for position, second in enumerate(() if block.shared else block.columns):
                for first in block.columns[:position]:
                    corr = _correlation(covariances[group.name], first, second)
                    names = {"term_a": group.names[first], "term_b": group.names[second]}
                    lines.append({"group": group.name, **names, "corr": corr})
    return CORRELATIONS.of(lines) if lines else None


def fit_table(fit: Estimates) -> Table:
    """Return the measures of fit; those of variance explained of linear models and of those on the logit scale."""
    line = fit.measures()
    if fit.is_limit and fit.scale.is_binary:
        line |= {"r2_marginal": None, "r2_conditional": None}
    elif fit.scale.is_linear or fit.scale.is_binary:
        single = fit.sigma**2 if fit.scale.is_linear else variance_explained.LOGISTIC_VARIANCE
        line |= variance_explained.explained(fit, residual=single)
    return FIT.of([line])


def anova_table(fit: Fitted, hypotheses: Sequence[Hypothesis]) -> Table:
    """Return the type III tests; an effect of which nothing can be estimated has no test."""
    lines = []
    for hypothesis in hypotheses:
        line: dict[str, Any] = {"effect": hypothesis.effect}
        if len(hypothesis.contrasts):
            line |= dict(zip(("df1", "df2", "f", "p"), fit.f_test(hypothesis.contrasts), strict=True))
            line |= _partial_eta2(line["f"], line["df1"], line["df2"])
        lines.append(line)
    return ANOVA.of(lines)


def _partial_eta2(f: float, df1: float, df2: float) -> dict[str, float]:
    """Return ηp² = F · df1/(F · df1 + df2) with its 90 % interval, as effectsize has it; approximate, as df2 is."""
    if not (np.isfinite(f) and 0 < df2 < LARGEST_DF):
        return {}
    found = {"pes": f * df1 / (f * df1 + df2)}
    bounds = noncentral.of_f(f, df1, df2)
    if bounds is not None:
        found |= {"pes_low": bounds[0] / (bounds[0] + df2), "pes_high": bounds[1] / (bounds[1] + df2)}
    return found


def means_tables(
    fit: Estimates,
    *,
    means: Sequence[str],
    by: Sequence[str],
    confidence: float,
    of_means: Callable[[Sequence[Mean], Sequence[Variable]], list[Table]] | None = None,
    outcome: Outcome | None = None,
) -> tuple[list[Table], list[Variable]]:
    """Return the tables of marginal means over some factors, or over all of the formula, and the factors.

    Compared are those over named factors, or else the levels of every factor (see `default_families`). `of_means` makes
    other tables of the means, `outcome` says what they are in the unit of the measure.
    """
    over = named_factors(fit, [*by, *(name for name in means if name not in by)], parameter="means")
    shown = over or list(factors(fit))
    made: list[Table] = []
    found: list[Mean] = []
    if over or few_enough(fit):
        found = marginal_means(fit, shown)
        made = of_means(found, shown) if of_means else [means_table(fit, found, over=shown, confidence=confidence)]
    families = [named_family(found, over, held=len(by))] if over else default_families(fit)
    if families:
        made.append(comparisons_table(fit, families, confidence=confidence, outcome=outcome))
    return made, shown


def means_table(fit: Estimates, means: Sequence[Mean], *, over: Sequence[Variable], confidence: float) -> Table:
    """Return the estimated marginal means on the scale of the model and of the outcome, one column per factor."""
    scale = fit.scale
    names = level_names(over, [*(["df"] if scale.is_linear else []), *(column.name for column in scale.mean)])
    return of_scale(scale).means.of(
        means_rows(fit, means, names=names, confidence=confidence),
        response=fit.design.formula.response.text,
        unit=scale.in_unit,
        what=scale.mean_words,
        factors={name: name for name in names},
    )


def level_names(over: Sequence[Variable], taken: Sequence[str]) -> list[str]:
    """Return the names of the columns of factors in tables of means; one that a number already has is made another."""
    known = {"mean", "se", "ci_low", "ci_high", "panel", *taken}
    return [f"{v.column}_level" if v.column in known else v.column for v in over]


def comparisons_table(
    fit: Estimates, families: Sequence[Family], *, confidence: float, outcome: Outcome | None = None
) -> Table:
    """Return the pairwise comparisons, with ratios and differences of the outcome where the scale has them."""
    lines = [line for family in families for line in comparisons(fit, family, confidence=confidence, outcome=outcome)]
    tables = of_scale(fit.scale) if outcome is None else ORDINAL
    return tables.comparisons.of(
        lines or pd.DataFrame(columns=[*fit.scale.blank]),
        response=fit.design.formula.response.text,
        unit=fit.scale.in_unit,
        mean=fit.scale.unit.capitalize() or "Mean",
        what=fit.scale.mean_words,
    )


def comparison_table(lines: Sequence[dict[str, Any]], *, how: str = "likelihood ratio") -> Table:
    """Return the comparison of two models."""
    return COMPARISON.of(lines, how=how)


def selection(found: Reduced[M], asked: Formula, how: str) -> Report:
    """Return how random effects were chosen as a table, notes and a sentence; an empty report where none were."""
    if not found.lines:
        return Report()
    said = (selection_sentence(found, how),)
    return Report(tables=(STEPS.of(found.lines),), notes=tuple(selection_notes(found, asked, how)), sentences=said)


def _correlation(covariance: Any, first: int, second: int) -> float | None:
    variances = float(covariance[first, first]) * float(covariance[second, second])
    return float(np.clip(covariance[first, second] / np.sqrt(variances), -1.0, 1.0)) if variances > 0 else None

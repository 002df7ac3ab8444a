"""The tables of a fitted mixed model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.methods.effects import noncentral
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.estimates import variance_explained
from analysis.methods.mixed.estimates.hypotheses import Hypothesis
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.estimates.means import Mean, comparisons, means_rows
from analysis.methods.mixed.estimates.satterthwaite import Fitted
from analysis.methods.mixed.reported.meanings import meanings
from analysis.methods.report import Column, Table

_INTERVAL = (Column("ci_low", "CI low"), Column("ci_high", "CI high"))
FIXED = (
    Column("term", "Term", "text"),
    Column("estimate", "Estimate"),
    Column("se", "SE"),
    Column("df", "df", "df"),
    Column("t", "t", "statistic"),
    Column("p", "p", "p"),
    *_INTERVAL,
    Column("meaning", "Meaning", "text"),
)
RANDOM = (
    Column("group", "Group", "text"),
    Column("term", "Term", "text"),
    Column("sd", "SD"),
    Column("var", "Variance"),
    Column("corr", "Correlation", "share"),
)
CORRELATIONS = (
    Column("group", "Group", "text"),
    Column("term_a", "Term a", "text"),
    Column("term_b", "Term b", "text"),
    Column("corr", "Correlation", "share"),
)
FIT = (
    Column("log_lik", "Log likelihood"),
    Column("aic", "AIC"),
    Column("bic", "BIC"),
    Column("n", "n", "integer"),
    Column("converged", "Converged", "boolean"),
    Column("singular", "Singular", "boolean"),
    Column("criterion", "−2 log likelihood"),
    Column("parameters", "Parameters", "integer"),
    Column("sigma", "Residual SD"),
    Column("reml", "REML", "boolean"),
    *variance_explained.COLUMNS,
)
ANOVA = (
    Column("effect", "Effect", "text"),
    Column("df1", "df1", "df"),
    Column("df2", "df2", "df"),
    Column("f", "F", "statistic"),
    Column("p", "p", "p"),
    Column("pes", "Partial η² (approximate)", "share"),
    Column("pes_low", "ηp² CI low (90 %)", "share"),
    Column("pes_high", "ηp² CI high (90 %)", "share"),
)
MEANS = (Column("mean", "Mean"), Column("se", "SE"), Column("df", "df", "df"), *_INTERVAL)
PAIRS = (
    Column("by", "Within", "text"),
    Column("a", "a", "text"),
    Column("b", "b", "text"),
    Column("mean_a", "Mean of a"),
    Column("mean_b", "Mean of b"),
    Column("diff", "Difference"),
    Column("se", "SE of difference"),
    Column("df", "df", "df"),
    Column("t", "t", "statistic"),
    Column("p", "p (Tukey)", "p"),
    *_INTERVAL,
    Column("p_holm", "p (Holm)", "p"),
    Column("p_unadjusted", "p (unadjusted)", "p"),
    Column("k", "Means in the family", "integer"),
    Column("comparison", "Comparison", "text"),
)
COMPARISON = (
    Column("model", "Model", "text"),
    Column("parameters", "Parameters", "integer"),
    Column("log_lik", "Log likelihood"),
    Column("aic", "AIC"),
    Column("bic", "BIC"),
    Column("chi2", "χ²", "statistic"),
    Column("df", "df", "df"),
    Column("p", "p", "p"),
    Column("converged", "Converged", "boolean"),
    Column("singular", "Singular", "boolean"),
    Column("bf_bic", "Bayes factor for the larger model (BIC)"),
)
# Beyond so many degrees of freedom of the error an effect explains no share of it that could be told from zero.
LARGEST_DF = 1e7


def fixed_table(fit: Fitted, *, confidence: float) -> Table:
    """Return the coefficients with their tests."""
    lines = []
    said = meanings(fit)
    for position, name in enumerate(fit.names):
        tested = fit.contrast(np.eye(len(fit.names))[position])
        low, high = tested.interval(confidence)
        lines.append(
            {
                "term": name,
                "estimate": tested.estimate,
                "se": tested.se,
                "df": tested.df,
                "t": tested.t,
                "p": tested.p,
                "ci_low": low,
                "ci_high": high,
                "meaning": said[fit.prepared.kept[position]],
            }
        )
    return Table.from_rows("fixed", f"Fixed effects on {fit.design.formula.response.text}", FIXED, lines)


def random_table(fit: Estimates, *, residual: bool = True) -> Table:
    """Return standard deviations of the random effects in the order of the formula, and of the residual."""
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
    if residual:
        lines.append({"group": "Residual", "term": None, "sd": fit.sigma, "var": fit.sigma**2, "corr": None})
    return Table.from_rows("random", "Random effects", RANDOM, lines)


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
    return Table.from_rows("correlations", "Correlations of random effects", CORRELATIONS, lines) if lines else None


def fit_table(fit: Fitted) -> Table:
    """Return the measures of fit."""
    line = {
        "log_lik": -fit.criterion / 2,
        "aic": fit.aic,
        "bic": fit.bic,
        "n": fit.prepared.n,
        "converged": fit.optimum.converged,
        "singular": fit.optimum.singular,
        "criterion": fit.criterion,
        "parameters": fit.parameters,
        "sigma": fit.sigma,
        "reml": fit.reml,
        **variance_explained.explained(fit, residual=fit.sigma**2),
    }
    return Table.from_rows("fit", "Fit of the model", FIT, [line])


def anova_table(fit: Fitted, hypotheses: Sequence[Hypothesis]) -> Table:
    """Return the type III tests; an effect of which nothing can be estimated has no test."""
    lines = []
    for hypothesis in hypotheses:
        line: dict[str, Any] = {"effect": hypothesis.effect}
        if len(hypothesis.contrasts):
            line |= dict(zip(("df1", "df2", "f", "p"), fit.f_test(hypothesis.contrasts), strict=True))
            line |= _partial_eta2(line["f"], line["df1"], line["df2"])
        lines.append(line)
    return Table.from_rows("anova", "Tests of the fixed effects (type III, Satterthwaite)", ANOVA, lines)


def _partial_eta2(f: float, df1: float, df2: float) -> dict[str, float]:
    """Return ηp² = F · df1/(F · df1 + df2) with its 90 % interval, as effectsize has it; approximate, as df2 is."""
    if not (np.isfinite(f) and 0 < df2 < LARGEST_DF):
        return {}
    found = {"pes": f * df1 / (f * df1 + df2)}
    bounds = noncentral.of_f(f, df1, df2)
    if bounds is not None:
        found |= {"pes_low": bounds[0] / (bounds[0] + df2), "pes_high": bounds[1] / (bounds[1] + df2)}
    return found


def means_table(fit: Fitted, means: Sequence[Mean], *, over: Sequence[Variable], confidence: float) -> Table:
    """Return the estimated marginal means, one column per factor."""
    taken = {column.name for column in MEANS}
    names = [f"{v.column}_level" if v.column in taken else v.column for v in over]
    columns = [Column(name, name, "text") for name in names]
    lines = means_rows(fit, means, names=names, confidence=confidence)
    extra = (Column("panel", "Other factors", "text"),) if len(names) > 3 else ()
    for line, mean in zip(lines, means, strict=True):
        line["panel"] = ":".join(mean.levels[2:])
    title = f"Estimated marginal means of {fit.design.formula.response.text}"
    return Table.from_rows("means", title, [*columns, *MEANS, *extra], lines)


def comparisons_table(fit: Fitted, means: Sequence[Mean], *, held: int, confidence: float) -> Table:
    """Return the pairwise comparisons."""
    lines = comparisons(fit, means, held=held, confidence=confidence)
    return Table.from_rows("comparisons", f"Comparisons of means of {fit.design.formula.response.text}", PAIRS, lines)


def comparison_table(lines: Sequence[dict[str, Any]]) -> Table:
    """Return the comparison of two models."""
    return Table.from_rows("comparison", "Comparison of models (likelihood ratio, ML)", COMPARISON, lines)


def _correlation(covariance: Any, first: int, second: int) -> float | None:
    variances = float(covariance[first, first]) * float(covariance[second, second])
    return float(np.clip(covariance[first, second] / np.sqrt(variances), -1.0, 1.0)) if variances > 0 else None

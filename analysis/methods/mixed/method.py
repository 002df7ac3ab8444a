"""The method `lmm`: a linear mixed model with crossed random effects, reported as lme4 and lmerTest do."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.methods.declarations import Method, Parameter, Progress, no_progress
from analysis.methods.mixed import design as designs
from analysis.methods.mixed import formula as formulas
from analysis.methods.mixed import variables
from analysis.methods.mixed.crossproducts import prepare
from analysis.methods.mixed.estimates import Estimates
from analysis.methods.mixed.example import example
from analysis.methods.mixed.hypotheses import type_three
from analysis.methods.mixed.likelihood_ratio import compared
from analysis.methods.mixed.means import factors, marginal_means, named_factors
from analysis.methods.mixed.optimise import fit as optimum_of
from analysis.methods.mixed.satterthwaite import Fitted, fitted
from analysis.methods.mixed.settings import CODING, COMPARE
from analysis.methods.mixed.tables import (
    anova_table,
    comparison_table,
    comparisons_table,
    correlations_table,
    figures,
    fit_table,
    fixed_table,
    means_table,
    random_table,
    sentences,
)
from analysis.methods.mixed.terms import Formula
from analysis.methods.mixed.wording import notes, warnings
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import CONFIDENCE
from analysis.methods.rows import used as rows
from analysis.methods.rows.read_as import digits_read_as_numbers

MOST_CELLS = 64


def lmm(
    frame: pd.DataFrame,
    *,
    formula: str,
    reml: bool = True,
    contrasts: str = designs.AUTOMATIC,
    categorical: Sequence[str] = (),
    levels: str | None = None,
    means: Sequence[str] = (),
    by: Sequence[str] = (),
    uncorrelated: str = designs.BY_TERM,
    compare: str | None = None,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Fit a linear mixed model given in lme4's syntax (see `formula`).

    Tables:
        `fixed`: term, estimate, se, df, t, p, ci_low, ci_high, meaning. Coefficients, in the units of the measure,
        named as R names them; `meaning` says which levels are compared.
        `random`: group, term, sd, var, corr. Standard deviations and variances; `corr` is the correlation with the
        first term of the same random term (further ones in `correlations`). A term with || has one row, whose `sd` is
        that of a level around the mean of all. The last row is the residual.
        `correlations`: group, term_a, term_b, corr. All correlations; only where there are any.
        `fit`: log_lik, aic, bic, n, converged, singular, criterion, parameters, sigma, reml. `criterion` is −2 log
        likelihood, restricted where `reml`.
        `anova`: effect, df1, df2, f, p. Tests of type III; only where the formula has fixed effects.
        `means`: the factors, mean, se, df, ci_low, ci_high. Estimated marginal means over all factors of the formula,
        or over those in `means` and `by`; only where there are factors.
        `comparisons`: by, a, b, mean_a, mean_b, diff, se, df, t, p, ci_low, ci_high, p_holm, p_unadjusted, k,
        comparison. Pairs of the means over `means`, inside every level of `by`; p and intervals by Tukey (k means
        in a family); only where `means` is given.
        `comparison`: model, parameters, log_lik, aic, bic, chi2, df, p, converged, singular. Likelihood ratio test
        against the formula in `compare`, both by ML; only where it is given.

    `categorical` names columns of numbers that are names of conditions; `levels` gives levels in an order of one's own,
    such as `marker=because,because-of; order=ab,ba` (the first is the reference of treatment contrasts, the last has
    no coefficient with sum contrasts). `contrasts` is treatment, or sum as soon as a factor is part of an interaction.
    With `||` no coding and no order of levels has a part in the random effects, unless `uncorrelated` is `by-column`.

    Raises BadInput where the formula cannot be read, names columns that do not exist, or cannot be fitted to the data.

    >>> frame, parameters = example()
    >>> report = lmm(frame, **parameters)
    >>> report.table("fixed").frame()["term"].tolist()
    ['(Intercept)', 'orderba']
    """
    if not 0.5 <= confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")
    names = [str(name) for name in frame.columns]
    parsed = formulas.parse(formula, names)
    other = formulas.parse(compare, names) if compare else None
    order = read_levels(levels, names)
    used = [*parsed.columns, *(other.columns if other else ())]
    progress(0.05, "reading the data")
    chosen = rows.select(
        frame, used=used, measured=[parsed.response.column], units=parsed.groupings, where=where, keep=keep
    )

    def fit_of(text: Formula, *, by_reml: bool, start: float, end: float) -> Fitted:
        read = variables.read(chosen.frame, text, categorical=categorical, order_of_levels=order)
        built = designs.build(text, read, contrasts=contrasts, uncorrelated=uncorrelated)
        prepared = prepare(built)

        def watch(count: int) -> None:
            progress(start + (end - start) * (1 - 0.97**count), f"fitting the model ({count} evaluations)")

        return fitted(built, prepared, optimum_of(prepared, reml=by_reml, watch=watch), reml=by_reml)

    model = fit_of(parsed, by_reml=reml, start=0.1, end=0.6 if other else 0.9)
    hypotheses = type_three(model)
    said = warnings(model, hypotheses)
    tables = [fixed_table(model, confidence=confidence), random_table(model)]
    tables += [table for table in (correlations_table(model),) if table is not None]
    tables += [fit_table(model), *([anova_table(model, hypotheses)] if hypotheses else [])]
    over = named_factors(model, [*by, *(name for name in means if name not in by)], parameter="means")
    if by and not means:
        raise BadInput("by: name with means=… the factors whose means are compared inside every level of by.")
    if over or few_enough(model):
        found = marginal_means(model, over or factors(model))
        tables.append(means_table(model, found, over=over or factors(model), confidence=confidence))
        if over:
            tables.append(comparisons_table(model, found, held=len(by), confidence=confidence))
    if other is not None:
        progress(0.6, "fitting the model to compare with")
        against = fit_of(other, by_reml=False, start=0.6, end=0.95)
        this = model if not reml else fit_of(parsed, by_reml=False, start=0.6, end=0.95)
        lines, more = compared(this, against)
        said += more
        tables.append(comparison_table(lines))
    return Report(
        method="lmm",
        params={},
        tables=tuple(tables),
        figures=figures(model, tables, confidence=confidence),
        notes=(*chosen.notes, *model.design.variables.notes, *notes(model, confidence=confidence)),
        warnings=(
            *chosen.warnings,
            *digits_read_as_numbers(chosen.frame, parsed.plain_predictors, categorical=categorical),
            *said,
        ),
        sentences=sentences(tables),
    )


def read_levels(text: str | None, columns: Sequence[str]) -> dict[str, list[str]]:
    """Read orders of levels.

    >>> read_levels("marker=because,cause; order=ab,ba", ["marker", "order"])
    {'marker': ['because', 'cause'], 'order': ['ab', 'ba']}
    """
    found: dict[str, list[str]] = {}
    for part in re.split(r"[;\n]", text or ""):
        if not part.strip():
            continue
        name, sign, levels = part.partition("=")
        if not sign or name.strip() not in columns:
            raise BadInput(
                f"levels: '{part.strip()}' cannot be read; write a column, =, and its levels in order, such as "
                f"marker=because,because-of; order=ab,ba."
            )
        found[name.strip()] = [level.strip() for level in levels.split(",") if level.strip()]
        if len(set(found[name.strip()])) < len(found[name.strip()]):
            raise BadInput(f"levels: a level of '{name.strip()}' is named twice; name every level once.")
    return found


def few_enough(model: Estimates) -> bool:
    """Return whether the means of all cells make a table that somebody would read."""
    sizes = [
        len(read.levels)
        for variable in factors(model)
        if isinstance(read := model.design.variables.predictors[variable], variables.Categorical)
    ]
    return bool(sizes) and int(np.prod(sizes)) <= MOST_CELLS


def _parameters() -> tuple[Parameter, ...]:
    return (
        Parameter(
            "formula",
            "Formula",
            "text",
            help="As in lme4, with the slopes that the design allows: "
            "z ~ marker*order + (1+order|participant) + (1+order|item).",
            required=True,
        ),
        Parameter("reml", "REML", "boolean", help="False: maximum likelihood.", default=True),
        *CODING,
        COMPARE,
        CONFIDENCE,
        *rows.ROW_PARAMETERS,
    )


METHOD = Method(
    slug="lmm",
    label="Linear mixed model",
    summary="Crossed random effects of participants and items with slopes, equal to lme4 and lmerTest.",
    function=lmm,
    parameters=_parameters(),
    example=example,
)

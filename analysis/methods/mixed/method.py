"""The method `lmm`: a linear mixed model with crossed random effects, reported as lme4 and lmerTest do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.methods.declarations import Method, Parameter, Progress, no_progress
from analysis.methods.mixed.checks.diagnostics import shown
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC, chosen_for
from analysis.methods.mixed.design.terms import Formula, Variable, random_text, slopes_of, with_random
from analysis.methods.mixed.estimates.hypotheses import type_three
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.estimates.likelihood_ratio import compared
from analysis.methods.mixed.estimates.means import factors, marginal_means, named_factors
from analysis.methods.mixed.estimates.satterthwaite import Fitted, fitted
from analysis.methods.mixed.example import example
from analysis.methods.mixed.fitting.crossproducts import prepare
from analysis.methods.mixed.fitting.optimise import fit as optimum_of
from analysis.methods.mixed.random_effects import reduction
from analysis.methods.mixed.random_effects.candidates import Tried, warm_start
from analysis.methods.mixed.reported.brms_script import brms_script
from analysis.methods.mixed.reported.figures import figures
from analysis.methods.mixed.reported.meanings import hypotheses_tables
from analysis.methods.mixed.reported.observed_means import observed_means
from analysis.methods.mixed.reported.sentences import sentences
from analysis.methods.mixed.reported.tables import (
    anova_table,
    comparison_table,
    comparisons_table,
    correlations_table,
    fit_table,
    fixed_table,
    means_table,
    random_table,
)
from analysis.methods.mixed.settings import CODING, COMPARE, REDUCE
from analysis.methods.mixed.wording.model import notes, warnings
from analysis.methods.mixed.wording.selection import selection_notes, selection_sentence, steps_table
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
    contrasts: str = AUTOMATIC,
    categorical: Sequence[str] = (),
    levels: str | None = None,
    means: Sequence[str] = (),
    by: Sequence[str] = (),
    uncorrelated: str = matrices.BY_TERM,
    compare: str | None = None,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    reduce: str = reduction.NONE,
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
        `fit`: log_lik, aic, bic, n, converged, singular, criterion, parameters, sigma, reml, r2_marginal,
        r2_conditional (see `variance_explained`). `criterion` is −2 log likelihood, restricted where `reml`.
        `anova`: effect, df1, df2, f, p, pes, pes_low, pes_high. Tests of type III; only where the formula has fixed
        effects. Partial η² from F and Satterthwaite's df2, with its 90 % interval.
        `means`: the factors, mean, se, df, ci_low, ci_high. Estimated marginal means over all factors of the formula,
        or over those in `means` and `by`; only where there are factors.
        `comparisons`: by, a, b, mean_a, mean_b, diff, se, df, t, p, ci_low, ci_high, p_holm, p_unadjusted, k,
        comparison. Pairs of the means over `means`, inside every level of `by`; p and intervals by Tukey (k means
        in a family); only where `means` is given.
        `comparison`: model, parameters, log_lik, aic, bic, chi2, df, p, converged, singular, bf_bic. Likelihood ratio
        test against the formula in `compare`, both by ML, and the Bayes factor from BIC; only where it is given.
        `hypotheses`: term, hypothesis, weights. What each coefficient is in means of levels; only where
        there are factors. `codes`: factor, contrast, level, position, weight, code. The weights and codes as numbers.
        `observed`: unit, the factors, panel, value. Observed means of each level of the first group by condition.
        `residuals`: fitted, residual. At most 600 rows, the largest residuals among them.
        `quantiles`: theoretical, observed, low, high. Normal quantiles of the standardised residuals, with a pointwise
        95 % envelope of residuals that were simulated from the model.
        `units`: group, unit, term, estimate, se, ci_low, ci_high, panel, effect_of, fixed, effect, effect_low,
        effect_high, effect_panel. Random effects of every participant and item with conditional standard errors; of a
        slope also the fixed effect plus that deviation.
        `influence`: group, unit, term, estimate, without, change, change_se, panel. The fixed effects without each
        participant and each item, at the variances estimated from all rows.
        `steps`: step, change, random, parameters, log_lik, criterion, chi2, df, p, converged, singular, decision. The
        models that were tried, with the likelihood ratio test of the smaller against the larger one where there is
        one; the last row is the reported model. Only where `reduce` is not none.

    `reduce` chooses random effects, beginning with those of the formula: `keep-maximal` or `parsimonious` (see
    `reduction`). Everything else in the report is about the model that was chosen; the formula in `compare` needs the
    random effects of `formula`, and gets those that were chosen.

    `categorical` names columns of numbers that are names of conditions; `levels` gives levels in an order of one's own,
    such as `marker=because,because-of; order=ab,ba` (the first is the reference of treatment contrasts, the last has
    no coefficient with sum contrasts; repeated and polynomial contrasts follow it). `contrasts` is a set for all
    factors, or has other ones for single factors: `order=repeated; own: marker = because-cause` (see
    `contrast_choice.read_contrasts`); automatic is treatment, or sum as soon as a factor is part of an interaction.
    The script `brms.R` fits the same model with priors (see `brms_script`).

    With `||` no coding and no order of levels has a part in the random effects, unless `uncorrelated` is `by-column`.

    Raises BadInput where the formula cannot be read, names columns that do not exist, or cannot be fitted to the data,
    and where with `reduce` the formula in `compare` has other random effects.

    >>> frame, parameters = example()
    >>> report = lmm(frame, **parameters)
    >>> report.table("fixed").frame()["term"].tolist()
    ['(Intercept)', 'orderba']
    """
    made = modelled(
        frame, formula=formula, reml=reml, contrasts=contrasts, categorical=categorical, levels=levels, means=means,
        by=by, uncorrelated=uncorrelated, compare=compare, confidence=confidence, where=where, keep=keep,
        reduce=reduce, progress=progress,
    )  # fmt: skip
    progress(0.97, "describing single rows, people and items")
    model, report = made.model, made.report
    checks = shown(model, confidence=confidence)
    observed = observed_means(report.tables, model.design, made.over, trials=np.ones(model.prepared.n))
    tables = [*report.tables, *observed]
    return replace(
        report,
        tables=(*tables, *checks.tables),
        figures=(*figures(model, tables, confidence=confidence, ordered=made.ordered), *checks.figures),
        notes=(*report.notes, *checks.notes),
        scripts={"brms.R": brms_script(model.design, family="gaussian")},
    )


@dataclass(frozen=True)
class Modelled:
    """A fitted model with its report; `over` are the factors of its means, `ordered` those with levels in an order."""

    model: Fitted
    report: Report
    over: Sequence[Variable]
    ordered: tuple[str, ...]


def modelled(
    frame: pd.DataFrame,
    *,
    formula: str,
    reml: bool,
    contrasts: str,
    categorical: Sequence[str],
    levels: str | None,
    uncorrelated: str,
    confidence: float,
    means: Sequence[str] = (),
    by: Sequence[str] = (),
    compare: str | None = None,
    where: str | None = None,
    keep: str | None = None,
    reduce: str = reduction.NONE,
    progress: Progress = no_progress,
) -> Modelled:
    """Fit the model of `lmm` and report its tests and means, without figures and without what checks the model."""
    if not 0.5 <= confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")
    names = [str(name) for name in frame.columns]
    parsed = formulas.parse(formula, names)
    other = formulas.parse(compare, names) if compare else None
    if reduce != reduction.NONE and other and set(other.random) != set(parsed.random):
        raise BadInput(
            f"compare: with reduce={reduce} the other formula has the random effects that are chosen, so give it "
            f"those of the formula: {random_text(parsed)}."
        )
    order = read_levels(levels, names)
    asked = chosen_for(contrasts, [parsed, *([other] if other else [])])
    used = [*parsed.columns, *(other.columns if other else ())]
    progress(0.05, "reading the data")
    chosen = rows.select(
        frame, used=used, measured=[parsed.response.column], units=parsed.groupings, where=where, keep=keep
    )

    def read_of(text: Formula) -> variables.Variables:
        return variables.read(chosen.frame, text, categorical=categorical, order_of_levels=order)

    def fit_of(
        text: Formula,
        *,
        by_reml: bool,
        start: float,
        end: float,
        read: variables.Variables | None = None,
        near: Tried | None = None,
    ) -> Tried:
        built = matrices.build(text, read or read_of(text), contrasts=asked, uncorrelated=uncorrelated)
        prepared = prepare(built)

        def watch(count: int) -> None:
            progress(start + (end - start) * (1 - 0.97**count), f"fitting the model ({count} evaluations)")

        found = optimum_of(prepared, reml=by_reml, theta=warm_start(prepared.groups, near), watch=watch)
        return Tried(text, built, prepared, found, by_reml)

    whole, selected = read_of(parsed), None
    if reduce == reduction.NONE:
        tried = fit_of(parsed, by_reml=reml, start=0.1, end=0.6 if other else 0.9, read=whole)
    else:

        def fit_near(text: Formula, near: Tried | None, done: int) -> Tried:
            start, end = (0.1 + 0.5 * (1 - 0.9**fits) for fits in (done, done + 1))
            return fit_of(text, by_reml=reml, start=start, end=end, read=whole.of(text), near=near)

        selected = reduction.reduced(parsed, reduce, fit_near)
        tried = selected.model
    model = estimated(tried)
    hypotheses = type_three(model)
    said = warnings(model, hypotheses, tried=slopes_of(parsed) if selected else ())
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
        over_all = read_of(other)
        other = with_random(other, tried.formula.random) if selected else other
        against = fit_of(other, by_reml=False, start=0.6, end=0.95, read=over_all.of(other))
        this = tried
        if reml:
            this = fit_of(tried.formula, by_reml=False, start=0.6, end=0.95, read=whole.of(tried.formula))
        lines, more = compared(estimated(this), estimated(against))
        said += more
        tables.append(comparison_table(lines))
    tables += [*hypotheses_tables(model, shown=model.names), *([steps_table(selected)] if selected else [])]
    chosen_by = selection_notes(selected, parsed, reduce) if selected else []
    report = Report(
        method="lmm",
        params={},
        tables=tuple(tables),
        notes=(*chosen.notes, *model.design.variables.notes, *notes(model, confidence=confidence), *chosen_by),
        warnings=(
            *chosen.warnings,
            *digits_read_as_numbers(chosen.frame, parsed.plain_predictors, categorical=categorical),
            *said,
        ),
        sentences=sentences(tables, chosen=[selection_sentence(selected, reduce)] if selected else []),
    )
    return Modelled(model, report, over or factors(model), tuple(order))


def estimated(tried: Tried) -> Fitted:
    """Return the estimates of a model that was fitted."""
    return fitted(tried.design, tried.prepared, tried.optimum, reml=tried.reml)


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
        REDUCE,
    )


METHOD = Method(
    slug="lmm",
    label="Linear mixed model",
    summary="Crossed random effects of participants and items with slopes, equal to lme4 and lmerTest.",
    function=lmm,
    parameters=_parameters(),
    example=example,
)

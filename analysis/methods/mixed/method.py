"""The method `lmm`: a linear mixed model with crossed random effects, reported as lme4 and lmerTest do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.mixed.checks.diagnostics import shown
from analysis.methods.mixed.design import matrices
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
from analysis.methods.mixed.example import example
from analysis.methods.mixed.modelled import modelled
from analysis.methods.mixed.random_effects import reduction
from analysis.methods.mixed.reported.brms_script import brms_script
from analysis.methods.mixed.reported.figures import figures
from analysis.methods.mixed.reported.observed_means import observed_means
from analysis.methods.mixed.settings import CODING, COMPARE, REDUCE, REML
from analysis.methods.report import Report
from analysis.methods.roles import declared


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
        figures=(
            *figures(
                tables,
                response=model.design.formula.response.text,
                scale=model.scale,
                confidence=confidence,
                ordered=made.ordered,
            ),
            *checks.figures,
        ),
        notes=(*report.notes, *checks.notes),
        scripts={"brms.R": brms_script(model.design, family="gaussian")},
    )


METHOD = declared(
    "lmm",
    "Linear mixed model",
    "Crossed random effects of participants and items with slopes, equal to lme4 and lmerTest.",
    lmm,
    Parameter(
        "formula",
        "Formula",
        "text",
        help="As in lme4, with the slopes that the design allows: "
        "z ~ marker*order + (1+order|participant) + (1+order|item).",
    ),
    REML,
    *CODING,
    COMPARE,
    REDUCE,
    example=example,
)

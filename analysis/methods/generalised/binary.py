"""The method `glmm`: a mixed logistic model, equal to `glmer(…, family = binomial)` with the Laplace approximation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.declarations import Method, Parameter, Progress, no_progress
from analysis.methods.generalised import outcomes
from analysis.methods.generalised.binary_models import check, fit_of
from analysis.methods.generalised.diagnostics import shown_binary
from analysis.methods.generalised.example import binary_example
from analysis.methods.generalised.fitted import Fitted
from analysis.methods.generalised.likelihoods import Binomial
from analysis.methods.generalised.several import joined, with_holm
from analysis.methods.generalised.tables import (
    comparisons_table,
    figures,
    fit_table,
    fixed_table,
    means_table,
    sentences,
)
from analysis.methods.generalised.type_three import TESTS, Watch, chosen_tests, type_three_table
from analysis.methods.generalised.wording import notes, warnings
from analysis.methods.mixed import design as designs
from analysis.methods.mixed import formula as formulas
from analysis.methods.mixed import variables
from analysis.methods.mixed.brms_script import brms_script
from analysis.methods.mixed.contrast_choice import AUTOMATIC, Chosen, chosen_for
from analysis.methods.mixed.design import Design
from analysis.methods.mixed.diagnostics import Shown
from analysis.methods.mixed.hypotheses import type_three
from analysis.methods.mixed.likelihood_ratio import compared
from analysis.methods.mixed.meanings import hypotheses_tables
from analysis.methods.mixed.means import factors, marginal_means, named_factors
from analysis.methods.mixed.method import few_enough, read_levels
from analysis.methods.mixed.raw import observed_means
from analysis.methods.mixed.settings import CODING, COMPARE
from analysis.methods.mixed.tables import comparison_table, correlations_table, random_table
from analysis.methods.mixed.terms import Formula
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import CONFIDENCE
from analysis.methods.rows import used as rows
from analysis.methods.rows.read_as import digits_read_as_numbers


@dataclass(frozen=True)
class Options:
    """What holds for every outcome of one call."""

    frame: pd.DataFrame
    formula: str
    compare: str | None
    positive: str | None
    trials: str | None
    contrasts: Chosen
    uncorrelated: str
    categorical: tuple[str, ...]
    order: dict[str, list[str]]
    means: tuple[str, ...]
    by: tuple[str, ...]
    tests: str
    confidence: float
    is_single: bool


def glmm(
    frame: pd.DataFrame,
    *,
    formula: str,
    outcome: Sequence[str] = (),
    positive: str | None = None,
    trials: str | None = None,
    contrasts: str = AUTOMATIC,
    categorical: Sequence[str] = (),
    levels: str | None = None,
    means: Sequence[str] = (),
    by: Sequence[str] = (),
    uncorrelated: str = designs.BY_TERM,
    tests: str = "wald",
    compare: str | None = None,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Fit a mixed logistic model given in lme4's syntax.

    The left side of `formula` is a column of two values (0 and 1, true and false, or any two; `positive` names the one
    that counts as success), or counts of successes out of `trials`. `outcome` names columns that take the place of
    the left side one after the other, such as the codes of recalls; every table then has a column `outcome`, and
    `fixed` and `anova` have p_outcomes, Holm's p over the outcomes of the same line. The left side may be left out
    then: `~ order + (1 | participant)`.

    Tables:
        `fixed`: term, estimate, se, z, p, ci_low, ci_high, odds_ratio, or_low, or_high, meaning. Coefficients in log
        odds, Wald tests; empty where there is no finite estimate.
        `random`: group, term, sd, var, corr, in log odds; `correlations`: group, term_a, term_b, corr.
        `fit`: log_lik, deviance, aic, bic, n, converged, singular, criterion, parameters, r2_marginal,
        r2_conditional (see `variance_explained`). `deviance` and `criterion` are −2 log likelihood by Laplace.
        `anova`: effect, df, chi2, p, test. Tests of type III: Wald, or likelihood ratios against the model without the
        term in sum coding (with `tests=likelihood-ratio`, and for an effect without finite estimates). With `tests=f`
        also df2, f: F tests by restricted likelihood with Satterthwaite's degrees of freedom; `df` is that of the
        numerator then.
        `means`: the factors, mean, se, ci_low, ci_high in log odds, probability, probability_se, probability_low,
        probability_high. Estimated marginal means for people and items with average effects.
        `comparisons`: by, a, b, mean_a, mean_b, diff, se, z, p, ci_low, ci_high, odds_ratio, or_low, or_high, p_holm,
        p_unadjusted, k, comparison. Pairs of the means over `means`, inside every level of `by`; p and intervals by
        Tukey; only where `means` is given.
        `comparison`: model, parameters, log_lik, aic, bic, chi2, df, p, converged, singular, bf_bic. Likelihood
        ratio test against the formula in `compare`, and the Bayes factor from BIC.
        `hypotheses`: term, hypothesis, weights; `codes`: factor, contrast, level, position, weight,
        code. What each coefficient is, as in `lmm`, in log odds.
        `observed`: unit, the factors, panel, value. Observed shares of each level of the first group by condition.
        `calibration`: bin, n, predicted, observed, low, high, residual, residual_low, residual_high. Shares by bins of
        equal size in the order of the predicted probability, with a binomial band of 95 % of what is expected.
        `units`: group, unit, term, estimate, se, ci_low, ci_high, panel, effect_of, fixed, effect, effect_low,
        effect_high, effect_panel, in log odds. Random effects of every participant and item with conditional standard
        errors; of a slope also the fixed effect plus that deviation.
        `influence`: group, unit, term, estimate, without, change, change_se, panel. The fixed effects without each
        participant and each item: one step from the estimates of all rows, at their variances and weights. These three
        only where there is one outcome.

    Raises BadInput where the formula cannot be read, the outcome has other than two values, all rows are separated, or
    the model cannot be fitted to the data.

    >>> frame, parameters = binary_example()
    >>> report = glmm(frame, **parameters)
    >>> report.table("fixed").frame()["term"].tolist()
    ['(Intercept)', 'orderba']
    """
    if not 0.5 <= confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")
    if by and not means:
        raise BadInput("by: name with means=… the factors whose means are compared inside every level of by.")
    names = [str(name) for name in frame.columns]
    texts = [formula, *([compare] if compare else [])]
    parsed = [formulas.parse(_with_left(text, outcome), names) for text in texts]
    progress(0.02, "reading the data")
    used = [*outcome, trials, *(column for one in parsed for column in one.columns)]
    chosen = rows.select(
        frame,
        used=used,
        measured=[*outcome, trials, parsed[0].response.column],
        units=parsed[0].groupings,
        where=where,
        keep=keep,
    )
    options = Options(
        frame=chosen.frame,
        formula=formula,
        compare=compare,
        positive=positive,
        trials=trials,
        contrasts=chosen_for(contrasts, parsed),
        uncorrelated=uncorrelated,
        categorical=tuple(categorical),
        order=read_levels(levels, names),
        means=tuple(means),
        by=tuple(by),
        tests=tests,
        confidence=confidence,
        is_single=len(outcome) < 2,
    )
    wanted = tuple(outcome) or (parsed[0].response.column,)
    reports: dict[str, Report] = {}
    refused: dict[str, str] = {}
    for number, name in enumerate(wanted):
        share = 0.98 / len(wanted)

        def watch(count: int, start: float = 0.02 + share * number, size: float = share, what: str = name) -> None:
            progress(start + size * (1 - 0.995**count), f"fitting {what} ({count} evaluations)")

        try:
            reports[name] = _one(options, name if outcome else "", watch=watch)
        except BadInput as fault:
            if len(wanted) == 1:
                raise
            refused[name] = str(fault)
    if not reports:
        raise BadInput(f"No outcome could be analysed. {' '.join(refused.values())}")
    report = joined(reports, refused) if len(wanted) > 1 else next(iter(reports.values()))
    tables = with_holm(report.tables) if len(wanted) > 1 else report.tables
    response = "the outcomes" if len(wanted) > 1 else wanted[0]
    return replace(
        report,
        tables=tables,
        figures=(
            *figures(tables, response=response, confidence=confidence, ordered=tuple(options.order)),
            *report.figures,
        ),
        notes=(*chosen.notes, *report.notes),
        warnings=(
            *chosen.warnings,
            *digits_read_as_numbers(chosen.frame, parsed[0].plain_predictors, categorical=categorical),
            *report.warnings,
        ),
        sentences=sentences(tables),
    )


def _with_left(text: str, outcome: Sequence[str]) -> str:
    """Put an outcome in the place of the left side of a formula, where one is named."""
    if not outcome:
        return text
    left, sign, right = text.partition("~")
    name = outcome[0] if re.fullmatch(r"[^\W\d]\w*", outcome[0]) else f"`{outcome[0]}`"
    return f"{name} ~ {(right if sign else left).strip()}"


def _one(options: Options, name: str, *, watch: Watch) -> Report:
    columns = [str(column) for column in options.frame.columns]
    parsed = formulas.parse(_with_left(options.formula, [name] if name else []), columns)
    other = formulas.parse(_with_left(options.compare, [name] if name else []), columns) if options.compare else None
    if parsed.response.function:
        raise BadInput(
            f"formula: the outcome stands alone left of ~; {parsed.response.text} is a function of it. Write "
            f"{parsed.response.column} ~ …"
        )
    read = outcomes.binary(options.frame, parsed.response.column, positive=options.positive, trials=options.trials)
    model = _fit(options, parsed, read, watch=watch)
    hypotheses = type_three(model)
    tests, otherwise = chosen_tests(model, tests=options.tests)
    tables = [fixed_table(model, confidence=options.confidence), random_table(model, residual=False)]
    tables += [table for table in (correlations_table(model),) if table is not None]
    tables.append(fit_table(model))
    if hypotheses:
        trials = _trials(model.whole, read)
        tables.append(
            type_three_table(
                model,
                hypotheses,
                tests=tests,
                refitted=lambda smaller: fit_of(smaller, trials, watch=watch),
                watch=watch,
            )
        )
    over = named_factors(model, [*options.by, *(n for n in options.means if n not in options.by)], parameter="means")
    if over or few_enough(model):
        found = marginal_means(model, over or factors(model))
        tables.append(means_table(model, found, over=over or factors(model), confidence=options.confidence))
        if over:
            tables.append(comparisons_table(model, found, held=len(options.by), confidence=options.confidence))
    by_f = tests == "f" and bool(hypotheses)
    said = [*otherwise, *warnings(model, hypotheses, outcome=read, by_f=by_f)]
    tables += hypotheses_tables(model, shown=[str(line["term"]) for line in tables[0].lines()], scale=" (log odds)")
    if other is not None:
        lines, more = compared(model, _fit(options, other, read, watch=watch))
        said += more
        tables.append(replace(comparison_table(lines), title="Comparison of models (likelihood ratio)"))
    likelihood = Binomial(model.design.y, _trials(model.design, read))
    tables += observed_means(tables, model.design, over or factors(model), trials=likelihood.trials)
    checks = Shown((), (), ())
    if options.is_single:
        checks = shown_binary(model, likelihood, confidence=options.confidence)
    return Report(
        method="glmm",
        params={},
        tables=(*tables, *checks.tables),
        figures=checks.figures,
        notes=(
            *read.notes,
            *model.whole.variables.notes,
            *notes(model, confidence=options.confidence, by_f=by_f),
            *checks.notes,
        ),
        warnings=(*read.warnings, *said),
        scripts={"brms.R": _script(options, model, read)},
    )


def _script(options: Options, model: Fitted, read: outcomes.Outcome) -> str:
    family = "bernoulli" if read.trials is None else "binomial"
    return brms_script(model.whole, family=family, outcome=read.success, trials=options.trials)


def _fit(options: Options, parsed: Formula, read: outcomes.Outcome, *, watch: Watch) -> Fitted:
    column = parsed.response.column
    data = options.frame.assign(**{column: read.values})
    found = variables.read(data, parsed, categorical=options.categorical, order_of_levels=options.order)
    design = designs.build(
        parsed, found, contrasts=options.contrasts, uncorrelated=options.uncorrelated, residual=False
    )
    trials = _trials(design, read)
    check(design, trials, counts=read.trials is not None)
    return fit_of(design, trials, watch=watch)


def _trials(design: Design, read: outcomes.Outcome) -> Floats:
    return np.ones(len(design.y)) if read.trials is None else read.trials[design.variables.rows]


def _parameters() -> tuple[Parameter, ...]:
    return (
        Parameter(
            "formula",
            "Formula",
            "text",
            help="As in lme4: correct ~ marker*order + (1+order|participant) + (1+order|item).",
            required=True,
        ),
        Parameter(
            "outcome",
            "Outcomes",
            "columns",
            help="Columns that take the place of the left side one after the other, such as code_0,code_1.",
            role="measure",
        ),
        Parameter("positive", "Value that counts as success", "text", help="Such as yes; else 1, true or the second."),
        Parameter("trials", "Number of trials", "column", help="Where the outcome counts successes out of so many."),
        *CODING,
        TESTS,
        COMPARE,
        CONFIDENCE,
        *rows.ROW_PARAMETERS,
    )


METHOD = Method(
    slug="glmm",
    label="Mixed logistic model",
    summary="A binary outcome with crossed random effects of participants and items, equal to glmer (Laplace).",
    function=glmm,
    parameters=_parameters(),
    example=binary_example,
)

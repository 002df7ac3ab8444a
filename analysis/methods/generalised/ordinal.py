"""Declare the method `ordinal`: cumulative logits for ordered categories, with or without random effects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.methods.arrays import Integers
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.generalised.checks.diagnostics import shown_ordinal
from analysis.methods.generalised.estimates.points import Points, values_of
from analysis.methods.generalised.estimates.proportional_odds import NOMINAL, nominal_table
from analysis.methods.generalised.estimates.type_three import ANOVA, TESTS, chosen_tests, type_three_table
from analysis.methods.generalised.example import ordinal_example
from analysis.methods.generalised.likelihoods.answers import Cumulative, start
from analysis.methods.generalised.models.answers import fit_ordered
from analysis.methods.generalised.models.fitted import Fitted, fitted
from analysis.methods.generalised.outcomes import answers as outcomes
from analysis.methods.generalised.reported.thresholds import (
    CATEGORIES,
    MEANS,
    PROBABILITIES,
    THRESHOLDS,
    latent_means_table,
    probabilities_table,
    thresholds_table,
)
from analysis.methods.generalised.wording.answers import notes, warnings
from analysis.methods.mixed.asked import asked
from analysis.methods.mixed.checks.diagnostics import UNITS
from analysis.methods.mixed.design import matrices
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
from analysis.methods.mixed.design.terms import Formula, Variable
from analysis.methods.mixed.estimates.hypotheses import type_three
from analysis.methods.mixed.estimates.likelihood_ratio import compared
from analysis.methods.mixed.estimates.means import Mean
from analysis.methods.mixed.estimates.scales import LOG_ODDS
from analysis.methods.mixed.reported.brms_script import brms_script
from analysis.methods.mixed.reported.declared import ORDINAL, POINTS
from analysis.methods.mixed.reported.figures import figures
from analysis.methods.mixed.reported.meanings import hypotheses_tables
from analysis.methods.mixed.reported.sentences import sentences
from analysis.methods.mixed.reported.tables import comparison_table, estimate_tables, means_tables
from analysis.methods.mixed.settings import CODING, COMPARE, formula_parameter
from analysis.methods.mixed.wording.means import about_means
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput, Report, Table
from analysis.methods.roles import declared
from analysis.methods.wording import counted, listed

FEW = 5
IN_POINTS = replace(LOG_ODDS, mean=POINTS, mean_words="mean")


def ordinal(
    frame: pd.DataFrame,
    *,
    formula: str,
    order: str | None = None,
    contrasts: str = AUTOMATIC,
    categorical: Sequence[str] = (),
    levels: str | None = None,
    means: Sequence[str] = (),
    by: Sequence[str] = (),
    uncorrelated: str = matrices.BY_TERM,
    tests: str = "wald",
    nominal: bool = True,
    compare: str | None = None,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Fit a cumulative logit model: logit P(y ≤ k) = α_k − η, with η = Xβ or, with random terms, Xβ + Zb.

    Without random terms these are the estimates of `MASS::polr` and `ordinal::clm`; with them those of
    `ordinal::clmm` (Laplace), and slopes may vary too. A positive coefficient makes higher categories likelier.
    Categories are numbers in their order, or named in `order`, lowest first.

    Tables: `METHOD`; coefficients, means and random effects are in cumulative log odds. Without random terms `tests=f`
    is `tests=likelihood-ratio`, with a warning.

    Raises BadInput where the formula cannot be read, the measure has no ordered categories, they are separated, or
    there are no F tests because the restricted likelihood has no optimum that could be found.

    >>> frame, parameters = ordinal_example()
    >>> report = ordinal(frame, **parameters)
    >>> report.table("thresholds").frame()["threshold"].tolist()
    ['1|2', '2|3', '3|4']
    """
    question = asked(
        frame, formula=formula, contrasts=contrasts, categorical=categorical, levels=levels, uncorrelated=uncorrelated,
        confidence=confidence, means=means, by=by, compare=compare, where=where, keep=keep, progress=progress,
    )  # fmt: skip
    parsed, other = question.formula, question.compare
    for one in (parsed, *([other] if other else [])):
        _check_left(one, parsed)
    outcome = outcomes.ordered(question.frame, parsed.response.column, order=as_names(order or ()))

    def watch_from(low: float, high: float) -> Callable[[int], None]:
        return lambda count: progress(
            low + (high - low) * (1 - 0.995**count), f"fitting the model ({count} evaluations)"
        )

    def model_of(text: Formula, low: float, high: float) -> tuple[Fitted, Cumulative]:
        # Thresholds are the intercepts, so factors are coded as beside one whatever the formula says.
        whole = replace(text, fixed=replace(text.fixed, intercept=True))
        design = question.design(whole, question.read(whole, outcome.values), residual=False, random=False)
        return fit_ordered(design, levels=outcome.levels, watch=watch_from(low, high))

    fit, likelihood = model_of(parsed, 0.05, 0.4)
    labels = [outcome.levels[place] for place in np.unique(fit.whole.y.astype(np.intp))]
    hypotheses = type_three(fit)
    tables: list[Table] = []
    tests, said = chosen_tests(fit, tests=tests)
    if hypotheses:
        watch = watch_from(0.4, 0.5)
        tables.append(
            type_three_table(
                fit,
                hypotheses,
                tests=tests,
                refitted=lambda smaller: fitted(smaller, likelihood, extra=start(likelihood), watch=watch),
                watch=watch,
            )
        )
    points = Points(fit, values_of(labels))

    def of_means(found: Sequence[Mean], over: Sequence[Variable]) -> list[Table]:
        return [
            latent_means_table(fit, found, over=over, points=points, confidence=confidence),
            probabilities_table(fit, found, over=over, labels=labels, confidence=confidence),
        ]

    tables += means_tables(fit, means=means, by=by, confidence=confidence, of_means=of_means, outcome=points)[0]
    said += about_means(fit, tables, means=means, by=by)
    tables += estimate_tables(fit, confidence=confidence, intercept=False)
    tables.append(thresholds_table(fit, labels=labels, confidence=confidence))
    by_f = tests == "f" and bool(hypotheses)
    said += warnings(fit, hypotheses, outcome=outcome, ordered=True, by_f=by_f)
    if nominal and hypotheses and len(labels) > 2:
        checked, more = nominal_table(fit, likelihood, watch=watch_from(0.5, 0.7))
        tables.append(checked)
        said += more
    counts = np.bincount(likelihood.category, minlength=len(labels))
    tables.append(CATEGORIES.of(pd.DataFrame({"category": labels, "n": counts, "share": counts / counts.sum()})))
    said += _few_answers(labels, counts)

    if other is not None:
        against = model_of(other, 0.7, 0.95)[0]
        lines, more = compared(fit, against)
        said += more
        tables.append(comparison_table(lines))
    tables += hypotheses_tables(fit, shown=fit.names[1:], scale=" (cumulative log odds)")
    checks = shown_ordinal(fit, confidence=confidence)
    drawn = figures(tables, response=parsed.response.text, scale=IN_POINTS, confidence=confidence)
    return Report(
        tables=(*tables, *checks.tables),
        figures=(*drawn, *checks.figures),
        notes=(
            *question.notes,
            *outcome.notes,
            *fit.whole.variables.notes,
            f"logit P(y ≤ k) = α_k − η: a positive coefficient makes higher categories likelier. Categories, lowest "
            f"first: {', '.join(labels)}.",
            *notes(fit, confidence=confidence, ordered=True, by_f=by_f),
        ),
        warnings=(*question.warnings, *outcome.warnings, *said),
        sentences=sentences(tables, confidence=confidence),
        design=question.layout,
        scripts={"brms.R": brms_script(fit.whole, family="cumulative", outcome=labels)} if fit.design.groups else {},
    )


def _check_left(formula: Formula, first: Formula) -> None:
    if formula.response.function:
        raise BadInput(
            f"formula: the measure stands alone left of ~; {formula.response.text} is a function of it. Write "
            f"{formula.response.column} ~ …"
        )
    if formula.response.column != first.response.column:
        raise BadInput(f"compare: '{formula.text}' has another measure; only the terms may differ.")


def _few_answers(labels: Sequence[str], counts: Integers) -> list[str]:
    few = [
        f"{label} ({counted(int(count), 'time')})" for label, count in zip(labels, counts, strict=True) if count < FEW
    ]
    if not few:
        return []
    return [
        f"Some categories were hardly chosen: {listed(few)}. Their thresholds are hardly known; consider merging them "
        f"with a neighbour."
    ]


METHOD = declared(
    "ordinal",
    "Ordinal regression (cumulative logits)",
    "Ordered categories such as Likert ratings, with or without random effects, equal to clm and clmm.",
    ordinal,
    formula_parameter(
        "As in lme4: rating ~ marker*order + (1+order|participant) + (1|item); random terms may be left out.",
    ),
    Parameter("order", "Order of categories", "text", help="Lowest first, such as never,sometimes,always."),
    *CODING,
    TESTS,
    Parameter(
        "nominal",
        "Check proportional odds",
        "boolean",
        help="Fits one more model per term, in which its effect may differ between thresholds.",
    ),
    COMPARE,
    group="compare",
    question=(
        "Does {measure} depend on {factors}? Ordinal model",
        "How much does {measure} vary between participants and items? Ordinal model",
        "Do points on a scale depend on the condition? Ordinal model",
    ),
    needs=("answers",),
    example=ordinal_example,
    tables=(
        *replace(ORDINAL, means=MEANS).tables(ANOVA),
        *(PROBABILITIES, THRESHOLDS, NOMINAL, CATEGORIES, UNITS),
    ),
)

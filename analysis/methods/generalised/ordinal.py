"""The method `ordinal`: cumulative logits for ordered categories, with or without random effects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.methods.arrays import Integers
from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.generalised.checks.diagnostics import shown_ordinal
from analysis.methods.generalised.estimates.proportional_odds import nominal_table
from analysis.methods.generalised.estimates.type_three import TESTS, chosen_tests, type_three_table
from analysis.methods.generalised.example import ordinal_example
from analysis.methods.generalised.likelihoods.answers import Cumulative, start
from analysis.methods.generalised.models.answers import fit_ordered
from analysis.methods.generalised.models.fitted import Fitted, fitted
from analysis.methods.generalised.outcomes import answers as outcomes
from analysis.methods.generalised.reported.thresholds import latent_means_table, probabilities_table, thresholds_table
from analysis.methods.generalised.wording.answers import notes, warnings
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC, chosen_for
from analysis.methods.mixed.design.levels import read_levels
from analysis.methods.mixed.design.terms import Formula, Variable
from analysis.methods.mixed.estimates.hypotheses import type_three
from analysis.methods.mixed.estimates.likelihood_ratio import compared
from analysis.methods.mixed.estimates.means import Mean
from analysis.methods.mixed.estimates.scales import LOG_ODDS
from analysis.methods.mixed.reported.brms_script import brms_script
from analysis.methods.mixed.reported.figures import figures
from analysis.methods.mixed.reported.meanings import hypotheses_tables
from analysis.methods.mixed.reported.sentences import sentences
from analysis.methods.mixed.reported.tables import comparison_table, estimate_tables, means_tables
from analysis.methods.mixed.settings import CODING, COMPARE
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput, Column, Report, Table
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.read_as import digits_read_as_numbers
from analysis.methods.wording import counted, listed

FEW = 5


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

    Tables:
        `thresholds`: threshold, estimate, se, z, ci_low, ci_high. The α_k, named as `1|2`.
        `fixed`: term, estimate, se, z, p, ci_low, ci_high, odds_ratio, or_low, or_high, meaning, in cumulative log
        odds.
        `random`: group, term, sd, var, corr; `correlations`: group, term_a, term_b, corr. Only with random terms.
        `fit`: log_lik, deviance, aic, bic, n, converged, singular, criterion, parameters, r2_marginal,
        r2_conditional.
        `anova`: effect, df, chi2, p, test. Tests of type III: Wald, or likelihood ratios against the model without the
        term in sum coding (`tests=likelihood-ratio`). With `tests=f` also df2, f: F tests by restricted likelihood
        with Satterthwaite's degrees of freedom; `df` is that of the numerator then. Without random terms `tests=f` is
        `tests=likelihood-ratio`, with a warning.
        `nominal`: effect, df, chi2, p. Whether an effect differs between thresholds: likelihood ratio of the model in
        which it may (the check of proportional odds); left out with `nominal=false`.
        `categories`: category, n, share. How often each was chosen.
        `means`: the factors, mean, se, ci_low, ci_high. Estimated marginal means of η minus the mean of the
        thresholds; `probabilities`: the factors, category, probability, probability_low, probability_high, at those
        means and for people and items with average effects.
        `comparisons`: by, a, b, mean_a, mean_b, diff, se, z, p, ci_low, ci_high, odds_ratio, or_low, or_high, p_holm,
        p_unadjusted, k, comparison; only where `means` is given.
        `comparison`: model, parameters, log_lik, aic, bic, chi2, df, p, converged, singular, bf_bic. Likelihood
        ratio test against the formula in `compare`, and the Bayes factor from BIC.
        `hypotheses`: term, hypothesis, weights; `codes`: factor, contrast, level, position, weight,
        code. What each coefficient is, as in `lmm`, in cumulative log odds.
        `units`: group, unit, term, estimate, se, ci_low, ci_high, panel, effect_of, fixed, effect, effect_low,
        effect_high, effect_panel, in cumulative log odds. Random effects of every participant and item with
        conditional standard errors; of a slope also the fixed effect plus that deviation.

    Raises BadInput where the formula cannot be read, the measure has no ordered categories, they are separated, or
    there are no F tests because the restricted likelihood has no optimum that could be found.

    >>> frame, parameters = ordinal_example()
    >>> report = ordinal(frame, **parameters)
    >>> report.table("thresholds").frame()["threshold"].tolist()
    ['1|2', '2|3', '3|4']
    """
    check_confidence(confidence)
    if by and not means:
        raise BadInput("by: name with means=… the factors whose means are compared inside every level of by.")
    names = [str(name) for name in frame.columns]
    parsed = formulas.parse(formula, names)
    other = formulas.parse(compare, names) if compare else None
    for one in (parsed, *([other] if other else [])):
        _check_left(one, parsed)
    progress(0.02, "reading the data")
    used = [*parsed.columns, *(other.columns if other else ())]
    chosen = rows.select(
        frame, used=used, measured=[parsed.response.column], units=parsed.groupings, where=where, keep=keep
    )
    outcome = outcomes.ordered(chosen.frame, parsed.response.column, order=as_names(order or ()))
    level_order = read_levels(levels, names)
    asked = chosen_for(contrasts, [parsed, *([other] if other else [])])

    def watch_from(low: float, high: float) -> Callable[[int], None]:
        return lambda count: progress(
            low + (high - low) * (1 - 0.995**count), f"fitting the model ({count} evaluations)"
        )

    def model_of(text: Formula, low: float, high: float) -> tuple[Fitted, Cumulative]:
        # Thresholds are the intercepts, so factors are coded as beside one whatever the formula says.
        whole = replace(text, fixed=replace(text.fixed, intercept=True))
        data = chosen.frame.assign(**{text.response.column: outcome.values})
        read = variables.read(data, whole, categorical=categorical, order_of_levels=level_order)
        design = matrices.build(whole, read, contrasts=asked, uncorrelated=uncorrelated, residual=False, random=False)
        return fit_ordered(design, levels=outcome.levels, watch=watch_from(low, high))

    fit, likelihood = model_of(parsed, 0.05, 0.4)
    labels = [outcome.levels[place] for place in np.unique(fit.whole.y.astype(np.intp))]
    hypotheses = type_three(fit)
    tables = [thresholds_table(fit, labels=labels, confidence=confidence)]
    tables += estimate_tables(fit, confidence=confidence, intercept=False)
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
    by_f = tests == "f" and bool(hypotheses)
    said += warnings(fit, hypotheses, outcome=outcome, ordered=True, by_f=by_f)
    if nominal and hypotheses and len(labels) > 2:
        checked, more = nominal_table(fit, likelihood, watch=watch_from(0.5, 0.7))
        tables.append(checked)
        said += more
    counts = np.bincount(likelihood.category, minlength=len(labels))
    tables.append(_categories_table(labels, counts))
    said += _few_answers(labels, counts)

    def of_means(found: Sequence[Mean], over: Sequence[Variable]) -> list[Table]:
        return [
            latent_means_table(fit, found, over=over, confidence=confidence),
            probabilities_table(fit, found, over=over, labels=labels, confidence=confidence),
        ]

    tables += means_tables(fit, means=means, by=by, confidence=confidence, of_means=of_means)[0]
    if other is not None:
        against = model_of(other, 0.7, 0.95)[0]
        lines, more = compared(fit, against)
        said += more
        tables.append(comparison_table(lines))
    tables += hypotheses_tables(fit, shown=fit.names[1:], scale=" (cumulative log odds)")
    checks = shown_ordinal(fit, confidence=confidence)
    drawn = figures(tables, response=parsed.response.text, scale=LOG_ODDS, confidence=confidence)
    return Report(
        tables=(*tables, *checks.tables),
        figures=(*drawn, *checks.figures),
        notes=(
            *chosen.notes,
            *outcome.notes,
            *fit.whole.variables.notes,
            f"logit P(y ≤ k) = α_k − η: a positive coefficient makes higher categories likelier. Categories, lowest "
            f"first: {', '.join(labels)}.",
            *notes(fit, confidence=confidence, ordered=True, by_f=by_f),
        ),
        warnings=(
            *chosen.warnings,
            *digits_read_as_numbers(chosen.frame, parsed.plain_predictors, categorical=categorical),
            *outcome.warnings,
            *said,
        ),
        sentences=sentences(tables),
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


def _categories_table(labels: Sequence[str], counts: Integers) -> Table:
    columns = (Column("category", "Category", "text"), Column("n", "n", "integer"), Column("share", "Share", "share"))
    lines = [
        {"category": label, "n": int(count), "share": float(count / counts.sum())}
        for label, count in zip(labels, counts, strict=True)
    ]
    return Table.from_rows("categories", "Answers", columns, lines)


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
    Parameter(
        "formula",
        "Formula",
        "text",
        help="As in lme4: rating ~ marker*order + (1+order|participant) + (1|item); random terms may be left out.",
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
    example=ordinal_example,
)

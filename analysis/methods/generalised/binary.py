"""The method `glmm`: mixed models of yes and no, counts and times, equal to `glmer` and `glmmTMB` (Laplace)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.generalised.estimates.type_three import TESTS
from analysis.methods.generalised.example import binary_example
from analysis.methods.generalised.reported.several import joined
from analysis.methods.generalised.single import Options, report_on, with_left
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC, chosen_for
from analysis.methods.mixed.design.levels import read_levels
from analysis.methods.mixed.design.terms import random_text
from analysis.methods.mixed.estimates.scales import (
    BINOMIAL,
    COUNTS,
    GAMMA,
    IDENTITY,
    INVERSE_GAUSSIAN,
    LOG,
    NEGATIVE_BINOMIAL,
    POISSON,
    TIMES,
    scale_of,
)
from analysis.methods.mixed.random_effects import reduction
from analysis.methods.mixed.reported.figures import figures
from analysis.methods.mixed.reported.sentences import sentences
from analysis.methods.mixed.settings import CODING, COMPARE, REDUCE
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.read_as import digits_read_as_numbers

AUTOMATIC_LINK = "automatic"


def glmm(
    frame: pd.DataFrame,
    *,
    formula: str,
    family: str = BINOMIAL,
    link: str = AUTOMATIC_LINK,
    outcome: Sequence[str] = (),
    positive: str | None = None,
    trials: str | None = None,
    exposure: str | None = None,
    contrasts: str = AUTOMATIC,
    categorical: Sequence[str] = (),
    levels: str | None = None,
    means: Sequence[str] = (),
    by: Sequence[str] = (),
    uncorrelated: str = matrices.BY_TERM,
    tests: str = "wald",
    compare: str | None = None,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    reduce: str = reduction.NONE,
    progress: Progress = no_progress,
) -> Report:
    """Fit a mixed model of yes and no, counts or times, given in lme4's syntax.

    With `family=binomial` the left side of `formula` is a column of two values (0 and 1, true and false, or any two;
    `positive` names the one that counts as success), or counts of successes out of `trials`. With poisson (variance μ)
    and negative-binomial (variance μ + μ²/θ) it is whole numbers from 0 on, whose means are rates per unit of
    `exposure` where that is given; with gamma (variance φμ²) and inverse-gaussian (variance φμ³) positive numbers. The
    `link` is logit, log, or for the last two also identity. `reduce` chooses random effects as in `lmm`.

    `outcome` names columns that take the place of
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
        `steps`: as in `lmm`, only where `reduce` is not none.
        `observed`: unit, the factors, panel, value. Observed shares of each level of the first group by condition.
        `calibration`: bin, n, predicted, observed, low, high, residual, residual_low, residual_high. Shares by bins of
        equal size in the order of the predicted probability, with a binomial band of 95 % of what is expected.
        `units`: group, unit, term, estimate, se, ci_low, ci_high, panel, effect_of, fixed, effect, effect_low,
        effect_high, effect_panel, in log odds. Random effects of every participant and item with conditional standard
        errors; of a slope also the fixed effect plus that deviation.
        `influence`: group, unit, term, estimate, without, change, change_se, panel. The fixed effects without each
        participant and each item: one step from the estimates of all rows, at their variances and weights. These three
        only where there is one outcome.

    With the other families log odds are log counts or log units (with the identity link those of the outcome);
    odds_ratio, or_low, or_high are rate_ratio, rr_low, rr_high of counts and mean_ratio, mr_low, mr_high of times (none
    with the identity link); probability and its columns are expected, expected_se, expected_low, expected_high; `fit`
    has no R², and instead of `calibration` there are
        `dispersion`: parameter, estimate, ci_low, ci_high, and of counts pearson, df, ratio, chi2, p. θ or φ, Pearson's
        χ² given the random effects with n minus the number of parameters, and the likelihood ratio of the negative
        binomial against the Poisson model (p halved, as θ is at the edge of its range).
        `frequencies` (counts): count, value, observed, expected, low, high. How many rows have every count.

    Raises BadInput where the formula cannot be read, the outcome is none of its family, all rows are separated, or
    the model cannot be fitted to the data.

    >>> frame, parameters = binary_example()
    >>> report = glmm(frame, **parameters)
    >>> report.table("fixed").frame()["term"].tolist()
    ['(Intercept)', 'orderba']
    """
    check_confidence(confidence)
    if by and not means:
        raise BadInput("by: name with means=… the factors whose means are compared inside every level of by.")
    names = [str(name) for name in frame.columns]
    texts = [formula, *([compare] if compare else [])]
    parsed = [formulas.parse(with_left(text, outcome), names) for text in texts]
    progress(0.02, "reading the data")
    _check_columns(family, positive=positive, trials=trials, exposure=exposure)
    if reduce != reduction.NONE and compare and set(parsed[1].random) != set(parsed[0].random):
        raise BadInput(
            f"compare: with reduce={reduce} the other formula has the random effects that are chosen, so give it "
            f"those of the formula: {random_text(parsed[0])}."
        )
    used = [*outcome, trials, exposure, *(column for one in parsed for column in one.columns)]
    chosen = rows.select(
        frame,
        used=used,
        measured=[*outcome, trials, exposure, parsed[0].response.column],
        units=parsed[0].groupings,
        where=where,
        keep=keep,
    )
    options = Options(
        frame=chosen.frame,
        formula=formula,
        compare=compare,
        family=family,
        link=_link(family, link),
        positive=positive,
        trials=trials,
        exposure=exposure,
        contrasts=chosen_for(contrasts, parsed),
        uncorrelated=uncorrelated,
        categorical=tuple(categorical),
        order=read_levels(levels, names),
        means=tuple(means),
        by=tuple(by),
        tests=tests,
        reduce=reduce,
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
            reports[name] = report_on(options, name if outcome else "", watch=watch)
        except BadInput as fault:
            if len(wanted) == 1:
                raise
            refused[name] = str(fault)
    if not reports:
        raise BadInput(f"No outcome could be analysed. {' '.join(refused.values())}")
    report = joined(reports, refused) if len(wanted) > 1 else next(iter(reports.values()))
    response = "the outcomes" if len(wanted) > 1 else wanted[0]
    return replace(
        report,
        figures=(
            *figures(
                report.tables,
                response=response,
                confidence=confidence,
                ordered=tuple(options.order),
                scale=scale_of(family, options.link),
            ),
            *report.figures,
        ),
        notes=(*chosen.notes, *report.notes),
        warnings=(
            *chosen.warnings,
            *_left_side_unused(formula, outcome, names),
            *digits_read_as_numbers(chosen.frame, parsed[0].plain_predictors, categorical=categorical),
            *report.warnings,
        ),
        sentences=(*sentences(report.tables), *report.sentences),
    )


def _left_side_unused(formula: str, outcome: Sequence[str], names: Sequence[str]) -> list[str]:
    """Say where the measure of the formula is none of the outcomes, so that it is not analysed."""
    left = formula.partition("~")[0].strip().strip("`") if outcome and "~" in formula else ""
    if not left or left in outcome:
        return []
    more = f": add it to them (outcome={left},{','.join(outcome)})" if left in names else ""
    return [
        f"{left}, left of ~ in the formula, was not analysed, because the columns in outcome take its place. "
        f"If it is an outcome too{more or ', name its column there'}."
    ]


def _link(family: str, asked: str) -> str:
    """Return the link of a family: the one that is asked for, else its usual one.

    Raises BadInput where a family has no such link.
    """
    usual = LOG if family != BINOMIAL else "logit"
    allowed = (LOG, IDENTITY) if family in TIMES else (usual,)
    if asked == AUTOMATIC_LINK:
        return usual
    if asked not in allowed:
        raise BadInput(
            f"link: family={family} has the link {' or '.join(allowed)} here, not {asked}. Leave link at automatic."
        )
    return asked


def _check_columns(family: str, *, positive: str | None, trials: str | None, exposure: str | None) -> None:
    """Refuse what another family would need: it would go unused."""
    for name, given, families, what in (
        ("positive", positive, (BINOMIAL,), "an outcome of two values"),
        ("trials", trials, (BINOMIAL,), "counts of successes out of so many"),
        ("exposure", exposure, COUNTS, "counts without a largest one"),
    ):
        if given and family not in families:
            raise BadInput(
                f"{name}: it belongs to {what} (family={' or '.join(families)}), and family={family} makes nothing of "
                f"it. Leave it out, or give the other family."
            )


METHOD = declared(
    "glmm",
    "Mixed logistic and count model",
    "Yes and no, counts or times with crossed random effects of participants and items, equal to glmer and "
    "glmmTMB (Laplace).",
    glmm,
    Parameter(
        "formula",
        "Formula",
        "text",
        help="As in lme4: correct ~ marker*order + (1+order|participant) + (1+order|item).",
    ),
    Parameter(
        "family",
        "Family of the outcome",
        "choice",
        help="What single values are: binomial for yes and no, poisson and negative-binomial for counts, gamma and "
        "inverse-gaussian for times.",
        choices=(BINOMIAL, POISSON, NEGATIVE_BINOMIAL, GAMMA, INVERSE_GAUSSIAN),
        words=(
            "binomial: it happened or not, or so often out of so many trials",
            "Poisson: counts that vary as single events by chance do",
            "negative binomial: counts that vary more than that",
            "gamma: times whose standard deviation grows with their mean",
            "inverse Gaussian: times that scatter even more where they are long",
        ),
    ),
    Parameter(
        "link",
        "Link",
        "choice",
        help="automatic: logit for binomial, else log. Gamma and inverse Gaussian times also have identity, with "
        "coefficients in the units of the times.",
        choices=(AUTOMATIC_LINK, "logit", LOG, IDENTITY),
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
    Parameter(
        "exposure",
        "Exposure",
        "column",
        help="For counts: how long or how much was counted, such as words read. Means are then rates per unit.",
    ),
    *CODING,
    TESTS,
    COMPARE,
    REDUCE,
    example=binary_example,
)

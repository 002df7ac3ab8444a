"""Declare the method `glmm`: mixed models of yes and no, counts and times, equal to `glmer` and `glmmTMB`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.generalised.checks.diagnostics import FREQUENCIES
from analysis.methods.generalised.checks.dispersion import DISPERSION
from analysis.methods.generalised.estimates.type_three import ANOVA, TESTS
from analysis.methods.generalised.example import binary_example
from analysis.methods.generalised.reported.several import joined, with_outcomes
from analysis.methods.generalised.single import Options, report_on, with_left
from analysis.methods.logistic.calibration import CALIBRATION
from analysis.methods.mixed.asked import Asked, asked
from analysis.methods.mixed.checks.diagnostics import UNITS
from analysis.methods.mixed.checks.influence import INFLUENCE
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
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
from analysis.methods.mixed.reported.compared_words import unit_of
from analysis.methods.mixed.reported.declared import GENERALISED, OBSERVED, STEPS
from analysis.methods.mixed.reported.figures import figures
from analysis.methods.mixed.reported.sentences import sentences
from analysis.methods.mixed.settings import CODING, COMPARE, REDUCE, formula_parameter
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import declared

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

    `outcome` names columns that take the place of the left side one after the other, such as the codes of recalls;
    every table then has a column `outcome`, and `fixed` and `anova` have p_outcomes, Holm's p over the outcomes of the
    same line. The left side may be left out then: `~ order + (1 | participant)`.

    Tables: `METHOD`. Coefficients, random effects and means are in log odds; with the other families in log counts or
    log units, and with the identity link in the units of the outcome. The ratios are odds ratios, rate ratios of counts
    and mean ratios of times (none with the identity link); probabilities are expected counts or values. Single people
    and items are shown where there is one outcome.

    Raises BadInput where the formula cannot be read, the outcome is none of its family, all rows are separated, or
    the model cannot be fitted to the data.

    >>> frame, parameters = binary_example()
    >>> report = glmm(frame, **parameters)
    >>> report.table("fixed").frame()["term"].tolist()
    ['(Intercept)', 'orderba']
    """
    names = [str(name) for name in frame.columns]
    _check_columns(family, positive=positive, trials=trials, exposure=exposure)
    question = asked(
        frame, formula=with_left(formula, outcome), contrasts=contrasts, categorical=categorical, levels=levels,
        uncorrelated=uncorrelated, confidence=confidence, means=means, by=by,
        compare=with_left(compare, outcome) if compare else None, where=where, keep=keep, progress=progress,
        reduce=reduce, measured=[*outcome, trials, exposure],
    )  # fmt: skip
    options = Options(
        family=family,
        link=_link(family, link),
        positive=positive,
        trials=trials,
        exposure=exposure,
        tests=tests,
        is_single=len(outcome) < 2,
    )

    def of_outcome(name: str) -> Asked:
        texts = (with_left(text, [name] if outcome else []) for text in (formula, compare) if text)
        parsed = [formulas.parse(text, names) for text in texts]
        return replace(question, formula=parsed[0], compare=parsed[1] if compare else None)

    wanted = tuple(outcome) or (question.formula.response.column,)
    reports: dict[str, Report] = {}
    refused: dict[str, str] = {}
    for number, name in enumerate(wanted):
        share = 0.98 / len(wanted)

        def watch(count: int, start: float = 0.02 + share * number, size: float = share, what: str = name) -> None:
            progress(start + size * (1 - 0.995**count), f"fitting {what} ({count} evaluations)")

        try:
            reports[name] = report_on(options, of_outcome(name), watch=watch)
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
                ordered=tuple(question.levels),
                scale=scale_of(family, options.link),
            ),
            *report.figures,
        ),
        notes=(*question.notes, *report.notes),
        warnings=(*question.warnings, *_left_side_unused(formula, outcome, names), *report.warnings),
        sentences=(
            *sentences(report.tables, confidence=confidence, unit=_unit(family, question, outcome)),
            *report.sentences,
        ),
        design=question.layout,
    )


def _unit(family: str, question: Asked, outcome: Sequence[str]) -> str:
    return unit_of(question.formula.response) if family in TIMES and len(outcome) < 2 else ""


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
    formula_parameter(
        "As in lme4: correct ~ marker*order + (1+order|participant) + (1+order|item).",
    ),
    Parameter(
        "family",
        "Family of the outcome",
        "choice",
        help="The distribution of single values: binomial for yes and no, poisson and negative-binomial for "
        "counts, gamma and inverse-gaussian for times.",
        choices=(BINOMIAL, POISSON, NEGATIVE_BINOMIAL, GAMMA, INVERSE_GAUSSIAN),
        words=(
            "binomial: it happened or not, or how often it happened out of a number of trials",
            "Poisson: counts of independent events",
            "negative binomial: counts that vary more than Poisson counts",
            "gamma: times whose standard deviation grows with their mean",
            "inverse Gaussian: times whose standard deviation grows even faster",
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
        help="Columns that replace the left side one after the other, such as code_0,code_1.",
        role="measure",
    ),
    Parameter(
        "positive", "Value that counts as success", "text", help="Such as yes; if empty, 1, true or the second value."
    ),
    Parameter(
        "trials", "Number of trials", "column", help="For an outcome that counts successes out of a number of trials."
    ),
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
    group="compare",
    question=(
        "Does {measure} depend on {factors}? Mixed logistic model",
        "How much does {measure} vary between participants and items? Mixed logistic model",
        "Does a yes/no answer, a count or a time depend on the condition? Generalised mixed model",
    ),
    needs=("answers",),
    example=binary_example,
    tables=(
        *map(with_outcomes, (*GENERALISED.tables(ANOVA), DISPERSION, STEPS, OBSERVED)),
        *(CALIBRATION, FREQUENCIES, UNITS, INFLUENCE),
    ),
)

"""Tests of type III of a generalised linear mixed model: Wald, likelihood ratio, or F by restricted likelihood."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from analysis.methods.declarations import Parameter
from analysis.methods.generalised.estimates.restricted import Restricted, restricted_fit
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.mixed.design import matrices
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.estimates.hypotheses import Hypothesis
from analysis.methods.mixed.estimates.likelihood_ratio import ratio_test
from analysis.methods.mixed.fitting.stationary import Watch
from analysis.methods.report import Column, Table

ANOVA = (
    Column("effect", "Effect", "text"),
    Column("df", "df", "df"),
    Column("chi2", "χ²", "statistic"),
    Column("p", "p", "p"),
    Column("test", "Test", "text"),
)
OF_F = (Column("df2", "df2", "df"), Column("f", "F", "statistic"))
TESTS = Parameter(
    "tests",
    "Tests of effects",
    "choice",
    help="wald: from the standard errors; likelihood-ratio: the model is fitted once more without each term; "
    "f: by restricted likelihood with Satterthwaite's degrees of freedom, for dozens of people and items.",
    choices=("wald", "likelihood-ratio", "f"),
)


def chosen_tests(model: Fitted, *, tests: str) -> tuple[str, list[str]]:
    """Return how effects are tested, and a warning where that is not what was asked for."""
    if tests != "f" or model.optimum.places:
        return tests, []
    return "likelihood-ratio", [
        "tests=f: F tests take account of variances that have to be estimated, and without random terms there are "
        "none; effects were tested by likelihood ratio."
    ]


def type_three_table(
    model: Fitted,
    hypotheses: Sequence[Hypothesis],
    *,
    tests: str,
    refitted: Callable[[Design], Fitted],
    watch: Watch,
) -> Table:
    """Return the tests of all terms: `wald` or `f` where there are finite estimates, else likelihood ratios.

    `refitted` fits the same outcome to a design over all rows that lacks a term.

    Raises BadInput where there are no F tests because no optimum was found.
    """
    lines = []
    by_f = restricted_fit(model, watch=watch) if tests == "f" else None
    for hypothesis, smaller in zip(hypotheses, without_each(model.whole), strict=True):
        infinite = model.is_limit and hypothesis.lost > 0
        if by_f is not None and not infinite:
            lines.append(_f_line(by_f, hypothesis))
            continue
        if tests == "wald" and not infinite:
            lines.append(_wald_line(model, hypothesis))
            continue
        lines.append(_ratio_line(hypothesis.effect, model, refitted(smaller)))
    columns = ANOVA if by_f is None else (*ANOVA, *OF_F)
    return Table.from_rows("anova", "Tests of the fixed effects (type III)", columns, lines)


def without_each(whole: Design) -> list[Design]:
    """Return the design without each of its terms, whose columns are those of sum coding."""
    coded = matrices.matrix(whole.formula.fixed, whole.variables.predictors, contrasts="sum", n=len(whole.y))
    found = []
    for number in range(len(coded.terms)):
        left = [place for place, assigned in enumerate(coded.assign) if assigned != number]
        smaller = replace(
            coded,
            values=coded.values[:, left],
            names=tuple(coded.names[place] for place in left),
            assign=tuple(coded.assign[place] for place in left),
        )
        found.append(replace(whole, fixed=smaller))
    return found


def _wald_line(fit: Fitted, hypothesis: Hypothesis) -> dict[str, Any]:
    """Return the Wald test of one effect; where nothing can be estimated, it has none."""
    line: dict[str, Any] = {"effect": hypothesis.effect}
    if len(hypothesis.contrasts):
        line |= dict(zip(("df", "chi2", "p"), fit.chi_square_test(hypothesis.contrasts), strict=True))
        line["test"] = "Wald"
    return line


def _f_line(tests: Restricted, hypothesis: Hypothesis) -> dict[str, Any]:
    """Return the F test of one effect; the Wald test that it is where its degrees of freedom are infinite."""
    line: dict[str, Any] = {"effect": hypothesis.effect}
    if not len(hypothesis.contrasts):
        return line
    df, df2, f, p = tests.f_test(hypothesis.contrasts)
    if math.isinf(df2):
        return {**line, "df": df, "chi2": df * f, "p": p, "test": "Wald"}
    return {**line, "df": df, "df2": df2, "f": f, "p": p, "test": "F"}


def _ratio_line(effect: str, model: Fitted, without: Fitted) -> dict[str, Any]:
    """Return the likelihood ratio of the model without the columns that a term has in sum coding."""
    df = model.parameters - without.parameters
    if df <= 0:
        return {"effect": effect}
    return {"effect": effect, **ratio_test(without.criterion - model.criterion, df), "test": "likelihood ratio"}

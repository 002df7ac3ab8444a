"""Compute type III tests of a generalised mixed model: Wald, likelihood ratio, or F by restricted likelihood."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from analysis.methods.columns import declared_table, usual
from analysis.methods.declarations import Parameter
from analysis.methods.generalised.estimates.restricted import Restricted, restricted_fit
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.mixed.design import matrices
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.estimates.hypotheses import Hypothesis
from analysis.methods.mixed.estimates.likelihood_ratio import ratio_test
from analysis.methods.mixed.fitting.stationary import Watch
from analysis.methods.report import Column, Table

ANOVA = declared_table(
    "anova",
    "Tests of the fixed effects (type III)",
    "One row per effect: Wald tests, likelihood ratios against the model without the term in sum coding (also of an "
    "effect without finite estimates), or F tests by restricted likelihood.",
    "effect",
    usual("df", meaning="Degrees of freedom of the effect."),
    usual("chi2", meaning="None with an F test."),
    "p",
    Column("test", "Test", "text", meaning="Which test it is."),
    usual("df2", meaning="Satterthwaite's degrees of freedom."),
    usual("f", meaning="None where degrees of freedom are infinite, as without any variance between people and items."),
    optional="df2 f",
    when="where the formula has fixed effects",
)
TESTS = Parameter(
    "tests",
    "Tests of effects",
    "choice",
    help="wald: from the standard errors; likelihood-ratio: the model is fitted again without each term; f: by "
    "restricted likelihood with Satterthwaite's degrees of freedom, for a few dozen people and items.",
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
        line: dict[str, Any] = {"effect": hypothesis.effect, **({} if by_f is None else {"df2": None, "f": None})}
        if infinite or tests == "likelihood-ratio":
            line |= _ratio(model, refitted(smaller))
        elif len(hypothesis.contrasts):
            line |= _wald(model, hypothesis) if by_f is None else _f(by_f, hypothesis)
        lines.append(line)
    return ANOVA.of(lines)


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


def _wald(fit: Fitted, hypothesis: Hypothesis) -> dict[str, Any]:
    df, chi2, p = fit.chi_square_test(hypothesis.contrasts)
    return {"df": df, "chi2": chi2, "p": p, "test": "Wald"}


def _f(tests: Restricted, hypothesis: Hypothesis) -> dict[str, Any]:
    """Return the F test of one effect; the Wald test that it is where its degrees of freedom are infinite."""
    df, df2, f, p = tests.f_test(hypothesis.contrasts)
    if math.isinf(df2):
        return {"df": df, "chi2": df * f, "p": p, "test": "Wald"}
    return {"df": df, "df2": df2, "f": f, "p": p, "test": "F"}


def _ratio(model: Fitted, without: Fitted) -> dict[str, Any]:
    """Return the likelihood ratio of the model without the columns that a term has in sum coding."""
    df = model.parameters - without.parameters
    return {**ratio_test(without.criterion - model.criterion, df), "test": "likelihood ratio"} if df > 0 else {}

"""Fitting mixed logistic models: to the rows that decide, and without each term for likelihood ratios."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.generalised.finite import undecided
from analysis.methods.generalised.fitted import Fitted, fitted, restricted
from analysis.methods.generalised.likelihoods import Binomial
from analysis.methods.generalised.optimise import Optimum
from analysis.methods.generalised.restricted import Restricted, restricted_fit
from analysis.methods.generalised.tables import ANOVA, OF_F, wald_line
from analysis.methods.mixed import design as designs
from analysis.methods.mixed.crossproducts import independent
from analysis.methods.mixed.design import Design
from analysis.methods.mixed.hypotheses import Hypothesis
from analysis.methods.report import BadInput, Table

Watch = Callable[[int], None]


def check(design: Design, trials: Floats, *, counts: bool) -> None:
    """Refuse an outcome that never varies, and groups of single answers."""
    total, name = float(design.y.sum()), design.formula.response.text
    if total == 0 or total == float(trials.sum()):
        what = "never" if total == 0 else "always"
        raise BadInput(
            f"'{name}' {what} occurred in the {len(design.y):,} rows that can be analysed, so there is nothing to "
            f"explain; analyse another outcome or check the data."
        )
    for group in design.groups:
        if not counts and len(group.levels) >= len(design.y):
            raise BadInput(
                f"'{group.name}' has {len(group.levels):,} levels in {len(design.y):,} rows of one answer each; its "
                f"effects cannot be told from the answers themselves. Take its random term out of the formula."
            )


def fit_of(design: Design, trials: Floats, *, watch: Watch, near: Optimum | None = None) -> Fitted:
    """Fit the rows whose outcome the fixed effects leave open, `near` another optimum (see `optimise.fit`)."""
    still = undecided(design.fixed.values, design.y, trials)
    if still.all():
        return fitted(design, Binomial(design.y, trials), near=near, watch=watch)
    if not still.any():
        raise BadInput(
            f"'{design.formula.response.text}' is separated completely: the fixed effects predict every row without "
            f"error, so no estimate is finite. Use fewer terms, merge levels, or collect more data; logistic "
            f"penalty=firth gives finite estimates without random effects."
        )
    part = restricted(design, np.flatnonzero(still))
    rank = len(independent(design.fixed.values)[0])
    return fitted(part, Binomial(part.y, trials[still]), whole=design, rank=rank, watch=watch)


def type_three_table(
    model: Fitted, hypotheses: Sequence[Hypothesis], trials: Floats, *, tests: str, watch: Watch
) -> Table:
    """Return the tests of all terms: `wald` or `f` where there are finite estimates, else likelihood ratios."""
    whole = model.whole
    coded = designs.matrix(whole.formula.fixed, whole.variables.predictors, contrasts="sum", n=len(whole.y))
    lines = []
    by_f = restricted_fit(model, watch=watch) if tests == "f" and model.optimum.places else None
    for number, hypothesis in enumerate(hypotheses):
        infinite = model.is_limit and hypothesis.lost > 0
        if by_f is not None and not infinite:
            lines.append(_f_line(by_f, hypothesis))
            continue
        if tests == "wald" and not infinite:
            lines.append(wald_line(model, hypothesis))
            continue
        left = [place for place, assigned in enumerate(coded.assign) if assigned != number]
        smaller = replace(
            coded,
            values=coded.values[:, left],
            names=tuple(coded.names[place] for place in left),
            assign=tuple(coded.assign[place] for place in left),
        )
        without = fit_of(replace(whole, fixed=smaller), trials, watch=watch)
        lines.append(_ratio_line(hypothesis.effect, model, without))
    columns = ANOVA if by_f is None else (*ANOVA, *OF_F)
    return Table.from_rows("anova", "Tests of the fixed effects (type III)", columns, lines)


def _f_line(tests: Restricted, hypothesis: Hypothesis) -> dict[str, Any]:
    """Return the F test of one effect."""
    line: dict[str, Any] = {"effect": hypothesis.effect}
    if len(hypothesis.contrasts):
        line |= dict(zip(("df", "df2", "f", "p"), tests.f_test(hypothesis.contrasts), strict=True))
        line["test"] = "F"
    return line


def _ratio_line(effect: str, model: Fitted, without: Fitted) -> dict[str, Any]:
    """Return the likelihood ratio of the model without the columns that a term has in sum coding."""
    df = model.parameters - without.parameters
    if df <= 0:
        return {"effect": effect}
    chi2 = max(without.criterion - model.criterion, 0.0)
    return {
        "effect": effect,
        "df": df,
        "chi2": chi2,
        "p": float(scipy.stats.chi2.sf(chi2, df)),
        "test": "likelihood ratio",
    }

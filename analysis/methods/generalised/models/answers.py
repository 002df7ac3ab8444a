"""Fit mixed logistic models to two outcomes, and cumulative logit models to ordered categories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.generalised.fitting.optimise import Optimum
from analysis.methods.generalised.likelihoods.answers import Binomial, Cumulative, start
from analysis.methods.generalised.models.finite import separated_categories, undecided
from analysis.methods.generalised.models.fitted import Fitted, Theta, fitted, restricted
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.fitting.stationary import Watch
from analysis.methods.report import BadInput
from analysis.methods.wording import listed


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


def fit_binary(
    design: Design, trials: Floats, *, watch: Watch, theta: Theta | None = None, near: Optimum | None = None
) -> Fitted:
    """Fit the rows whose outcome the fixed effects leave open; `theta` and `near` say where to begin (see `fitted`)."""
    still = undecided(design.fixed.values, design.y, trials)
    if still.all():
        return fitted(design, Binomial(design.y, trials), theta=theta, near=near, watch=watch)
    if not still.any():
        raise BadInput(
            f"'{design.formula.response.text}' is separated completely: the fixed effects predict every row without "
            f"error, so no estimate is finite. Use fewer terms, merge levels, or collect more data; logistic "
            f"penalty=firth gives finite estimates without random effects."
        )
    part = restricted(design, np.flatnonzero(still))
    return fitted(part, Binomial(part.y, trials[still]), whole=design, theta=theta, watch=watch)


def categories_of(design: Design, *, levels: Sequence[str]) -> Cumulative:
    """Return the likelihood of the categories that occur; the measure of the design holds positions in `levels`.

    Raises BadInput where only one occurs, a group has as many levels as there are rows, or thresholds and effects have
    no finite estimate.
    """
    present, category = np.unique(design.y.astype(np.intp), return_inverse=True)
    name = design.formula.response.text
    if len(present) < 2:
        raise BadInput(
            f"'{name}' has one value only ('{levels[present[0]]}') in the rows that can be analysed, so there "
            f"is nothing to explain; check the data."
        )
    for group in design.groups:
        if len(group.levels) >= len(design.y):
            raise BadInput(
                f"'{group.name}' has {len(group.levels):,} levels in {len(design.y):,} rows; its effects cannot be "
                f"told from the answers themselves. Take its random term out of the formula."
            )
    category = np.asarray(category, dtype=np.intp).reshape(-1)
    if separated_categories(design.fixed.values[:, 1:], category, len(present)):
        terms = listed(dict.fromkeys(variable.text for variable in design.formula.fixed.variables)) or "the terms"
        raise BadInput(
            f"'{name}' is separated: some combination of {terms} predicts without exception whether it lies "
            f"above or below a threshold, so no finite estimate exists. Merge neighbouring categories or levels, or "
            f"take a term out of the formula; the table of answers per condition says which."
        )
    return Cumulative(category, len(present))


def fit_ordered(
    design: Design, *, levels: Sequence[str], watch: Watch, near: Optimum | None = None
) -> tuple[Fitted, Cumulative]:
    """Fit a design whose first column is the intercept; `near` says where to begin (see `fitted`).

    Raises BadInput as `categories_of` does.
    """
    likelihood = categories_of(design, levels=levels)
    return fitted(design, likelihood, extra=start(likelihood), near=near, watch=watch), likelihood

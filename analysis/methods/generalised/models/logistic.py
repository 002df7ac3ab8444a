"""Fitting mixed logistic models to the rows that decide."""

from __future__ import annotations

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.generalised.fitting.optimise import Optimum
from analysis.methods.generalised.likelihoods.answers import Binomial
from analysis.methods.generalised.models.finite import undecided
from analysis.methods.generalised.models.fitted import Fitted, Theta, fitted, restricted
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.fitting.crossproducts import independent
from analysis.methods.mixed.fitting.stationary import Watch
from analysis.methods.report import BadInput


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


def fit_of(
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
    rank = len(independent(design.fixed.values)[0])
    return fitted(part, Binomial(part.y, trials[still]), whole=design, rank=rank, theta=theta, watch=watch)

"""Fit mixed models of counts and times."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.methods.arrays import Floats
from analysis.methods.generalised.fitting.optimise import Optimum
from analysis.methods.generalised.likelihoods.answers import Likelihood
from analysis.methods.generalised.likelihoods.counts import NegativeBinomial, Poisson
from analysis.methods.generalised.likelihoods.times import Times
from analysis.methods.generalised.models.finite import undecided
from analysis.methods.generalised.models.fitted import Fitted, Theta, fitted, restricted
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.estimates.scales import (
    COUNTS,
    IDENTITY,
    LOG_COUNTS,
    NEGATIVE_BINOMIAL,
    POISSON,
    scale_of,
)
from analysis.methods.mixed.fitting.stationary import Watch
from analysis.methods.report import BadInput

# Where θ is so large beside every mean, the model may be that of Poisson, which is its limit.
NEARLY_POISSON = 1e-2
# Shapes and θ from which a search begins at most: further out the likelihood is flat.
LARGEST_START = 1e4


def check(design: Design, family: str) -> None:
    """Refuse an outcome that never varies, and groups that cannot be told from the scatter of single rows."""
    name, n = design.formula.response.text, len(design.y)
    if float(np.ptp(design.y)) == 0:
        raise BadInput(
            f"'{name}' is {design.y[0]:g} in all {n:,} rows that can be analysed, so there is nothing to explain; "
            f"analyse another outcome or check the data."
        )
    for group in design.groups:
        if family != POISSON and len(group.levels) >= n:
            raise BadInput(
                f"'{group.name}' has {len(group.levels):,} levels in {n:,} rows; its effects cannot be told from the "
                f"scatter of single rows, which this family has already. Take its random term out of the formula."
            )


def fit_numbers(
    design: Design,
    exposure: Floats,
    *,
    family: str,
    link: str,
    watch: Watch,
    theta: Theta | None = None,
    near: Optimum | None = None,
) -> Fitted:
    """Fit counts or times; of counts the rows that the fixed effects leave open (see `undecided_counts`).

    `theta` and `near` say where to begin (see `fitted`).

    Raises BadInput where no row is left open.
    """
    if family not in COUNTS:
        return _times(design, family=family, link=link, watch=watch, theta=theta, near=near)
    still = undecided_counts(design)
    if not still.any():
        raise BadInput(
            f"'{design.formula.response.text}' is 0 in every row that the fixed effects can tell apart, so no estimate "
            f"is finite. Use fewer terms, merge levels, or collect more data."
        )
    if still.all():
        return _counts(design, exposure, family=family, watch=watch, theta=theta, near=near)
    part = restricted(design, np.flatnonzero(still))
    return _counts(part, exposure[still], family=family, watch=watch, theta=theta, whole=design)


def undecided_counts(design: Design) -> npt.NDArray[np.bool_]:
    """Return the rows whose means have finite estimates (Correia, Guimarães & Zylkin 2019, arXiv 1903.01633).

    A row of zeros that a direction of X separates from all others has a mean that tends to zero along it; positive
    counts hold their means on both sides. That is the separation of a binary outcome in which positive counts are both
    successes and failures.
    """
    positive = (design.y > 0).astype(np.float64)
    return undecided(design.fixed.values, positive, 1 + positive)


def _counts(
    design: Design,
    exposure: Floats,
    *,
    family: str,
    watch: Watch,
    theta: Theta | None,
    near: Optimum | None = None,
    whole: Design | None = None,
) -> Fitted:
    offset = np.log(exposure)
    begin = np.log(design.y + 0.5) - offset

    def made(likelihood: Likelihood, dispersion: Floats | None = None) -> Fitted:
        same = near if near is not None and len(near.extra) == (dispersion is not None) else None
        return fitted(
            design, likelihood, whole=whole, scale=LOG_COUNTS[family], begin=begin, dispersion=dispersion,
            theta=theta, near=same, watch=watch,
        )  # fmt: skip

    if family == POISSON:
        return made(Poisson(design.y, offset))
    spread = float(design.y.var()) - float(design.y.mean())
    first = min(float(design.y.mean()) ** 2 / spread, LARGEST_START) if spread > 0 else LARGEST_START
    found = made(NegativeBinomial(design.y, offset), np.log([max(first, 1e-3)]))
    mu = np.exp(found.optimum.mode.eta + offset)
    if float(mu.max()) * float(np.exp(-found.extra[0])) > NEARLY_POISSON:
        return found
    limit = made(Poisson(design.y, offset))
    return limit if limit.criterion <= found.criterion + 1e-6 else found


def is_poisson_limit(fit: Fitted) -> bool:
    """Return whether a negative binomial model has no finite θ, so that it is the Poisson model."""
    return fit.scale.family == NEGATIVE_BINOMIAL and not len(fit.extra)


def _times(
    design: Design, *, family: str, link: str, watch: Watch, theta: Theta | None, near: Optimum | None
) -> Fitted:
    y = design.y
    unit = float(y.mean()) if link == IDENTITY else 1.0
    begin = y / unit if link == IDENTITY else np.log(y)
    likelihood = Times(y / unit, family, link, unit)
    mean, variance = float(y.mean()) / unit, float(y.var()) / unit**2
    shape = mean ** (2 if family == "gamma" else 3) / max(variance, 1e-12)
    return fitted(
        design, likelihood, scale=scale_of(family, link), begin=begin, dispersion=np.log([min(shape, 1e8)]), unit=unit,
        theta=theta, near=near, watch=watch,
    )  # fmt: skip

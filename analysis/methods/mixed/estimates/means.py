"""Compute estimated marginal means.

A mean is a contrast of the fixed effects: the model's prediction for a cell of the named factors, averaged evenly over
the levels of all other factors, numeric predictors at their means. Degrees of freedom by Satterthwaite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import matrix
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.design.variables import Categorical, Numeric, Read
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.fitting.crossproducts import sizes_of
from analysis.methods.report import BadInput
from analysis.methods.wording import no_such

LARGEST_GRID = 5000
MOST_CELLS = 64
ZERO = 1e-8


@dataclass(frozen=True)
class Mean:
    """A cell of the named factors with its weights on the fixed effects; None where it cannot be estimated.

    `cells` are the weights of what it averages: one row per combination of the levels of all factors.
    """

    levels: tuple[str, ...]
    weights: Floats | None
    cells: Floats


def factors(fit: Estimates) -> dict[Variable, Categorical]:
    """Return the categorical predictors among the fixed effects."""
    read = fit.design.variables.predictors
    found = {variable: read[variable] for variable in fit.design.formula.fixed.variables}
    return {variable: one for variable, one in found.items() if isinstance(one, Categorical)}


def few_enough(fit: Estimates) -> bool:
    """Return whether the means of all cells make a table that somebody would read."""
    return bool(factors(fit)) and math.prod(len(one.levels) for one in factors(fit).values()) <= MOST_CELLS


def named_factors(fit: Estimates, names: Sequence[str], *, parameter: str) -> list[Variable]:
    """Return the factors of those columns. Raises BadInput for one that is no factor of the fixed effects."""
    known = {variable.column: variable for variable in factors(fit)}
    for name in names:
        if name not in known:
            raise BadInput(
                f"{parameter}: {no_such('factor', name, list(known))} Only factors of the formula have means."
            )
    return [known[name] for name in names]


def marginal_means(fit: Estimates, over: Sequence[Variable]) -> list[Mean]:
    """Return the estimated marginal mean of every cell of some factors, the last one changing fastest."""
    design = fit.design
    variables = design.formula.fixed.variables
    read_factors = factors(fit)
    all_factors = list(read_factors)
    sizes = [len(one.levels) for one in read_factors.values()]
    cells = list(product(*(range(size) for size in sizes)))
    if len(cells) > LARGEST_GRID:
        raise BadInput(f"There are {len(cells):,} combinations of levels, too many for means; name fewer factors.")
    grid = np.array(cells, dtype=np.intp).reshape(len(cells), len(all_factors))
    predictors: dict[Variable, Read] = {}
    for variable in variables:
        read = design.variables.predictors[variable]
        if isinstance(read, Categorical):
            predictors[variable] = Categorical(variable, read.levels, grid[:, all_factors.index(variable)])
        else:
            predictors[variable] = Numeric(variable, np.full(len(cells), read.at_mean), read.at_mean)
    rows = matrix(design.formula.fixed, predictors, contrasts=design.codings, n=len(cells)).values
    lacking = unknown(fit)
    chosen = [all_factors.index(variable) for variable in over]
    found = []
    for cell in product(*(range(sizes[place]) for place in chosen)):
        inside = (grid[:, chosen] == np.array(cell, dtype=np.intp)).all(axis=1)
        weights = rows[inside].mean(axis=0)
        names = tuple(read_factors[variable].levels[level] for variable, level in zip(over, cell, strict=True))
        kept = list(fit.prepared.kept)
        found.append(Mean(names, None if lacking.touches(weights) else weights[kept], rows[inside][:, kept]))
    return found


def means_rows(
    fit: Estimates, means: Sequence[Mean], *, names: Sequence[str], confidence: float
) -> list[dict[str, Any]]:
    """Return one line per mean, also on the scale of the outcome; what cannot be estimated is None."""
    lines = []
    for mean in means:
        line: dict[str, Any] = {**fit.scale.blank, **({"panel": ":".join(mean.levels[2:])} if len(names) > 3 else {})}
        if mean.weights is not None:
            found = fit.contrast(mean.weights).line(confidence)
            line |= {"mean": found["estimate"], **found}
            line |= fit.scale.back(found["estimate"], found["se"], found["ci_low"], found["ci_high"])
        lines.append(line | dict(zip(names, mean.levels, strict=True)))
    return lines


@dataclass(frozen=True)
class Unknown:
    """What cannot be estimated: combinations of the columns of X (in units of `sizes`) that are zero in every row."""

    sizes: Floats
    directions: Floats

    def touches(self, weights: Floats) -> bool:
        """Return whether weights on the columns involve such a combination."""
        scaled = weights / self.sizes
        involved = float(np.abs(scaled @ self.directions).max(initial=0.0))
        return involved > ZERO * float(np.abs(scaled).max(initial=0.0))


def unknown(fit: Estimates, *, among: Sequence[int] | None = None) -> Unknown:
    """Return what the columns of X (or those `among` them) leave unknown."""
    X = fit.design.fixed.values
    X = X if among is None else X[:, list(among)]
    rank, sizes = len(fit.prepared.kept), sizes_of(X)
    if rank == X.shape[1]:
        return Unknown(sizes, np.zeros((rank, 0)))
    root: Floats = np.asarray(np.linalg.qr(X / sizes, mode="r"))
    axes = np.linalg.svd(root, full_matrices=True)[2]
    return Unknown(sizes, np.asarray(axes[rank:].T))

"""Compute estimated marginal means and their pairwise comparisons.

A mean is a contrast of the fixed effects: the model's prediction for a cell of the named factors, averaged evenly over
the levels of all other factors, numeric predictors at their means. Degrees of freedom by Satterthwaite. Comparisons are
adjusted by Tukey (studentised range over the means of one family) and by Holm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from analysis.methods.adjusted import holm
from analysis.methods.arrays import Floats
from analysis.methods.conditions.studentised_range import critical_value, upper_tail
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
    """A cell of the named factors with its weights on the fixed effects; None where it cannot be estimated."""

    levels: tuple[str, ...]
    weights: Floats | None


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
        found.append(Mean(names, None if lacking.touches(weights) else weights[list(fit.prepared.kept)]))
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


def comparisons(fit: Estimates, means: Sequence[Mean], *, held: int, confidence: float) -> list[dict[str, Any]]:
    """Compare means pairwise inside every combination of the first `held` factors."""
    lines: list[dict[str, Any]] = []
    for family in dict.fromkeys(mean.levels[:held] for mean in means):
        members = [mean for mean in means if mean.levels[:held] == family]
        mine = [
            _compared(fit, a, b, held=held, k=len(members), confidence=confidence) for a, b in combinations(members, 2)
        ]
        # What cannot be estimated stays in its family, as its mean does in Tukey's; emmeans does the same.
        adjusted = holm([1.0 if line["p_unadjusted"] is None else line["p_unadjusted"] for line in mine])
        for line, p in zip(mine, adjusted, strict=True):
            line["p_holm"] = None if line["p_unadjusted"] is None else p
        lines += mine
    return lines


def _compared(fit: Estimates, a: Mean, b: Mean, *, held: int, k: int, confidence: float) -> dict[str, Any]:
    family, first, second = ":".join(a.levels[:held]), ":".join(a.levels[held:]), ":".join(b.levels[held:])
    line: dict[str, Any] = {
        **fit.scale.blank,
        "by": family,
        "a": first,
        "b": second,
        "k": k,
        "comparison": (f"{family}: " if family else "") + f"{first} − {second}",
        "p_unadjusted": None,
    }
    if a.weights is None or b.weights is None:
        return line
    tested = fit.contrast(a.weights - b.weights)
    half = critical_value(round(1 - confidence, 12), k=k, df=round(tested.df, 4)) / np.sqrt(2) * tested.se
    low, high = tested.estimate - half, tested.estimate + half
    return line | {
        "mean_a": float(a.weights @ fit.beta),
        "mean_b": float(b.weights @ fit.beta),
        "diff": tested.estimate,
        "se": tested.se,
        "df": tested.df,
        "t": tested.t,
        "z": tested.t,
        "p": float(upper_tail(abs(tested.t) * np.sqrt(2), k=k, df=tested.df)),
        "p_unadjusted": tested.p,
        "ci_low": low,
        "ci_high": high,
        **fit.scale.ratios(tested.estimate, low, high),
    }


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

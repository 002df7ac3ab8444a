"""Compare means of a repeated-measures design in pairs: standard errors, df, adjusted p."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, product
from typing import Any

import numpy as np
import scipy

from analysis.methods.adjusted import add_holm
from analysis.methods.arrays import Floats
from analysis.methods.conditions.cell_names import cell_names
from analysis.methods.conditions.designs import CellMeans
from analysis.methods.conditions.effect_sizes import WEIGHT, of_difference
from analysis.methods.conditions.fitted import Fitted, fitted
from analysis.methods.conditions.studentised_range import critical_value, upper_tail
from analysis.methods.conditions.variance import Analysis
from analysis.methods.wording import listed


@dataclass(frozen=True)
class Mean:
    """A mean that is compared: its family, its name, and its weights on groups × cells."""

    family: str
    name: str
    weights: Floats


def means_of(cells: CellMeans, *, by: Sequence[str], compared: Sequence[str]) -> list[Mean]:
    """Return the mean of every combination of levels of `compared`, in one family per combination of levels of `by`."""
    named = {factor.name: factor.levels for factor in (*cells.between, *cells.within)}
    names = list(named)
    full = [dict(zip(names, (*group, *cell), strict=True)) for group in cells.group_cells for cell in cells.cells]
    families = list(product(*(named[name] for name in by)))
    chosen_cells = list(product(*(named[name] for name in compared)))
    means = []
    for held, family in zip(families, cell_names(families, by), strict=True):
        for chosen, cell_name in zip(chosen_cells, cell_names(chosen_cells, compared), strict=True):
            wanted = dict(zip((*by, *compared), (*held, *chosen), strict=True))
            match = np.array([all(cell[name] == level for name, level in wanted.items()) for cell in full], dtype=float)
            weights = (match / match.sum()).reshape(len(cells.group_cells), len(cells.cells))
            means.append(Mean(family=family, name=cell_name, weights=weights))
    return means


def comparisons(
    cells: CellMeans, analysis: Analysis, means: Sequence[Mean], *, error: str, confidence: float
) -> tuple[list[dict[str, Any]], list[str]]:
    """Compare all means of each family in pairs; return the rows of the table `comparisons`, and warnings."""
    fit = fitted(cells, analysis)
    k = len(cells.cells) if error == "pooled" else sum(mean.family == means[0].family for mean in means)
    lines: list[dict[str, Any]] = []
    for a, b in combinations(means, 2):
        if a.family != b.family:
            continue
        weights = a.weights - b.weights
        shape = fit.shape(weights)
        if error == "multivariate":
            variance, df = fit.variance(shape), float(fit.df)
        elif error == "univariate":
            variance, df = _by_strata(analysis, shape)
        else:
            stratum = analysis.strata[-1]
            variance, df = float(np.trace(shape)) * stratum.mean_square, float(stratum.df_error)
        se = float(np.sqrt(fit.without_rounding(variance, shape)))
        mean_a, mean_b = fit.estimate(a.weights), fit.estimate(b.weights)
        diff = mean_a - mean_b
        name = f"{a.name} − {b.name}"
        line = {"by": a.family, "a": a.name, "b": b.name, "mean_a": mean_a, "mean_b": mean_b, "diff": diff, "se": se}
        line |= {"df": df, "k": k, "q": None, "p": None, "p_unadjusted": None}
        line["comparison"] = f"{a.family}: {name}" if a.family else name
        if se > 0:
            t = abs(diff) / se
            half = critical_value(round(1 - confidence, 12), k=k, df=df) / np.sqrt(2) * se
            line |= {"q": t * np.sqrt(2), "p_unadjusted": float(2 * scipy.stats.t.sf(t, df))}
            line |= {"ci_low": diff - half, "ci_high": diff + half, **_sizes(fit, weights, confidence=confidence)}
        lines.append(line)
    for df in {line["df"] for line in lines}:
        same = [line for line in lines if line["df"] == df and line["q"] is not None]
        for line, tail in zip(same, upper_tail(np.array([line["q"] for line in same]), k=k, df=df), strict=True):
            line["p"] = float(tail)
    for _, family in groupby(lines, key=lambda line: error == "pooled" or line["by"]):
        add_holm(list(family), "p_unadjusted")
    undefined = [line["comparison"] for line in lines if line["q"] is None]
    warnings = []
    if undefined:
        warnings.append(
            f"No test is possible for {listed(undefined)}: the difference is exactly the same in every {cells.unit}."
        )
    if error == "univariate" and cells.between and len(set(np.bincount(cells.group_index))) > 1:
        warnings.append("Groups differ in size; with error=univariate the standard errors are then approximate.")
    return lines, warnings


def _by_strata(analysis: Analysis, shape: Floats) -> tuple[float, float]:
    parts = [
        (float(np.trace(stratum.contrasts.T @ shape @ stratum.contrasts)) * stratum.mean_square, stratum.df_error)
        for stratum in analysis.strata
    ]
    total = sum(part for part, _ in parts)
    if total <= 0:
        return 0.0, float(analysis.strata[-1].df_error)
    return total, total**2 / sum(part**2 / df for part, df in parts)


def _sizes(fit: Fitted, weights: Floats, *, confidence: float) -> dict[str, float | None]:
    """Return the effect sizes of a difference, none where it is one of groups and of conditions at once.

    `of_groups` marks a difference between groups, whose d_z is Cohen's d.
    """
    is_within = np.abs(weights.sum(axis=1)).max() <= WEIGHT
    is_between = np.abs(weights.sum(axis=0)).max() <= WEIGHT
    sizes = of_difference(fit, weights, confidence=confidence) if is_within or is_between else {}
    return {**sizes, "of_groups": 1.0} if is_between else sizes

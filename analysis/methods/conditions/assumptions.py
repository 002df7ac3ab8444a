"""Check the assumptions of an analysis of variance: equal variances, sphericity, normal residuals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import ROUNDING, Floats
from analysis.methods.columns import declared_table
from analysis.methods.conditions.designs import CellMeans
from analysis.methods.conditions.variance import Analysis, noise_of
from analysis.methods.report import Column, Table
from analysis.methods.wording import listed, number_text, p_text

ASSUMPTIONS = declared_table(
    "assumptions",
    "Assumptions",
    "One row per check of equal variances, sphericity and normal residuals.",
    Column("check", "Check", "text", meaning="The test."),
    Column("of", "Of", "text", meaning="The means, effect or residuals that are checked."),
    "statistic df1 df2 p reading",
)
LEVENE, BROWN_FORSYTHE = "Levene (mean)", "Brown–Forsythe (median)"
MAUCHLY, SHAPIRO = "Mauchly", "Shapiro–Wilk"
SHAPIRO_AT_MOST = 5_000
ALPHA = 0.05


def assumptions_table(cells: CellMeans, analysis: Analysis) -> Table:
    """Return one row per check.

    Levene (1960) compares the groups' absolute deviations from their mean, Brown & Forsythe (1974) those from their
    median, for the units' means over all cells and for every cell. Mauchly's W belongs to every within effect of more
    than one contrast. Shapiro & Wilk's W is that of the residuals of the units' means and of every within stratum.
    """
    lines = [*_levene_lines(cells), *_mauchly_lines(analysis), *_shapiro_lines(cells, analysis)]
    return ASSUMPTIONS.of(lines)


def levene(groups: list[Floats], *, centre: str) -> tuple[float, int, int, float] | None:
    """Return F, df1, df2 and p of Levene's test around the groups' `mean` or `median`; None where nothing varies.

    F is that of an analysis of variance of |x − centre of its group|.

    >>> f, df1, df2, p = levene([np.array([1.0, 2.0, 3.0]), np.array([1.0, 5.0, 9.0])], centre="median")
    >>> round(f, 6), df1, df2, round(p, 6)
    (2.117647, 1, 4, 0.219307)
    """
    deviations = [np.abs(group - (group.mean() if centre == "mean" else np.median(group))) for group in groups]
    n, k = sum(len(group) for group in groups), len(groups)
    everything = np.concatenate(deviations)
    between = sum(len(group) * (group.mean() - everything.mean()) ** 2 for group in deviations)
    inside = sum(float(((group - group.mean()) ** 2).sum()) for group in deviations)
    largest = max(float(np.abs(group).max()) for group in groups)
    if n <= k or inside <= n * (ROUNDING * largest) ** 2:
        return None
    f = float((between / (k - 1)) / (inside / (n - k)))
    return f, k - 1, n - k, float(scipy.stats.f.sf(f, k - 1, n - k))


def unequal_groups(cells: CellMeans, *, what: str) -> list[str]:
    """Say where groups of unequal size differ in variance by Brown and Forsythe, and which way `what` errs then.

    The pooled variance is mostly that of the larger groups: tests find too much where these vary least, and too little
    where they vary most. Asked of the units' means over cells, and without these of every cell.
    """
    if not cells.between:
        return []
    count = len(cells.group_cells)
    sizes = np.bincount(cells.group_index, minlength=count)
    if sizes.min() == sizes.max():
        return []
    named = [("", cells.means.mean(axis=1))]
    if cells.within:
        named += [(f" in {':'.join(cell)}", cells.means[:, index]) for index, cell in enumerate(cells.cells)]
    for where, values in named:
        split = [values[cells.group_index == group] for group in range(count)]
        variances = np.array([float(group.var(ddof=1)) if len(group) > 1 else np.nan for group in split])
        found = levene(split, centre="median")
        still = variances <= (ROUNDING * float(np.abs(values).max())) ** 2
        if not still.any() and (found is None or found[3] >= ALPHA):
            continue
        told = listed(
            f"{':'.join(cell)} (n = {size}, SD {number_text(float(np.sqrt(variance)))})"
            for cell, size, variance in zip(cells.group_cells, sizes, variances, strict=True)
            if np.isfinite(variance)
        )
        why = "" if found is None else f", Brown–Forsythe {p_text(found[3])}"
        known = np.isfinite(variances)
        pooled = float((sizes[known] - 1) @ variances[known]) / max(float((sizes[known] - 1).sum()), 1.0)
        liberal = float((variances[known] / sizes[known]).sum()) > pooled * float((1 / sizes[known]).sum())
        way = (
            "the smaller groups vary more, and what is significant or equivalent is so too often (in simulations of "
            "6 people with SD 3 and 18 with SD 1, 23 % of true null hypotheses were rejected at α = .05)"
            if liberal
            else "the larger groups vary more, and what is there is found too rarely"
        )
        return [
            f"Groups of unequal size differ in variance{where}: {told}{why}. {what} pools these variances: {way}. "
            f"Compare two groups by Welch's t test, which does not pool, or transform the measure."
        ]
    return []


def _levene_lines(cells: CellMeans) -> Iterator[dict[str, Any]]:
    if not cells.between:
        return
    groups = range(len(cells.group_cells))
    named = [("means over cells" if cells.within else f"means of {cells.dv}", cells.means.mean(axis=1))]
    if cells.within:
        named += [(":".join(cell), cells.means[:, index]) for index, cell in enumerate(cells.cells)]
    for name, values in named:
        split = [values[cells.group_index == group] for group in groups]
        for check, centre in ((LEVENE, "mean"), (BROWN_FORSYTHE, "median")):
            line: dict[str, Any] = {"check": check, "of": name}
            found = levene(split, centre=centre)
            if found is None:
                yield line | {"reading": "not defined: within groups all deviations are equal, as with two units each"}
                continue
            f, df1, df2, p = found
            reading = "the groups' variances differ" if p < ALPHA else "no sign that the groups' variances differ"
            yield line | {"statistic": f, "df1": df1, "df2": df2, "p": p, "reading": reading}


def _mauchly_lines(analysis: Analysis) -> Iterator[dict[str, Any]]:
    for effect in analysis.effects:
        d = effect.stratum.dimensions
        if d == 1:
            continue
        w, p = effect.sphericity.mauchly_w, effect.sphericity.mauchly_p
        if w is None or p is None:
            reading = "not defined with so few units; use the corrected p"
        else:
            reading = "not spherical; use the corrected p" if p < ALPHA else "no sign against sphericity"
        df = d * (d + 1) / 2 - 1
        yield {"check": MAUCHLY, "of": effect.name, "statistic": w, "df1": df, "p": p, "reading": reading}


def _shapiro_lines(cells: CellMeans, analysis: Analysis) -> Iterator[dict[str, Any]]:
    projection = analysis.design @ np.linalg.pinv(analysis.design)
    centred = cells.means - cells.means.mean()
    for stratum in analysis.strata:
        scores = centred @ stratum.contrasts
        residuals = (scores - projection @ scores).ravel()
        name = f"residuals within {listed(stratum.factors)}" if stratum.factors else f"residuals between {cells.unit}s"
        line: dict[str, Any] = {"check": SHAPIRO, "of": name}
        if not 3 <= len(residuals) <= SHAPIRO_AT_MOST:
            few = len(residuals) < 3
            yield line | {"reading": f"not tested: {'fewer than 3' if few else 'more than 5,000'} residuals"}
        elif float((residuals**2).sum()) <= noise_of(cells, stratum.contrasts):
            yield line | {"reading": "not defined: the residuals do not vary"}
        else:
            w, p = (float(value) for value in scipy.stats.shapiro(residuals))
            reading = "residuals are not normal; see the ranks (friedman)" if p < ALPHA else "no sign against normality"
            yield line | {"statistic": w, "p": p, "reading": reading}

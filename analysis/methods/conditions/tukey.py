"""Tukey's honestly significant differences after a repeated-measures analysis of variance.

A plain Tukey test on trials or on cell means treats the values of one participant as independent and is wrong here.
Three versions are right under their own assumptions; which one ran is part of the result:

`pooled`        q = |difference| / √(MS_e / n) with the error term of the highest interaction of the within factors;
                studentised range over all k cells. Assumes that this one error holds for every difference.
`univariate`    every difference gets the error of the strata that it belongs to, degrees of freedom by Satterthwaite.
                Assumes sphericity.
`multivariate`  every difference gets its own error (a paired t test where there are no groups). Assumes nothing about
                the covariances.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.methods.columns import declared_table, usual
from analysis.methods.conditions.anova import example
from analysis.methods.conditions.anova_wording import NOTE_OF_D, d_text
from analysis.methods.conditions.contrasts import comparisons, means_of
from analysis.methods.conditions.designs import CellMeans, averaged, of_others
from analysis.methods.conditions.variance import Analysis, analyse
from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Column, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.wording import df_text, listed, no_such, number_text, p_text, percent_text

COMPARISONS = declared_table(
    "comparisons",
    "Pairwise comparisons of {dv}",
    "One row per pair. Intervals of the difference are simultaneous; that of an effect size is its own. d_z and d_av "
    "rest on the differences and means of the units themselves, whatever the `error`.",
    Column("by", "Within", "text", meaning="The levels that are held apart, joined by a colon; empty: none."),
    "a b mean_a mean_b diff",
    usual("se", "SE of difference", "Standard error of the difference, from the error term that `error` names."),
    "df",
    Column("q", "q", "statistic", meaning="|diff| · √2 / se."),
    usual("p", "p (Tukey)", "By the studentised range of `k` means."),
    "ci_low ci_high p_holm",
    Column("p_unadjusted", "p (unadjusted)", "p", meaning="Two-sided p of t = q/√2.", importance="detail"),
    Column("k", "Means in the family", "integer", meaning="Means of the studentised range.", importance="detail"),
    "comparison d_z d_z_low d_z_high d_av d_av_low d_av_high",
    key="mean_a mean_b diff p",
    detail="se p_holm comparison d_z_low d_z_high d_av d_av_low d_av_high",
)


def tukey(
    frame: pd.DataFrame,
    *,
    dv: str,
    within: Sequence[str],
    between: Sequence[str] = (),
    by: Sequence[str] = (),
    compare: Sequence[str] = (),
    error: str = "pooled",
    unit: str = "participant",
    confidence: float = 0.95,
    participant: str | None = "participant",
    item: str | None = "item",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Compare cells pairwise with the error term named in `error`.

    `by` names factors whose levels are held apart: comparisons stay inside each of them. With `univariate` and
    `multivariate` the family, for Tukey and for Holm, is then one level of `by`; with `pooled` it stays all k cells.
    `compare` names the factors whose levels are compared (all that are not in `by` unless given); the others are
    averaged over with equal weights, as are groups of `between` that are in neither. Groups are compared by the error
    within them, the same in all groups (not with `pooled`); `d_z` of groups is Cohen's d.

    Raises BadInput where the design cannot be analysed, or `by` or `compare` name something that is no factor.

    >>> frame, parameters = example()
    >>> report = tukey(frame, **parameters, by=["marker"], error="multivariate")
    >>> report.table("comparisons").frame()[["by", "a", "b", "df"]].head(2)
               by   a   b   df
    0     because  ab  ba  5.0
    1  because-of  ab  ba  5.0
    """
    if not within:
        raise BadInput("Name at least one within factor with within=….")
    check_confidence(confidence)
    progress(0.2, "averaging")
    cells = averaged(frame, dv, within, between, unit=unit, units=(participant, item), where=where, keep=keep)
    analysis = analyse(cells)
    compared = _compared(cells, by=by, compare=compare, error=error)
    means = means_of(cells, by=by, compared=compared)
    progress(0.5, "comparing")
    lines, warnings = comparisons(cells, analysis, means, error=error, confidence=confidence)
    return Report(
        tables=(COMPARISONS.of(lines, dv=dv),),
        figures=(_figure(dv, confidence=confidence),),
        notes=(*cells.notes, *_notes(cells, analysis, by=by, compared=compared, error=error)),
        warnings=(*cells.warnings, *warnings, *of_others(frame, "tukey", unit=unit, units=(participant, item))),
        sentences=tuple(_sentence(line, confidence=confidence) for line in lines),
        design=cells.layout,
    )


def _compared(cells: CellMeans, *, by: Sequence[str], compare: Sequence[str], error: str) -> tuple[str, ...]:
    within = [factor.name for factor in cells.within]
    factors = [*within, *(factor.name for factor in cells.between)]
    for name in (*by, *compare):
        if name not in factors:
            raise BadInput(f"by and compare name factors of this analysis. {no_such('factor', name, factors)}")
    both = [name for name in by if name in compare]
    if both:
        raise BadInput(f"{listed(both)} cannot be both held apart and compared; name it in by or in compare.")
    groups = [name for name in compare if name not in within]
    if groups and error == "pooled":
        raise BadInput(
            f"{listed(groups)} differs between {cells.unit}s, and error=pooled has the error of differences within "
            f"{cells.unit}s. Compare groups with error=multivariate or error=univariate, or hold them apart with "
            f"by={groups[0]}."
        )
    chosen = groups + [name for name in within if name in compare]
    compared = tuple(chosen if compare else (name for name in within if name not in by))
    if not compared:
        raise BadInput("by holds every within factor apart, so nothing is left to compare; leave one factor out of by.")
    if error == "pooled" and (len({*compared, *by} & set(within)) < len(within)):
        missing = [name for name in within if name not in (*compared, *by)]
        raise BadInput(
            f"error=pooled compares single cells, and compare averages over {listed(missing)}; "
            f"use error=univariate or error=multivariate for averages, or leave the factor out of within."
        )
    return compared


def _figure(dv: str, *, confidence: float) -> Figure:
    return Figure(
        name="differences",
        title=f"Differences of {dv} between conditions",
        kind="intervals",
        table="comparisons",
        encoding={"x": "diff", "y": "comparison", "low": "ci_low", "high": "ci_high"},
        caption=f"Differences with simultaneous {percent_text(confidence)} confidence intervals; where an "
        f"interval leaves out zero, the difference is significant{_at(confidence)}.",
        x_label=f"Difference in {dv}",
        reference=0.0,
    )


def _notes(
    cells: CellMeans, analysis: Analysis, *, by: Sequence[str], compared: Sequence[str], error: str
) -> list[str]:
    last = analysis.strata[-1]
    term = ":".join(last.factors)
    family = f"one level of {listed(by)}" if by else "all comparisons"
    averaged = [f.name for f in (*cells.within, *cells.between) if f.name not in (*by, *compared)]
    notes = {
        "pooled": [
            f"Tukey's test with a pooled error: q = |difference|/√(MS/n), where MS is the error of {term} over "
            f"{cells.unit}s, {number_text(last.mean_square, places=4)} ({df_text(last.df_error)} df); studentised "
            f"range of all {len(cells.cells)} cells, whatever is held apart; Holm over the comparisons shown. "
            f"It assumes that this error holds for every difference."
        ],
        "univariate": [
            f"Tukey's test on the univariate model: each difference has the errors of its own strata, with "
            f"Satterthwaite's degrees of freedom; the family is {family}. It assumes sphericity."
        ],
        "multivariate": [
            f"Tukey's test on the multivariate model: each difference has its own error, as in a paired t test "
            f"({df_text(len(cells.units) - analysis.design.shape[1])} df); the family is {family}. "
            f"It does not assume sphericity."
        ],
    }[error]
    if groups := [factor.name for factor in cells.between if factor.name in compared]:
        notes.append(
            f"{listed(groups)} differs between {cells.unit}s: differences between groups have the error within groups, "
            f"which is assumed to be the same in all of them; d_z of such a difference is Cohen's d, and one of "
            f"both group and condition has none."
        )
    if averaged:
        notes.append(f"Means are averaged over {listed(averaged)} with equal weights.")
    return [*notes, f"se is the standard error of the difference; q = |diff|·√2/se. {NOTE_OF_D}"]


def _alpha(confidence: float) -> float:
    """Return the level of tests that goes with intervals: p is below it where the interval leaves out zero."""
    return round(1 - confidence, 12)


def _at(confidence: float) -> str:
    """Name the level of tests, where it is not the usual one.

    >>> _at(0.95), _at(0.9)
    ('', ' at α = 0.1')
    """
    return "" if _alpha(confidence) == 0.05 else f" at α = {_alpha(confidence):g}"


def _sentence(line: dict[str, Any], *, confidence: float) -> str:
    higher, lower = ("a", "b") if line["diff"] >= 0 else ("b", "a")
    size = line
    if higher == "b" and line.get("d_z") is not None:
        size = {"d_z": -line["d_z"], "d_z_low": -line["d_z_high"], "d_z_high": -line["d_z_low"]}
    place = f"In {line['by']}, " if line["by"] else ""
    means = (
        f"{line[higher]} (M = {number_text(line['mean_' + higher])}) and {line[lower]} "
        f"(M = {number_text(line['mean_' + lower])})"
    )
    if line["p"] is None:
        return f"{place}{means} could not be tested."
    verdict = "differed" if line["p"] < _alpha(confidence) else "did not differ significantly"
    verdict += _at(confidence)
    result = f"q({line['k']}, {df_text(line['df'])}) = {number_text(line['q'])}, {p_text(line['p'])}"
    told = d_text(size, confidence=confidence)
    # Between groups the same number is Cohen's d.
    return f"{place}{means} {verdict}, {result}{told.replace('dz =', 'd =') if line.get('of_groups') else told}."


def _example() -> Example:
    frame, parameters = example()
    return frame, {**parameters, "by": ("marker",)}


METHOD = declared(
    "tukey",
    "Tukey HSD after a repeated-measures ANOVA",
    "Pairwise comparisons of conditions with the right error term, Tukey and Holm, with intervals.",
    tukey,
    Parameter(
        "between",
        "Between factors",
        "columns",
        help="Groups of units. Results are averaged over groups that are neither compared nor separated below.",
        role="factor",
    ),
    Parameter(
        "by",
        "Compare within levels of",
        "columns",
        help="Comparisons are made within the levels of these factors.",
        role="factor",
    ),
    Parameter(
        "compare",
        "Compared",
        "columns",
        help="Factors whose levels or groups are compared; results are averaged over the others.",
        role="factor",
    ),
    Parameter(
        "error",
        "Error term",
        "choice",
        help="pooled: MS error of the interaction; univariate, multivariate: as in emmeans.",
        choices=("pooled", "univariate", "multivariate"),
    ),
    group="compare",
    question=(
        "Between which levels of {factors} does {measure} differ? All pairs, by {units}",
        "Between which conditions does a measure differ? All pairs (Tukey)",
    ),
    needs=("numbers", "conditions"),
    example=_example,
    tables=(COMPARISONS,),
)

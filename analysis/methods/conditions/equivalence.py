"""Test the equivalence of conditions by two one-sided tests (TOST) (`equivalence`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.adjusted import add_holm
from analysis.methods.columns import declared_table, usual
from analysis.methods.conditions.anova import example
from analysis.methods.conditions.assumptions import unequal_groups
from analysis.methods.conditions.designs import CellMeans, averaged
from analysis.methods.conditions.effect_sizes import deviation, is_between_groups
from analysis.methods.conditions.fitted import Fitted, fitted
from analysis.methods.conditions.planned_contrasts import CONTRASTS, all_pairs, contrasts_of
from analysis.methods.conditions.variance import analyse
from analysis.methods.contrast_texts import split
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.effects.two_one_sided import two_one_sided
from analysis.methods.report import BadInput, Column, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.wording import df_text, listed, number_text, p_text, percent_text

EQUIVALENCE = declared_table(
    "equivalence",
    "Equivalence of means of {dv}",
    "One row per contrast. The bounds are in units of the measure or, with `scale=d_z`, in standard deviations of the "
    "units' own differences (between groups the pooled one within groups, as for Cohen's d).",
    "family contrast",
    Column("size", "Difference on the scale of the bounds", meaning="The estimate on the scale of the bounds."),
    Column("low", "Lower bound", meaning="`lower`, or −`bound`."),
    Column("high", "Upper bound", meaning="`bound`."),
    "df",
    usual("p", "p (equivalence)", "The larger one of p_low and p_high (Schuirmann 1987)."),
    usual("ci_low", meaning="Lower end of the interval of `size`, of level 1 − 2α."),
    usual("ci_high", meaning="Upper end of the interval of `size`, of level 1 − 2α."),
    Column("p_difference", "p (difference)", "p", meaning="Two-sided, of no difference."),
    usual("verdict", meaning="equivalent (p < α alone), different (p_difference < α alone), both, undecided."),
    "estimate se",
    usual("t", "t (against zero)", "The estimate over its standard error."),
    Column("p_low", "p (above the lower bound)", "p", meaning="One-sided.", importance="detail"),
    Column("p_high", "p (below the upper bound)", "p", meaning="One-sided.", importance="detail"),
    usual("p_holm", "p (equivalence, Holm)"),
    usual("d_z", meaning="The estimate over the standard deviation of the units' own values; between groups pooled."),
    key="p verdict",
    detail="estimate se t p_holm d_z",
)
SAID = {
    "equivalent": "was shown to be too small to matter (equivalent)",
    "different": "was significant and not shown to be too small to matter (different)",
    "both": "was significant and yet shown to be too small to matter (both)",
    "undecided": "was neither significant nor shown to be too small to matter (undecided)",
}
NOTE_OF_WELCH = (
    "Every group has a variance of its own (variances=welch): standard errors are those of Welch's t test, with the "
    "degrees of freedom of Satterthwaite."
)
SCALES = ("raw", "d_z")
POOLED, WELCH = "pooled", "welch"


def equivalence(
    frame: pd.DataFrame,
    *,
    dv: str,
    bound: float,
    lower: float | None = None,
    scale: str = "raw",
    within: Sequence[str] = (),
    between: Sequence[str] = (),
    contrasts: str | None = None,
    variances: str = POOLED,
    unit: str = "participant",
    alpha: float = 0.05,
    participant: str | None = "participant",
    item: str | None = "item",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Test whether differences between means of units lie within bounds, and whether they differ from zero.

    One row per contrast of `contrasts` (as in `rm-anova`; all pairs of levels of every factor unless given).

    Raw bounds: t = (estimate − bound)/se on df. Bounds in d_z are tested exactly, by the noncentral t with
    noncentrality bound · SD/se, not by turning them into raw ones with the SD that was found.

    With `variances=welch` groups have variances of their own: se and df are those of Welch's t test
    (`Fitted.separate`), for raw bounds only. `d_z` keeps the pooled SD within groups.

    Raises BadInput for bounds that leave out zero, and where the design cannot be analysed or a contrast not read.

    >>> frame, parameters = _example()
    >>> equivalence(frame, **parameters).table("equivalence").frame()["verdict"].tolist()
    ['undecided']
    """
    low, high = _bounds(bound, lower, scale=scale, alpha=alpha)
    if not within and not between:
        raise BadInput("Name at least one factor, with within=… or between=….")
    progress(0.2, "averaging")
    cells = averaged(frame, dv, within, between, unit=unit, units=(participant, item), where=where, keep=keep)
    fit = fitted(cells, analyse(cells))
    by_welch = _is_by_welch(variances, cells, scale=scale)
    text = contrasts or all_pairs(cells)
    lines, warnings = _lines(cells, fit, text=text, low=low, high=high, scale=scale, alpha=alpha, by_welch=by_welch)
    level = percent_text(1 - 2 * alpha)
    units, name = _units(scale, dv, kinds={bool(line["of_groups"]) for line in lines})
    bounds = f"{number_text(low)} and {number_text(high)} {units}"
    return Report(
        tables=(EQUIVALENCE.of(lines, dv=dv),),
        figures=(
            Figure(
                name="differences",
                title=f"Differences of {dv} and bounds of equivalence",
                kind="intervals",
                table="equivalence",
                encoding={"x": "size", "y": "contrast", "low": "ci_low", "high": "ci_high"},
                caption=f"{level} confidence intervals; a difference whose interval lies between {bounds} is "
                "equivalent to none.",
                x_label=f"Difference in {dv}{name}",
                reference=0.0,
            ),
        ),
        notes=(
            *cells.notes,
            *_notes(bounds, level=level, name=name, alpha=alpha),
            *([NOTE_OF_WELCH] if by_welch else []),
        ),
        warnings=(
            *cells.warnings,
            *([] if by_welch else unequal_groups(cells, what="The t test between groups")),
            *warnings,
        ),
        sentences=tuple(_sentence(line, level=level) for line in lines),
        design=cells.layout,
    )


def _bounds(bound: float, lower: float | None, *, scale: str, alpha: float) -> tuple[float, float]:
    low = -bound if lower is None else lower
    if not (np.isfinite(low) and np.isfinite(bound) and low < 0 < bound):
        raise BadInput(
            f"The bounds {low:g} and {bound:g} do not enclose zero; bound is the largest difference that is too small "
            f"to matter, above 0, and lower, where it is not −bound, lies below 0."
        )
    if scale not in SCALES:
        raise BadInput(f"scale must be raw or d_z, not '{scale}'.")
    if not 1e-6 <= alpha < 0.5:
        raise BadInput(f"alpha must lie between 0.000001 and 0.5, such as 0.05; {alpha:g} does not.")
    return low, bound


def _is_by_welch(variances: str, cells: CellMeans, *, scale: str) -> bool:
    """Return whether groups have variances of their own, which one group alone has anyway."""
    if variances not in (POOLED, WELCH):
        raise BadInput(f"variances must be {POOLED} or {WELCH}, not '{variances}'.")
    if variances == POOLED or not cells.between:
        return False
    if scale == "d_z":
        raise BadInput(
            "Bounds in standard deviations need one standard deviation for all groups, which variances=welch does not "
            "assume; give bounds in units of the measure (scale=raw), or leave variances=pooled."
        )
    single = [
        ":".join(cell) for cell, n in zip(cells.group_cells, np.bincount(cells.group_index), strict=True) if n < 2
    ]
    if single:
        raise BadInput(
            f"{listed(single)}: a single {cells.unit} has no variance of its own, which variances=welch needs; leave "
            f"variances=pooled, or leave that group out."
        )
    return True


def _lines(
    cells: CellMeans, fit: Fitted, *, text: str, low: float, high: float, scale: str, alpha: float, by_welch: bool
) -> tuple[list[dict[str, Any]], list[str]]:
    lines: list[dict[str, Any]] = []
    warnings: list[str] = []
    for family in filter(None, split(text, ";")):
        mine = []
        for name, weights in contrasts_of(family, cells):
            line: dict[str, Any] = {"family": family.replace('"', ""), "contrast": name, "low": low, "high": high}
            variance, df = fit.separate(weights) if by_welch else (fit.variance(fit.shape(weights)), fit.df)
            line |= {"estimate": fit.estimate(weights), "df": df if variance > 0 else fit.df, "p": None}
            line["of_groups"] = is_between_groups(weights)
            se = float(np.sqrt(variance))
            if se > 0:
                unit = deviation(fit, weights) if scale == "d_z" else None
                line |= {"se": se, "d_z": line["estimate"] / deviation(fit, weights)}
                line |= two_one_sided(line["estimate"], se, df, low=low, high=high, deviation=unit, alpha=alpha)
            else:
                warnings.append(f"No test is possible for {name}: it is exactly the same in every {cells.unit}.")
            mine.append(line)
        add_holm(mine)
        lines += mine
    if not lines:
        raise BadInput(
            "contrasts names none; write such as marker: because=1, cause=-1, or leave it out for all pairs."
        )
    return lines, warnings


def _units(scale: str, dv: str, *, kinds: set[bool]) -> tuple[str, str]:
    """Return the units of the bounds, and the name of a difference in them in brackets, nothing where they are raw.

    `kinds` says whether there are contrasts between groups (True) and others.
    """
    if scale != "d_z":
        return f"units of {dv}", ""
    if kinds == {False}:
        return "standard deviations of the differences (dz)", " (dz)"
    if kinds == {True}:
        return "pooled standard deviations within groups (Cohen’s d)", " (Cohen’s d)"
    return (
        "standard deviations: of the differences (dz), and between groups the pooled one within groups (Cohen’s d)",
        " (dz, between groups Cohen’s d)",
    )


def _notes(bounds: str, *, level: str, name: str, alpha: float) -> list[str]:
    unit = name.strip(" ()")
    exact = (
        f" Bounds in {unit} are tested by the noncentral t, which is exact, and the interval is that of {unit}."
        if name
        else ""
    )
    return [
        f"Two one-sided tests at α = {alpha:g} (Schuirmann 1987; Lakens 2017): a difference is equivalent to none "
        f"where it is shown to lie above the lower and below the upper bound, {bounds}; the {level} interval lies "
        f"within them then.{exact} Whether it differs from zero is a test of its own.",
        "Bounds are part of the plan: the largest difference that would be too small to matter, set before the data "
        "are seen. To say that all contrasts of a family are equivalent needs no adjustment; Holm's p is for saying "
        "it of single ones among several.",
    ]


def _sentence(line: Mapping[str, Any], *, level: str) -> str:
    subject = f"The difference {line['contrast']}"
    if line["p"] is None:
        return f"{subject} could not be tested: it is exactly the same in every unit."
    between = f"bounds {number_text(line['low'])} and {number_text(line['high'])}"
    interval = ""
    if line["ci_low"] is not None:
        interval = f", {level} CI [{number_text(line['ci_low'])}, {number_text(line['ci_high'])}]"
    return (
        f"{subject} {SAID[line['verdict']]}, {number_text(line['size'])}{interval}, {between}, equivalence "
        f"{p_text(line['p'])}, difference t({df_text(line['df'])}) = {number_text(line['t'])}, "
        f"{p_text(line['p_difference'])}."
    )


def _example() -> Example:
    frame, _ = example()
    return frame, {"dv": "z", "within": ("order",), "bound": 0.3}


METHOD = declared(
    "equivalence",
    "Equivalence (TOST)",
    "Whether a difference is too small to matter: two one-sided tests with bounds of your own.",
    equivalence,
    Parameter(
        "bound", "Upper bound", "number", help="The largest difference that would be too small to matter, above 0."
    ),
    Parameter("lower", "Lower bound", "number", help="Below 0; if empty, minus the upper bound."),
    Parameter(
        "scale",
        "Scale of the bounds",
        "choice",
        help="raw: units of the measure; d_z: standard deviations of the differences within units; between groups: d.",
        choices=SCALES,
    ),
    CONTRASTS,
    Parameter(
        "variances",
        "Variances of groups",
        "choice",
        help="pooled: one variance for all groups; welch: each group has its own.",
        choices=(POOLED, WELCH),
    ),
    Parameter("alpha", "α", "number", help="For each one-sided test."),
    group="compare",
    question=(
        "Is {measure} practically the same across {factors}?",
        "Is a measure practically the same in two conditions? Equivalence (TOST)",
    ),
    needs=("numbers", "conditions"),
    example=_example,
    tables=(EQUIVALENCE,),
)

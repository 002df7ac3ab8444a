"""Correlate two measures, by rows or by means per unit (`correlation`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats, with_ties
from analysis.methods.columns import FromData, declared_table, shares, usual
from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.measures.rank_tests import kendall_p, spearman_p, t_p
from analysis.methods.report import BadInput, Column, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import codes, joined, numbers
from analysis.methods.wording import counted, df_text, listed, p_text, percent_text, share_text

CORRELATION = declared_table(
    "correlation",
    "Correlation",
    "One row per pair of measures.",
    Column("x", "x", "text", meaning="The first measure."),
    Column("y", "y", "text", meaning="The second measure."),
    Column("how", "Coefficient", "text", meaning="spearman, pearson or kendall.", importance="detail"),
    usual("n", meaning="How many pairs of values."),
    Column("r", "r", "share", meaning="The coefficient; empty where it is not defined."),
    "p",
    shares("ci_low ci_high"),
    Column("p_method", "How p was found", "text", meaning="Exact, or by which approximation.", importance="detail"),
)
VALUES = declared_table(
    "values",
    "Values of {x} and {y}",
    "The points behind the first pair.",
    FromData("units", "What was averaged over, or the row."),
    FromData("measures", "The two measures.", "number"),
)
SYMBOLS = {"spearman": "ρ", "pearson": "r", "kendall": "τ"}


def correlation(
    frame: pd.DataFrame,
    *,
    x: Sequence[str],
    y: Sequence[str],
    how: str = "spearman",
    unit: Sequence[str] = (),
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Correlate every x with every y.

    Values are averaged over `unit` first (one or several columns), each pair over the rows where both are there.
    Before ranking, values are rounded to twelve digits each (to 1e-9, or that part of the largest value where it is
    below 1, if there are values of both signs), so that binary noise in averages and differences does not break ties.

    p: Pearson by t; Spearman exact for n ≤ 9 (all orders, ties included), by the Edgeworth series of AS 89 without
    ties below 1,290 pairs, by t otherwise; Kendall's τ-b exact without ties below 50 pairs, else normal.
    Intervals by Fisher's z with standard error 1/√(n − 3) for Pearson, √((1 + r²/2)/(n − 3)) for Spearman and
    √(0.437/(n − 4)) for Kendall (Bonett & Wright 2000); they need n > 3 (Kendall n > 4) and |r| < 1.

    A coefficient of a constant column or of fewer than three pairs is not defined: its row is empty and a warning
    says why. Raises BadInput where a column holds text.

    >>> frame = pd.DataFrame({"mean": [0.036, 0.028, -0.011, -0.028], "frequency": [180, 140, 741, 86]})
    >>> correlation(frame, x=["mean"], y=["frequency"]).sentences
    ('mean and frequency: ρ = .40, p = .750, 95 % CI [−.92, .99], n = 4.',)
    """
    check_confidence(confidence)
    both = sorted({*x, *y} & set(unit))
    if both:
        raise BadInput(f"{listed(both)} is averaged over and cannot be correlated as well; choose another column.")
    chosen = rows.select(frame, used=[*x, *y, *unit], measured=[*x, *y], where=where, keep=keep)
    values = {name: np.asarray(numbers(chosen.frame, name), dtype=np.float64) for name in dict.fromkeys((*x, *y))}
    unit_codes, unit_names, unknown = _units(chosen.frame, unit)
    warnings = [*chosen.warnings]
    if unknown:
        warnings.append(f"{counted(unknown, 'row')} had no value of {listed(unit)} and could not be used.")
    warnings += _repeated_measures(chosen.frame, unit)
    lines: list[dict[str, Any]] = []
    points = pd.DataFrame()
    for x_name, y_name in product(x, y):
        if x_name == y_name:
            raise BadInput(f"'{x_name}' is both x and y; choose two different columns.")
        names, first, second, missing = _pairs(values[x_name], values[y_name], unit_codes, unit_names)
        if missing:
            warnings.append(
                f"{counted(missing, 'row')} without a value of both '{x_name}' and '{y_name}' had no part in it."
            )
        if points.empty:
            points = pd.DataFrame({"unit": names, "x": first, "y": second})
        line, problem = correlated(first, second, names=(x_name, y_name), how=how, confidence=confidence)
        lines.append({"x": x_name, "y": y_name, "how": how, "n": len(first), **line})
        if problem:
            warnings.append(f"The correlation of {x_name} and {y_name} is not defined: {problem}.")
        progress(len(lines) / (len(x) * len(y)), "correlating")
    return Report(
        tables=(
            CORRELATION.of(lines),
            VALUES.of(points, x=x[0], y=y[0], units={listed(unit) or "Row": "unit"}, measures={x[0]: "x", y[0]: "y"}),
        ),
        figures=(
            Figure(
                name="scatter",
                title=f"{y[0]} against {x[0]}",
                kind="points",
                table="values",
                encoding={"x": "x", "y": "y"},
                x_label=x[0],
                y_label=y[0],
            ),
        ),
        notes=(*chosen.notes, *_notes(lines, unit=unit, how=how, confidence=confidence)),
        warnings=tuple(dict.fromkeys(warnings)),
        sentences=tuple(_sentence(line, how=how, confidence=confidence) for line in lines),
    )


def fisher_interval(r: float, n: int, *, how: str, confidence: float) -> tuple[float | None, float | None]:
    """Return the confidence interval of a correlation, or (None, None) where n is too small or |r| is 1."""
    room = n - (4 if how == "kendall" else 3)
    if room <= 0 or abs(r) >= 1:
        return None, None
    variance = {"pearson": 1.0, "spearman": 1 + r**2 / 2, "kendall": 0.437}[how] / room
    half = float(scipy.stats.norm.isf((1 - confidence) / 2)) * math.sqrt(variance)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def _units(frame: pd.DataFrame, unit: Sequence[str]) -> tuple[Any, list[str], int]:
    if not unit:
        return np.arange(len(frame)), [str(position + 1) for position in range(len(frame))], 0
    units = joined(frame, unit)
    return units.positions, list(units.levels), int((units.positions < 0).sum())


def _pairs(x: Floats, y: Floats, units: Any, names: list[str]) -> tuple[list[str], Floats, Floats, int]:
    usable = ~np.isnan(x) & ~np.isnan(y) & (units >= 0)
    counts = np.bincount(units[usable], minlength=len(names))
    present = counts > 0
    first = np.bincount(units[usable], weights=x[usable], minlength=len(names))[present] / counts[present]
    second = np.bincount(units[usable], weights=y[usable], minlength=len(names))[present] / counts[present]
    kept = [name for name, there in zip(names, present, strict=True) if there]
    return kept, first, second, int(((np.isnan(x) | np.isnan(y)) & (units >= 0)).sum())


def correlated(
    x: Floats, y: Floats, *, names: tuple[str, str], how: str, confidence: float
) -> tuple[dict[str, Any], str]:
    """Return r, p, p_method, ci_low and ci_high of two columns without gaps, and why they are None where they are."""
    empty: dict[str, Any] = {"r": None, "p": None, "ci_low": None, "ci_high": None, "p_method": None}
    n = len(x)
    if n < 3:
        return empty, f"it needs at least three pairs of values and there {'is' if n == 1 else 'are'} {n}"
    exact_x, exact_y = x, y
    x, y = with_ties(x), with_ties(y)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return empty, f"all values of {names[0] if np.ptp(x) == 0 else names[1]} are equal"
    if how == "pearson":
        r = _without_last_digit(float(np.corrcoef(exact_x, exact_y)[0, 1]))
        p, method = t_p(r, n), "t"
    elif how == "kendall":
        r = _without_last_digit(float(scipy.stats.kendalltau(x, y).statistic))
        p, method = kendall_p(x, y)
    else:
        r = _without_last_digit(float(np.corrcoef(scipy.stats.rankdata(x), scipy.stats.rankdata(y))[0, 1]))
        p, method = spearman_p(x, y, r)
    low, high = fisher_interval(r, n, how=how, confidence=confidence)
    return {"r": r, "p": p, "ci_low": low, "ci_high": high, "p_method": method}, ""


def _without_last_digit(r: float) -> float:
    """Return ±1 for what rounding left one digit short of it, which would have an interval of no width."""
    return math.copysign(1.0, r) if abs(r) > 1 - 1e-12 else r


def _repeated_measures(frame: pd.DataFrame, unit: Sequence[str]) -> list[str]:
    if unit or "participant" not in frame.columns:
        return []
    people = codes(frame, "participant").dropna()
    if people.nunique() == len(people):
        return []
    return [
        "Several rows come from the same participant, and p treats all rows as independent; average over participants, "
        "items or conditions first with unit=…."
    ]


def _notes(lines: Sequence[dict[str, Any]], *, unit: Sequence[str], how: str, confidence: float) -> list[str]:
    name = {"spearman": "Spearman's ρ", "pearson": "Pearson's r", "kendall": "Kendall's τ-b"}[how]
    notes = [f"{name} of {'means per ' + listed(unit) if unit else 'single rows'}; p is two-sided."]
    for method in dict.fromkeys(line["p_method"] for line in lines if line["p_method"]):
        notes.append(f"p by: {method}.")
    if how != "pearson":
        notes.append("Values were rounded to twelve digits before ranking, so that binary noise does not break ties.")
    if any(line["ci_low"] is not None for line in lines):
        error = {"spearman": " (Bonett & Wright 2000)", "pearson": "", "kendall": " (Bonett & Wright 2000)"}[how]
        notes.append(f"{percent_text(confidence)} confidence intervals by Fisher's z{error}.")
    bare = [f"{line['x']} and {line['y']}" for line in lines if line["r"] is not None and line["ci_low"] is None]
    if bare:
        notes.append(
            f"No confidence interval is given for {listed(bare, shown=12)}: it needs more pairs, and a coefficient "
            f"other than ±1."
        )
    return notes


def _sentence(line: dict[str, Any], *, how: str, confidence: float) -> str:
    pair = f"{line['x']} and {line['y']}"
    if line["r"] is None:
        return f"{pair}: correlation not defined, n = {line['n']}."
    text = f"{SYMBOLS[how]} = {share_text(line['r'])}"
    if how == "pearson":
        text = f"r({df_text(line['n'] - 2)}) = {share_text(line['r'])}"
    interval = ""
    if line["ci_low"] is not None:
        low, high = share_text(line["ci_low"]), share_text(line["ci_high"])
        interval = f", {percent_text(confidence)} CI [{low}, {high}]"
    return f"{pair}: {text}, {p_text(line['p'])}{interval}, n = {line['n']}."


def _example() -> Example:
    random = np.random.default_rng(11)
    words = random.integers(8, 24, size=20)
    lines = [
        {"item": f"I{i}", "words": int(words[i]), "z": round(float(random.normal()) - 0.05 * int(words[i]), 3)}
        for i in range(20)
    ]
    return pd.DataFrame(lines), {"x": ("words",), "y": ("z",)}


METHOD = declared(
    "correlation",
    "Correlation",
    "Spearman, Pearson or Kendall, of single rows or of means per unit, exact where possible.",
    correlation,
    Parameter("x", "x", "columns", help="One measure, or several.", role="measure"),
    Parameter("y", "y", "columns", help="One measure, or several.", role="measure"),
    Parameter("how", "Coefficient", "choice", choices=("spearman", "pearson", "kendall")),
    Parameter("unit", "Average over", "columns", help="Average both measures within these columns first.", role="unit"),
    group="predict",
    question=("Are {x} and {y} related?", "Are two measures related?"),
    needs=("two numbers",),
    example=_example,
    tables=(CORRELATION, VALUES),
)

"""Measure inter-coder agreement: raw agreement, Cohen's κ per code, Krippendorff's α (`agreement`)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.codes.agreement_report import AGREEMENT, PAIRS, report_of, with_icc
from analysis.methods.codes.coefficients_of_agreement import METRICS, Pair, alpha, cohen, raw_agreement
from analysis.methods.codes.columns import NONE, Coded, coded, read_as_several, split
from analysis.methods.codes.intraclass import ICC, intraclass
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import codes as codes_of
from analysis.methods.rows.columns import numbers, required
from analysis.methods.wording import counted, listed

MUCH_FEWER = 3
"""A pair with fewer than a third of the units of another weighs as much as that in the mean over pairs."""


def agreement(
    frame: pd.DataFrame,
    *,
    unit: tuple[str, ...],
    coder: str | None = None,
    code: tuple[str, ...] = (),
    metric: str = "nominal",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Measure how far coders agree.

    `frame` is long: one row per unit and coder. `unit` names the column (or columns) that identify what was coded,
    `coder` who did it, `code` either one column (a value, or several codes such as `2+3`) or several columns of 0/1.
    A coder may leave units out.

    κ is Cohen's (1960, *Educational and Psychological Measurement* 20, 37–46); with more than two coders it is the mean
    over pairs of coders (Light's κ). Intervals of κ: Fleiss, Cohen and Everitt (1969, *Psychological Bulletin* 72,
    323–327), for two coders. α is Krippendorff's (2004, *Content Analysis*, chapter 11), α = 1 − D_o/D_e, with the
    difference that `metric` names; a metric other than nominal needs numbers, and interval and ratio add intraclass
    correlations (`analysis.methods.codes.intraclass`). Where all coders gave one and the same value throughout, κ and α
    are 0/0: empty, and said in words.

    Raises BadInput for fewer than two coders, a coder who coded a unit twice, and no unit with two codings.

    >>> long = pd.DataFrame({
    ...     "unit": list("aabbccdd"), "coder": ["x", "y"] * 4, "code": ["1", "1", "2", "2", "1", "2", "2", "2"],
    ... })
    >>> report = agreement(long, unit=("unit",), coder="coder", code=("code",))
    >>> [round(value, 3) if isinstance(value, float) else value for value in report.table("agreement").rows[0][:5]]
    ['all', 4, 0.75, 0.5, 0.533]
    """
    coder = required(frame, coder, role="coder")
    if not code:
        raise BadInput("Name the codes with code=…: one column, or several columns of 0 and 1.")
    if metric not in METRICS:
        raise BadInput(f"metric must be one of {listed(METRICS)}, not '{metric}'.")
    chosen = rows.select(frame, used=(*unit, coder, *code), measured=code, where=where, keep=keep)
    notes, warnings = list(chosen.notes), list(chosen.warnings)
    part = _coded_rows(chosen.frame, unit=unit, coder=coder, code=code, notes=notes)
    if metric == "nominal":
        warnings += read_as_several(part, code)
    units, coders, names = _who_coded_what(part, unit=unit, coder=coder)
    sheets = _sheets(part, code=code, metric=metric, units=units, coders=coders, many=len(names))
    first = next(iter(sheets.values()))
    paired = int(((~np.isnan(first)).sum(axis=1) > 1).sum())
    if paired == 0:
        raise BadInput(
            f"No unit was coded by two coders; agreement needs the same units coded twice. Check that unit names what "
            f"identifies a text that was coded, which now is {listed(unit)}."
        )
    if once := len(first) - paired:
        notes.append(f"{counted(once, 'unit')} coded by one coder only say nothing about agreement and do not count.")
    results, pairs = [], []
    for done, (name, values) in enumerate(sheets.items()):
        progress(done / len(sheets), f"Code {name}")
        row, of_pairs = _measured(name, values, metric, names, warnings)
        results.append(row)
        pairs.extend(of_pairs)
    made = report_of(results, pairs, names=names, metric=metric, notes=notes, warnings=warnings)
    return made if metric not in ("interval", "ratio") else with_icc(made, intraclass(first))


def _coded_rows(
    frame: pd.DataFrame, *, unit: tuple[str, ...], coder: str, code: tuple[str, ...], notes: list[str]
) -> pd.DataFrame:
    empty = np.zeros(len(frame), dtype=bool)
    for column in (*unit, coder, *code):
        empty |= codes_of(frame, column).isna().to_numpy()
    if empty.any():
        notes.append(f"{counted(int(empty.sum()), 'row')} without unit, coder or code left out.")
    if empty.all():
        raise BadInput("No row has a unit, a coder and a code.")
    return frame.iloc[np.flatnonzero(~empty)]


def _who_coded_what(
    frame: pd.DataFrame, *, unit: tuple[str, ...], coder: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], tuple[str, ...]]:
    units = np.zeros(len(frame), dtype=np.int64)
    for column in unit:
        number, distinct = pd.factorize(codes_of(frame, column))
        units = pd.factorize(units * len(distinct) + number)[0].astype(np.int64)
    coders, found = pd.factorize(codes_of(frame, coder), sort=True)
    names = tuple(str(name) for name in found)
    if len(names) < 2:
        raise BadInput(f"Column '{coder}' names only one coder ({names[0]}); agreement needs at least two.")
    cell = units * len(names) + coders
    first = np.unique(cell, return_index=True)[1]
    if len(first) < len(cell):
        again = int(np.setdiff1d(np.arange(len(cell)), first)[0])
        named = " ".join(str(codes_of(frame, column).iloc[again]) for column in unit)
        raise BadInput(
            f"Coder {names[int(coders[again])]} coded {named} more than once ({counted(len(cell) - len(first), 'row')} "
            f"like that); name all columns that identify a unit with unit=a,b, or remove the repetition."
        )
    return units, coders.astype(np.int64), names


def _sheets(
    frame: pd.DataFrame,
    *,
    code: tuple[str, ...],
    metric: str,
    units: npt.NDArray[np.int64],
    coders: npt.NDArray[np.int64],
    many: int,
) -> dict[str, Floats]:
    """Return the values[unit, coder] of codings as a whole (`all`) and of every code, NaN where there is no coding."""

    def sheet(entries: Floats) -> Floats:
        values = np.full((int(units.max()) + 1, many), np.nan)
        values[units, coders] = entries
        return values

    if metric != "nominal":
        if len(code) > 1:
            raise BadInput(f"The metric {metric} compares numbers of one column; name one code column.")
        given = np.asarray(numbers(frame, code[0]), dtype=np.float64)
        if metric == "ratio" and bool((given < 0).any()):
            raise BadInput(f"The metric ratio needs numbers of 0 and above; column '{code[0]}' has negative ones.")
        return {"all": sheet(given)}
    read = coded(frame, code)
    single = [(name, sheet(read.has[:, place])) for place, name in enumerate(read.names)]
    return dict(single) if len(single) == 1 else dict([("all", sheet(_whole(frame, code, read))), *single])


def _whole(frame: pd.DataFrame, code: tuple[str, ...], read: Coded) -> Floats:
    """Return a number for every distinct coding as a whole: `2+3` and `3+2` are the same."""
    if len(code) == 1:
        cells = codes_of(frame, code[0])
        sets = cells.map(lambda cell: "none" if cell.casefold() in NONE else "+".join(split(cell)))
        return pd.factorize(sets)[0].astype(np.float64)
    return np.unique(read.has, axis=0, return_inverse=True)[1].reshape(-1).astype(np.float64)


def _measured(
    code: str, values: Floats, metric: str, names: tuple[str, ...], warnings: list[str]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the row of a code, and those of its pairs of coders; add what must be said of them to `warnings`."""
    comparable = values[(~np.isnan(values)).sum(axis=1) > 1]
    pairs: list[tuple[str, str, Pair]] = []
    for first, second in combinations(range(len(names)), 2):
        both = ~np.isnan(values[:, first]) & ~np.isnan(values[:, second])
        if both.any():
            pairs.append((names[first], names[second], cohen(values[both, first], values[both, second])))
    defined = [pair for _, _, pair in pairs if not np.isnan(pair.kappa)]
    kappa = float(np.mean([pair.kappa for pair in defined])) if defined else float("nan")
    alone = pairs[0][2] if len(pairs) == 1 and len(names) == 2 else None
    found_alpha = alpha(values, metric)
    what = "all codings" if code == "all" else f"code {code}"
    if not defined:
        warnings.append(
            f"κ of {what} is not defined: every coder gave the same value throughout, so there is no chance agreement "
            f"to correct for. Raw agreement is all that can be said."
        )
    elif len(defined) < len(pairs):
        warnings.append(
            f"κ of {what} is the mean over {len(defined)} of {len(pairs)} pairs of coders; in the others both gave one "
            f"and the same value throughout."
        )
    sizes = [pair.n for pair in defined]
    if sizes and max(sizes) > MUCH_FEWER * min(sizes):
        warnings.append(
            f"κ of {what} is the mean over pairs of coders, each with the same weight, and they share from "
            f"{min(sizes):,} to {counted(max(sizes), 'unit')}; what few units give is chance. Look at the table of "
            f"pairs, or take α, which weighs every coding."
        )
    if alone and defined and np.isnan(alone.ci_low):
        warnings.append(
            f"κ of {what} has no interval: the formula is for many units on which coders now agree and now do not, "
            f"and would give one without any width, although κ is not certain here."
        )
    if np.isnan(found_alpha) and defined:
        warnings.append(f"α of {what} is not defined: only one value occurs among the units coded twice.")
    row = {
        "code": code,
        "n": len(comparable),
        "raw": raw_agreement(values),
        "kappa": kappa,
        "alpha": found_alpha,
        "kappa_low": alone.ci_low if alone else None,
        "kappa_high": alone.ci_high if alone else None,
        "prevalence": float(np.nanmean(comparable)) if code != "all" else None,
    }
    return row, [{"code": code, "a": a, "b": b, **vars(pair)} for a, b, pair in pairs]


def _example() -> tuple[pd.DataFrame, dict[str, Any]]:
    random = np.random.default_rng(4)
    pool = ["0", "0", "1", "2+3", "3", "4"]
    made = []
    for unit in range(1, 31):
        first = str(random.choice(pool))
        made.append({"unit": f"R{unit}", "coder": "AB", "code": first})
        made.append({"unit": f"R{unit}", "coder": "CD", "code": first if unit % 4 else str(random.choice(pool))})
    return pd.DataFrame(made), {"unit": "unit", "coder": "coder", "code": "code"}


METHOD = declared(
    "agreement",
    "Agreement between coders",
    "Raw agreement, Cohen's κ for each code, and Krippendorff's α; some codings may be missing.",
    agreement,
    Parameter("unit", "Unit that was coded", "columns", default="unit", role="unit", also=("units",)),
    Parameter(
        "coder", "Coder", "column", required=True, default="coder", role="unit", also=("coders", "rater", "annotator")
    ),
    Parameter("code", "Codes", "columns", required=True, default="code", role="measure", also=("codes", "columns")),
    Parameter("metric", "Level of measurement for α", "choice", choices=METRICS),
    group="agreement",
    question=("Do the coders agree?",),
    needs=("codes",),
    example=_example,
    tables=(AGREEMENT, PAIRS, ICC),
)

"""Average rows to means of every unit (participant or item) in every cell, for complete units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import ROUNDING, Floats, Integers
from analysis.methods.conditions.cell_names import rare_cells
from analysis.methods.conditions.constant_factors import constant_factors
from analysis.methods.error_rates.recorded import beyond_one_unit
from analysis.methods.report import BadInput, TooFew
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import coded, numbers, required
from analysis.methods.rows.design import PEOPLE, THINGS
from analysis.methods.rows.measure import formula_of, other_model
from analysis.methods.wording import counted, listed, percent_text

# Of the factors within units, and of those between them: twelve of two levels each.
MOST_CELLS = 4_096


@dataclass(frozen=True)
class Factor:
    """An independent variable and its levels."""

    name: str
    levels: tuple[str, ...]


@dataclass(frozen=True)
class CellMeans:
    """Means of n complete units in K cells.

    `means` and `trials` (number of observations behind each mean) are n × K, cells in the order of `cells` (the last
    factor changes fastest); `groups` is n × number of between factors and holds level indices.
    `layout` is the design as the rows show it.
    """

    dv: str
    unit: str
    units: tuple[str, ...]
    within: tuple[Factor, ...]
    between: tuple[Factor, ...]
    means: Floats
    trials: Integers
    groups: Integers
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    layout: str = ""

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Return the within cells as tuples of levels; a single empty tuple without within factors."""
        return list(product(*(factor.levels for factor in self.within)))

    @property
    def group_cells(self) -> list[tuple[str, ...]]:
        """Return the between cells as tuples of levels."""
        return list(product(*(factor.levels for factor in self.between)))

    @property
    def noise(self) -> Floats:
        """Return for every cell the sum of squares over units that rounding alone can make."""
        return np.asarray(len(self.means) * (ROUNDING * np.abs(self.means).max(axis=0)) ** 2, dtype=np.float64)

    @property
    def group_index(self) -> Integers:
        """Return for every unit the position of its group in `group_cells`."""
        if not self.between:
            return np.zeros(len(self.units), dtype=np.intp)
        sizes = [len(factor.levels) for factor in self.between]
        return np.asarray(np.ravel_multi_index(tuple(self.groups.T), sizes), dtype=np.intp)


@dataclass(frozen=True)
class Advice:
    """What a refusal proposes: where a factor has one level within every unit, and where too few units are complete."""

    constant: str = ": name it as a between factor."
    incomplete: str = "Use fewer factors or another unit; a mixed model where they lack cells by design."


def averaged(
    frame: pd.DataFrame,
    dv: str,
    within: Sequence[str],
    between: Sequence[str] = (),
    *,
    unit: str,
    units: tuple[str | None, str | None],
    where: str | None,
    keep: str | None,
    advice: Advice | None = None,
) -> CellMeans:
    """Return `cell_means` of the rows that an analysis uses; its notes tell of both.

    `units` are the columns of participants and items, and `unit` says whose means they are.
    """
    column = units[1] if unit == "item" else units[0]
    used = [dv, column, *within, *between]
    chosen = rows.select(frame, used=used, measured=[dv], units=units, where=where, keep=keep)
    own, other = (units[1], units[0]) if unit == "item" else units
    chosen = rows.with_design(
        chosen,
        units=dict(zip((PEOPLE, THINGS), units, strict=True)),
        factors=(*within, *between),
        measure=dv,
        # Which units a factor is within is said by the analysis, and only the units whose means they are matter.
        within={(str(name), str(other)) for name in chosen.frame.columns} | {(name, str(own)) for name in within},
    )
    cells = cell_means(chosen.frame, dv=dv, unit=column, unit_role=unit, within=within, between=between, advice=advice)
    # A method that does with ranks has advice of its own.
    asked = other_model(chosen.frame, dv, formula_of(dv, chosen.layout)) if chosen.layout and advice is None else []
    return replace(
        cells,
        notes=(*chosen.notes, *cells.notes),
        warnings=(*chosen.warnings, *asked, *cells.warnings),
        layout=chosen.design,
    )


def of_others(frame: pd.DataFrame, method: str, *, unit: str, units: tuple[str | None, str | None]) -> list[str]:
    """Return the warning that means of one unit say nothing about others of the other one, where these are there.

    >>> frame = pd.DataFrame({"participant": ["a", "b"], "item": ["1", "1"]})
    >>> of_others(frame, "tukey", unit="participant", units=("participant", "item"))
    []
    """
    other = units[0] if unit == "item" else units[1]
    if other is None or other not in frame.columns or len(coded(frame, other).levels) < 2:
        return []
    return [beyond_one_unit(method, unit)]


def cell_means(
    frame: pd.DataFrame,
    *,
    dv: str,
    unit: str | None,
    unit_role: str = "participant",
    within: Sequence[str] = (),
    between: Sequence[str] = (),
    advice: Advice | None = None,
) -> CellMeans:
    """Average a measure per unit and cell, and leave out units that lack a cell.

    `advice` is for methods that can do less than an analysis of variance.
    Raises BadInput where a column is missing or no number, a factor has one level, a between factor varies within a
    unit, a combination of levels never occurs, or fewer than two units are complete.

    >>> frame = pd.DataFrame({"p": ["a", "a", "b", "b"], "order": ["x", "y", "x", "y"], "z": [1.0, 2.0, 3.0, 5.0]})
    >>> cell_means(frame, dv="z", unit="p", within=["order"]).means.tolist()
    [[1.0, 2.0], [3.0, 5.0]]
    """
    unit = required(frame, unit, role=unit_role)
    _check_names(dv=dv, unit=unit, factors=[*within, *between])
    value = np.asarray(numbers(frame, dv), dtype=np.float64)
    read = {name: coded(frame, name) for name in (*within, *between)}
    factors = [Factor(name, column.levels) for name, column in read.items()]
    for factor in factors:
        _check_levels(factor)
    indices = {name: column.positions for name, column in read.items()}
    of_units = coded(frame, unit)
    units, unit_index = of_units.levels, of_units.positions
    for some in (factors[: len(within)], factors[len(within) :]):
        _check_number_of_cells(some)
    known = unit_index >= 0
    for index in indices.values():
        known &= index >= 0
    usable = known & ~np.isnan(value)
    notes, warnings = _remarks(dv=dv, unit=unit, known=known, value=value)
    if not usable.any():
        raise BadInput(f"There is no row with a value of '{dv}', a '{unit}' and a level of every factor.")

    within_factors, between_factors = tuple(factors[: len(within)]), tuple(factors[len(within) :])
    groups, groupless = _groups(units, unit_index, known, between_factors, indices, unit, unit_role)
    sizes = [len(factor.levels) for factor in within_factors]
    cell_count = int(np.prod(sizes)) if sizes else 1
    cell = np.zeros(len(frame), dtype=np.intp)
    for factor in within_factors:
        cell = cell * len(factor.levels) + indices[factor.name]
    flat = unit_index[usable] * cell_count + cell[usable]
    trials = np.bincount(flat, minlength=len(units) * cell_count).reshape(len(units), cell_count)
    origin = _origin(value[usable])
    sums = np.bincount(flat, weights=value[usable] - origin, minlength=len(units) * cell_count).reshape(trials.shape)
    complete = (trials > 0).all(axis=1) & ~groupless
    left_out = tuple(np.array(units, dtype=object)[~complete])
    design = CellMeans(
        dv=dv,
        unit=unit,
        units=tuple(np.array(units, dtype=object)[complete]),
        within=within_factors,
        between=between_factors,
        means=origin + sums[complete] / trials[complete],
        trials=trials[complete].astype(np.intp),
        groups=groups[complete],
        left_out=left_out,
        notes=(),
        warnings=warnings,
    )
    advice = advice or Advice()
    if not design.units:
        _check_within(constant_factors(frame, dv=dv, unit=unit, factors=within), unit=unit, advice=advice)
    _check_complete(design, trials=trials, advice=advice)
    return _described(design, notes=notes, observations=int(usable.sum()))


def _origin(value: Floats) -> float:
    """Return a number around which values are summed, so that a large one common to all costs no digits.

    Differences are exact where no value is more than twice another (Sterbenz); other values are summed as they are.
    """
    low, high = float(value.min()), float(value.max())
    return low if (low > 0 and high <= 2 * low) or (high < 0 and 2 * high <= low) else 0.0


def _check_names(*, dv: str, unit: str, factors: Sequence[str]) -> None:
    for name in factors:
        if list(factors).count(name) > 1:
            raise BadInput(f"'{name}' is named as a factor twice; name every factor once.")
        if name in (dv, unit):
            what = "measure" if name == dv else "unit of analysis"
            raise BadInput(f"'{name}' is the {what} and cannot be a factor as well; choose another column.")
    if dv == unit:
        raise BadInput(f"'{dv}' cannot be both the measure and the unit of analysis; choose another column.")


def _check_levels(factor: Factor) -> None:
    if not factor.levels:
        raise BadInput(f"Factor '{factor.name}' is empty in every row; choose a column that holds its levels.")
    if len(factor.levels) == 1:
        raise BadInput(
            f"Factor '{factor.name}' has one level only ('{factor.levels[0]}'); "
            f"a factor needs at least two levels, so leave it out or check the data."
        )


def _check_number_of_cells(factors: Sequence[Factor]) -> None:
    count = math.prod(len(factor.levels) for factor in factors)
    if count > MOST_CELLS:
        raise BadInput(
            f"{counted(len(factors), 'factor')} make {count:,} combinations of levels; at most {MOST_CELLS:,} are "
            "computed. Leave out factors, or choose columns with fewer levels."
        )


def _check_within(constant: Sequence[str], *, unit: str, advice: Advice) -> None:
    if constant:
        raise TooFew(
            f"Every {unit} has one level of {listed(constant)} only, so this differs between {unit}s{advice.constant}"
        )


def _remarks(*, dv: str, unit: str, known: npt.NDArray[np.bool_], value: Floats) -> tuple[list[str], tuple[str, ...]]:
    notes: list[str] = []
    warnings: list[str] = []
    missing = int((np.isnan(value) & known).sum())
    if missing:
        notes.append(f"{counted(missing, 'row')} without a value of '{dv}' had no part in the means.")
    unknown = int((~known).sum())
    if unknown:
        warnings.append(f"{counted(unknown, 'row')} had no '{unit}' or no level of a factor and could not be used.")
    return notes, tuple(warnings)


def _groups(
    units: tuple[str, ...],
    unit_index: Integers,
    known: npt.NDArray[np.bool_],
    between: tuple[Factor, ...],
    indices: dict[str, Integers],
    unit: str,
    unit_role: str,
) -> tuple[Integers, npt.NDArray[np.bool_]]:
    groups = np.full((len(units), len(between)), -1, dtype=np.intp)
    for position, factor in enumerate(between):
        level = indices[factor.name]
        groups[unit_index[known], position] = level[known]
        varies = known & (groups[unit_index, position] != level)
        if varies.any():
            name = units[int(unit_index[np.flatnonzero(varies)[0]])]
            raise BadInput(
                f"{unit} '{name}' has more than one level of '{factor.name}'; a between factor has one level per "
                f"{unit}. Where ids begin anew in every {factor.name}, join them: {unit_role}={factor.name}:{unit}. "
                f"Else name it as a within factor, or correct the data."
            )
    return groups, np.asarray((groups < 0).any(axis=1), dtype=np.bool_)


def _check_complete(design: CellMeans, *, trials: npt.NDArray[Any], advice: Advice) -> None:
    never = [cell for cell, count in zip(design.cells, trials.sum(axis=0), strict=True) if count == 0]
    factors = [factor.name for factor in design.within]
    if never:
        shown = listed((":".join(cell) for cell in never), shown=4)
        raise TooFew(
            f"The {'combination' if len(never) == 1 else 'combinations'} {shown} of {listed(factors)} never "
            f"{'occurs' if len(never) == 1 else 'occur'} with a value of '{design.dv}'; every combination must occur. "
            f"Leave a factor out, or restrict its levels with where."
        )
    if len(design.units) < 2:
        found = f"Only 1 {design.unit} has" if design.units else f"No {design.unit} has"
        raise TooFew(
            f"{found} a value of '{design.dv}' in every one of the {len(design.cells)} cells of "
            f"{listed(factors) or 'the design'} (of {trials.shape[0]:,}); at least two are needed. "
            f"{rare_cells(design.cells, trials, unit=design.unit)}{advice.incomplete}"
        )
    sizes = np.bincount(design.group_index, minlength=len(design.group_cells))
    empty = [":".join(cell) for cell, size in zip(design.group_cells, sizes, strict=True) if size == 0]
    if design.between and empty:
        names = listed(factor.name for factor in design.between)
        raise TooFew(
            f"No complete {design.unit} is in group {listed(empty, shown=4)} of {names}; every group needs some. "
            f"Leave a between factor out, or restrict its levels with where."
        )
    if len(design.units) <= len(design.group_cells):
        raise TooFew(
            f"There are {len(design.units)} complete {design.unit}s in {len(design.group_cells)} groups; "
            f"there must be more {design.unit}s than groups to estimate an error."
        )
    if np.ptp(design.means) <= ROUNDING * np.abs(design.means).max():
        raise BadInput(
            f"All means of '{design.dv}' are {design.means.flat[0]:g}; without variance there is nothing to analyse."
        )


def _described(design: CellMeans, *, notes: list[str], observations: int) -> CellMeans:
    low, high = int(design.trials.min()), int(design.trials.max())
    behind = f"{low} to {high} observations" if low != high else counted(low, "observation")
    cells = counted(len(design.cells), "cell")
    notes.append(
        f"{observations:,} values of '{design.dv}' were averaged per {design.unit} and cell; the analysis rests on "
        f"{len(design.units):,} {design.unit}s × {cells} ({behind} behind each mean)."
    )
    if design.left_out:
        notes.append(
            f"Left out, because at least one cell had no value: {counted(len(design.left_out), design.unit)} "
            f"({listed(design.left_out, shown=40)})."
        )
    warnings = list(design.warnings)
    share = len(design.left_out) / (len(design.left_out) + len(design.units))
    if share > 0.1:
        warnings.append(
            f"{percent_text(round(share, 2))} of the {design.unit}s lack a cell and were left out; "
            f"a mixed model (lmm) would use their data."
        )
    return replace(design, notes=tuple(notes), warnings=tuple(warnings))

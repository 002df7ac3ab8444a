"""Rows that were counted twice: exact copies, and one participant's answers to one item that repeat.

A table that was pasted twice halves every standard error without a word from the model, so each method that reads rows
warns of it. Repetition that belongs to the design, such as three answers of everybody to every item, is not warned of:
what is odd is a row that repeats where rows otherwise do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Integers
from analysis.methods.rows.columns import joined, repeated
from analysis.methods.rows.combined import shared
from analysis.methods.rows.factors import Factor, factor_of
from analysis.methods.wording import counted, listed

PERSON, ITEM = "participant", "item"
NUMBERED = ("trial", "position")
COUNTED_AGAIN = "and counted again"
MEASURED_ONCE = "whose text is measured once"
# Columns that tell answers to one item apart, in the exports of the platform and in many others.
TELLING = ("condition", "session", "block", "phase", "region", "aoi", "coder", "system", "repetition")
# So many of the rows may repeat before repetition is the design and not a slip.
MOST = 0.5


def repeated_rows(
    frame: pd.DataFrame, *, used: Sequence[str], measured: Sequence[str] = (), units: Sequence[str] = ()
) -> list[str]:
    """Return a warning of exact copies of rows, else one of pairs of participant and item that repeat.

    `used` are the columns under analysis and `measured` those of them whose equal values mean nothing: two people, or
    two trials, may well give the same rating. `units` are the columns of participants and items, where they are known.

    >>> pasted = pd.DataFrame({"who": ["a", "b", "a", "b"], "word": ["x"] * 4, "rt": ["410", "520", "410", "520"]})
    >>> repeated_rows(pasted, used=["who", "word", "rt"], measured=["rt"])
    ['2 rows are exact copies of an earlier row and counted again; check whether the data were joined or pasted twice.']
    >>> ratings = pd.DataFrame({"who": ["a", "a", "a", "b", "b"], "rating": ["5", "5", "4", "2", "3"]})
    >>> repeated_rows(ratings, used=["who", "rating"], measured=["rating"])
    []
    """
    names = [name for name in frame.columns if name in {*used, *units, PERSON, ITEM, *NUMBERED}]
    if not names or len(frame) < 2:
        return []
    copies = _copies(frame, names)
    if copies.any() and _rows_are_told_apart(frame.loc[~copies], measured=measured, units=units):
        return exact_copies(int(copies.sum()))
    return _repeated_pairs(frame, used=used, measured=measured, units=units)


def exact_copies(number: int, consequence: str = COUNTED_AGAIN) -> list[str]:
    """Return the warning of so many exact copies of rows and what becomes of them; none where there are none."""
    if not number:
        return []
    return [
        f"{counted(number, 'row is an exact copy', 'rows are exact copies')} of an earlier row {consequence}; check "
        f"whether the data were joined or pasted twice."
    ]


def _copies(frame: pd.DataFrame, names: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return which rows are exact copies of an earlier one; all columns are looked at only where some are alike."""
    alike = shared(_with_missing_cells(factor_of(frame[name])) for name in names)
    copies = np.zeros(len(frame), dtype=bool)
    if alike.any():
        copies[alike] = frame.loc[alike].duplicated().to_numpy(dtype=bool)
    return copies


def _with_missing_cells(factor: Factor) -> tuple[Integers, int]:
    """Return a column as positions among its values, a missing cell being one of them."""
    return factor.positions + 1, len(factor.values) + 1


def _rows_are_told_apart(distinct: pd.DataFrame, *, measured: Sequence[str], units: Sequence[str]) -> bool:
    """Say whether something other than the measure tells rows apart, so that copies cannot be chance."""
    keys = [name for name in distinct.columns if name not in measured and not _is_fractional(distinct[name])]
    if not keys:
        return False
    alike = float(distinct.duplicated(subset=keys, keep=False).mean())
    return alike < MOST or bool({*units, PERSON, ITEM} <= {*distinct.columns} and len(units) > 1)


def _is_fractional(column: pd.Series[Any]) -> bool:
    """Say whether a column holds measured numbers, such as 412.6, rather than names or numbers of things."""
    if pd.api.types.is_float_dtype(column):
        values = column.dropna()
        return bool((values % 1 != 0).any())
    if pd.api.types.is_numeric_dtype(column):
        return False
    text = {str(cell).strip() for cell in column.iloc[:200].tolist() if not pd.isna(cell)} - {""}
    parsed = pd.to_numeric(pd.Series([*text], dtype=object), errors="coerce")
    return bool(len(parsed) and parsed.notna().all() and (parsed % 1 > 0).any())


def _repeated_pairs(
    frame: pd.DataFrame, *, used: Sequence[str], measured: Sequence[str], units: Sequence[str]
) -> list[str]:
    known = [name for name in units if name in frame.columns]
    pair = known if len(known) == 2 else [name for name in (PERSON, ITEM) if name in frame.columns]
    if len(pair) != 2 or _is_finer_than_trials(frame, pair):
        return []
    design = [name for name in dict.fromkeys((*used, *TELLING)) if name in frame.columns]
    design = [name for name in design if name not in (*pair, *measured, *NUMBERED) and not _is_fractional(frame[name])]
    several = repeated(frame, [*pair, *design])
    if not several.any() or float(several.mean()) > MOST:
        return []
    cells = joined(frame.loc[several], [*pair, *design])
    cells_repeated = len(cells.levels)
    first = str(cells.levels[0]).replace(":", ", ")
    within = f" in one condition ({listed(design)})" if design else ""
    return [
        f"{counted(cells_repeated, 'pair')} of {pair[0]} and {pair[1]} {'has' if cells_repeated == 1 else 'have'} "
        f"several rows{within}, while the others have one (for example {first}); check whether rows were joined or "
        f"pasted twice, and leave out what was counted again."
    ]


def _is_finer_than_trials(frame: pd.DataFrame, pair: Sequence[str]) -> bool:
    """Say whether a trial has several rows, such as a row for every word or visit; then items repeat by themselves."""
    numbered = next((name for name in NUMBERED if name in frame.columns and name not in pair), None)
    return numbered is not None and all(bool(repeated(frame, [unit, numbered]).any()) for unit in pair)

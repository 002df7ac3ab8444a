"""Read numbers with decimal commas, if declared or unambiguous."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.report import BadInput
from analysis.methods.rows.columns import NO_NUMBER
from analysis.methods.wording import listed
from experiments.formats.csvtext import Decimal

FIRST = 50  # rows that show whether a column may be one of numbers

_WITH_COMMA = re.compile(r"[-+−]?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?(?:[eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_WITH_POINT = re.compile(r"[-+−]?\d*\.\d+(?:[eE][-+]?\d+)?")
# 1,234 may be a thousand; 1,5 and 1.234,5 are not. No number of thousands begins with 0.
_SURELY_DECIMAL = re.compile(r"[-+−]?(?:\d+,(?:\d{1,2}|\d{4,})|0,\d+|\d{1,3}(?:\.\d{3})+,\d+)(?:[eE][-+]?\d+)?")


def with_points(frame: pd.DataFrame, decimal: Decimal = "auto") -> tuple[pd.DataFrame, list[str]]:
    """Return a table of text cells with decimal points in place of commas, and what is to be said of it.

    A column is one of numbers with commas where every filled cell is such a number. `auto` reads commas as decimal
    where at least one cell of the table cannot be anything else (`1,5`) and no column holds decimal points beside it;
    `comma` does so always, and takes points for those of thousands; `point` never. Raises BadInput for `comma` where a
    column mixes both.

    >>> table = pd.DataFrame({"item": ["a", "b"], "rt": ["412,5", "398"], "rating": ["1,250", "2,5"]})
    >>> read, said = with_points(table)
    >>> read["rt"].tolist(), read["rating"].tolist(), said[0][:58]
    (['412.5', '398'], ['1.250', '2.5'], "The numbers in 'rt' and 'rating' were read with decimal co")
    """
    if decimal == "point":
        return frame, []
    columns, sure, points, thousands = [], [], [], []
    numeric = dict(_columns_of_numbers(frame))
    any_comma = decimal == "comma" or any("," in text for text, _ in numeric.values())
    for name, (text, column) in numeric.items():
        # Without a comma anywhere all that is asked is whether points may part thousands.
        if not any_comma and not all(map(_may_part_thousands, _filled(column[:FIRST]))):
            continue
        cells = _filled(pd.unique(column))
        if "," in text and all(_WITH_COMMA.fullmatch(cell) for cell in cells):
            columns.append(name)
            sure += [cell for cell in cells if _SURELY_DECIMAL.fullmatch(cell)][:1]
        elif decimal == "comma" and cells and all(_is_whole(cell) or _THOUSANDS.fullmatch(cell) for cell in cells):
            columns.append(name)
        elif _may_be_thousands(cells):
            thousands.append(name)
        elif cells and all(_WITH_POINT.fullmatch(cell) or _is_whole(cell) for cell in cells):
            points.append(name)
    if not columns:
        return frame, _doubtful_thousands(thousands)
    points += thousands
    names = listed([f"'{name}'" for name in columns])
    if decimal == "comma" and points:
        raise BadInput(
            f"The numbers in {names} have commas and those in {listed([f'{name!r}' for name in points])} decimal "
            f"points, so they cannot all be read with decimal commas; write all numbers in one way."
        )
    if decimal == "auto" and (points or not sure):
        return frame, [_doubtful(names, points)]
    changed = {
        name: frame[name].str.replace(r"\.(?=\d{3})", "", regex=True).str.replace(",", ".", regex=False)
        for name in columns
    }
    why = "as was declared" if decimal == "comma" else f"as in {sure[0]}, which can be nothing else"
    return frame.assign(**changed), [
        f"The numbers in {names} were read with decimal commas ({why}). If a comma parts thousands or is part of a "
        f"name, say so with --decimal point."
    ]


def _columns_of_numbers(frame: pd.DataFrame) -> Iterator[tuple[str, tuple[str, npt.NDArray[np.object_]]]]:
    """Yield the columns that may hold numbers with points or commas: all cells in one text, and the cells.

    Every rule asks something of all filled cells, so one of the first that is no number rules a column out.
    """
    for name in frame.columns:
        column = frame[name].to_numpy(dtype=object)
        if all(map(_is_number, _filled(column[:FIRST]))):
            text = "".join(column)
            if "," in text or "." in text:
                yield str(name), (text, column)


def _filled(column: npt.NDArray[np.object_]) -> list[str]:
    """Return the distinct filled cells of a column."""
    return [cell for cell in dict.fromkeys(map(str.strip, column)) if cell.casefold() not in NO_NUMBER]


def _is_number(cell: str) -> bool:
    return _is_whole(cell) or any(form.fullmatch(cell) for form in (_WITH_POINT, _WITH_COMMA))


def _is_whole(cell: str) -> bool:
    return cell.lstrip("-+−").isdecimal()


def _may_part_thousands(cell: str) -> bool:
    return cell.isdecimal() or (cell.count(".") == 1 and _THOUSANDS.fullmatch(cell) is not None)


def _may_be_thousands(cells: list[str]) -> bool:
    """Return whether points may part thousands, as in 957 and 1.017: read as decimals, those numbers are the lowest."""
    if not all(map(_may_part_thousands, cells)):
        return False
    whole = [float(cell) for cell in cells if cell.isdecimal()]
    dotted = [float(cell) for cell in cells if not cell.isdecimal()]
    return bool(whole and dotted) and min(whole) > max(dotted)


def _doubtful_thousands(names: list[str]) -> list[str]:
    if not names:
        return []
    return [
        f"The points in {listed([f'{name!r}' for name in names])} were read as decimal points, so that numbers with "
        f"one are far below those without. If they part thousands, say so with --decimal comma; if all is well, with "
        f"--decimal point."
    ]


def _doubtful(names: str, points: list[str]) -> str:
    why = (
        f"those in {listed([f'{name!r}' for name in points])} have decimal points"
        if points
        else "they might part thousands"
    )
    return (
        f"The commas in {names} were not read as decimal commas, as {why}; say what they are with --decimal comma, or "
        f"write the numbers with decimal points."
    )

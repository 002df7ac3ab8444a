"""Read codes from columns of 0 and 1, or from one column that holds codes such as `2+3`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.report import BadInput
from analysis.methods.rows.columns import booleans, codes, in_order, levels
from analysis.methods.rows.factors import factor_of
from analysis.methods.wording import listed

NONE = frozenset({"none", "-", "–", "{}", "[]"})
"""What a coder's `none of them` looks like in a cell; an empty cell was not coded."""
_SEPARATOR = re.compile(r"[+,;|\s]+")
_WORDS = re.compile(r"[^\W\d_]{2,}\s+[^\W\d_]{2,}")
_NUMBERED = re.compile(r"^(?:[A-Za-z_ ]*?)(\d+)$")
MOST = 60


@dataclass(frozen=True)
class Coded:
    """`has[row, code]` is 1.0 or 0.0, and NaN in rows that were not coded."""

    names: tuple[str, ...]
    has: npt.NDArray[np.float64]


def coded(frame: pd.DataFrame, columns: Sequence[str], *, known: Sequence[str] = ()) -> Coded:
    """Read codes from columns of 0/1 or from one column of code sets.

    Where one column holds only codes among `known`, all of `known` become codes, used or not. A single column of
    0 and 1 that is not called `code` or `codes` says whether a row has the code of that name.

    Raises BadInput for a column among several that holds anything but 0 and 1, and for a column
    with too many distinct values to be codes.

    >>> coded(pd.DataFrame({"codes": ["2+3", "0", None, "none"]}), ["codes"]).names
    ('0', '2', '3')
    >>> coded(pd.DataFrame({"err0": [1, 0], "err3": [0, 1]}), ["err0", "err3"]).has.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if len(columns) > 1:
        return Coded(tuple(columns), np.column_stack([_truths(frame, column) for column in columns]))
    factor = factor_of(frame[columns[0]])
    distinct = {cell: split(cell) for cell in factor.codes if cell is not None}
    names = tuple(sorted({name for names in distinct.values() for name in names}, key=in_order))
    if not names:
        raise BadInput(f"Column '{columns[0]}' holds no code.")
    if len(names) > MOST:
        raise BadInput(
            f"Column '{columns[0]}' holds {len(names):,} different codes ({listed(names, shown=3)}); that is no "
            f"column of codes. Choose another, or several columns of 0 and 1."
        )
    truths = set(names) <= {"0", "1"} and columns[0].casefold() not in ("code", "codes")
    if truths or set(names) <= {"true", "false"}:
        return Coded((columns[0],), _truths(frame, columns[0])[:, None])
    if known and set(names) <= set(known):
        names = tuple(known)
    place = {name: position for position, name in enumerate(names)}
    has = np.full((len(factor.codes) + 1, len(names)), np.nan)  # the last one for rows without a value
    for row, cell in zip(has, factor.codes, strict=False):
        if cell is not None:
            row[:] = 0.0
            row[[place[name] for name in distinct[cell]]] = 1.0
    return Coded(names, has[factor.positions])


def split(cell: str) -> tuple[str, ...]:
    """Split a cell into its codes.

    >>> split("2+3"), split("3, 2"), split("none"), split("3+3")
    (('2', '3'), ('2', '3'), (), ('3',))
    """
    if cell.casefold() in NONE:
        return ()
    return tuple(sorted({part for part in _SEPARATOR.split(cell.strip("[]{}() ")) if part}, key=in_order))


def read_as_several(frame: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return a warning where a cell looks like one code of several words, which blanks have parted into several codes.

    >>> read_as_several(pd.DataFrame({"code": ["main clause", "2 3"]}), ["code"])[0].partition(";")[0]
    "Blanks part codes: 'main clause' in column 'code' was read as clause and main"
    >>> read_as_several(pd.DataFrame({"code": ["2 3", "a b", "err3 err4"]}), ["code"])
    []
    """
    if len(columns) != 1:
        return []
    cells = factor_of(frame[columns[0]]).unordered.levels
    found = next((cell for cell in cells if _WORDS.search(cell)), None)
    if found is None:
        return []
    return [
        f"Blanks part codes: '{found}' in column '{columns[0]}' was read as {listed(split(found))}; join the words of "
        f"a code by _ where this was meant as one."
    ]


def number_of(name: str) -> str | None:
    """Return the number of a code from a name such as `err3` or `code_3`, or None.

    >>> number_of("err3"), number_of("3"), number_of("garbled")
    ('3', '3', None)
    """
    found = _NUMBERED.match(name)
    return found.group(1) if found else None


def _truths(frame: pd.DataFrame, column: str) -> npt.NDArray[np.float64]:
    read = booleans(frame, column)
    if read is None:
        raise BadInput(
            f"Column '{column}' must hold 0 and 1 (or true and false) to be one of several code columns, but holds "
            f"{listed(levels(frame, column), shown=4)}; name it alone if it holds codes such as 2+3."
        )
    return np.where(codes(frame, column).isna().to_numpy(), np.nan, np.asarray(read, dtype=np.float64))

"""Read outcomes: two values, counts of successes, ordered categories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import FALSE, NO_NUMBER, TRUE, codes, in_order, level_meant, numbers, required
from analysis.methods.wording import counted, listed, no_such

MOST_CATEGORIES = 30


@dataclass(frozen=True)
class Outcome:
    """`values` per row of the frame (NaN where there is none); `trials` per row for counts, else None.

    `levels` are what the values 0, 1, … stand for, `success` the cells that count as success where there are two.
    """

    values: Floats
    trials: Floats | None
    levels: tuple[str, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    success: tuple[str, ...] = ()


def binary(frame: pd.DataFrame, column: str, *, positive: str | None = None, trials: str | None = None) -> Outcome:
    """Read a column of two values, or of counts out of `trials`.

    `positive` is the value that counts as success; without it 1 and true are, else the second value in order.
    Raises BadInput where there are other than two values, or counts that cannot be.

    >>> binary(pd.DataFrame({"r": ["Y", "N", ""]}), "r").values.tolist()
    [1.0, 0.0, nan]
    """
    if trials:
        return _counts(frame, column, trials=trials)
    cells = _cells(frame, column)
    found = sorted({str(cell) for cell in cells if cell is not None}, key=in_order)
    if not found:
        raise BadInput(f"Column '{column}' is empty in every row that can be analysed.")
    notes: list[str] = []
    warnings: list[str] = []
    if positive is not None:
        meant = level_meant(positive, found)
        if meant is None:
            raise BadInput(f"positive: {no_such('value', positive, found)} They belong to '{column}'.")
        positive = meant
        success = {positive}
        if len(found) > 2:
            others = listed(value for value in found if value != positive)
            notes.append(f"In '{column}', '{positive}' counts as success and every other value ({others}) does not.")
    elif all(value.casefold() in TRUE | FALSE for value in found):
        success = {value for value in found if value.casefold() in TRUE}
    elif len(found) == 2:
        success = {found[1]}
        # Nothing but the alphabet says so, and the sign of every effect hangs on it.
        warnings.append(
            f"In '{column}', '{found[1]}' counts as success and '{found[0]}' does not; turn that round with "
            f"positive={found[0]}."
        )
    else:
        what = "one value only" if len(found) == 1 else f"{len(found):,} values"
        raise BadInput(
            f"Column '{column}' holds {what} ({listed(found, shown=5)}); this analysis needs an outcome of two values, "
            f"such as 0 and 1. Name the one that counts as success with positive=…, or analyse ordered categories "
            f"with ordinal and numbers with lmm."
        )
    values = np.array([np.nan if cell is None else float(cell in success) for cell in cells])
    yes = listed(sorted(success)) if success else "1"
    return Outcome(values, None, (f"not {yes}", yes), tuple(notes), tuple(warnings), tuple(sorted(success)))


def _cells(frame: pd.DataFrame, column: str) -> list[str | None]:
    cells = codes(frame, required(frame, column, role="outcome"))
    found = [None if cell is None or str(cell).casefold() in NO_NUMBER else str(cell) for cell in cells]
    spelling = _spellings(cell for cell in found if cell is not None)
    return [None if cell is None else spelling[cell] for cell in found]


def _spellings(values: Iterable[str]) -> dict[str, str]:
    """Return one way of writing every number, so that 1 and 1.0 are one category.

    >>> _spellings(["2.0", "often", "2"])
    {'2': '2', '2.0': '2', 'often': 'often'}
    """
    known: dict[float, str] = {}
    return {
        value: known.setdefault(float(value), value) if _is_number(value) else value
        for value in sorted(set(values), key=in_order)
    }


def _counts(frame: pd.DataFrame, column: str, *, trials: str) -> Outcome:
    values = np.array(numbers(frame, column), dtype=np.float64)
    of = np.array(numbers(frame, trials), dtype=np.float64)
    values[np.isnan(of)] = np.nan
    known = ~np.isnan(values)
    whole = (values[known] == np.round(values[known])) & (of[known] == np.round(of[known]))
    if not bool(whole.all()) or bool((values[known] < 0).any()) or bool((values[known] > of[known]).any()):
        raise BadInput(
            f"'{column}' must count successes out of '{trials}': whole numbers from 0 up to '{trials}' of the same row."
        )
    empty = known & (of == 0)
    values[empty] = np.nan
    notes = (
        (f"{counted(int(empty.sum()), 'row')} with 0 in '{trials}' had no part in the model.",) if empty.any() else ()
    )
    return Outcome(values, of, ("failure", "success"), notes)


def ordered(frame: pd.DataFrame, column: str, *, order: Sequence[str] = ()) -> Outcome:
    """Read ordered categories: numbers in their order, else as `order` says, else sorted, with a warning.

    Raises BadInput where there are fewer than two categories or so many that they are no categories, or `order` lacks
    one.

    >>> made = ordered(pd.DataFrame({"r": ["7", "1", "3", "7"]}), "r")
    >>> made.values.tolist(), made.levels
    ([2.0, 0.0, 1.0, 2.0], ('1', '3', '7'))
    """
    cells = _cells(frame, column)
    found = sorted({cell for cell in cells if cell is not None}, key=in_order)
    if isinstance(kind := frame[column].dtype, pd.CategoricalDtype) and not order:
        order = [level for level in (str(category) for category in kind.categories) if level in found]
    if len(found) < 2:
        what = "is empty" if not found else f"holds one value only ('{found[0]}')"
        raise BadInput(f"Column '{column}' {what}; ordered categories are at least two.")
    if len(found) > MOST_CATEGORIES:
        raise BadInput(
            f"Column '{column}' holds {len(found):,} different values ({listed(found, shown=3)}); these are no ordered "
            f"categories. Analyse them as numbers with lmm, or merge them into few categories first."
        )
    notes: list[str] = []
    warnings: list[str] = []
    if order:
        written = {float(value): value for value in found if _is_number(value)}
        order = [written.get(float(level), level) if _is_number(level) else level for level in order]
        lacking = [value for value in found if value not in order]
        if lacking:
            raise BadInput(
                f"order: {listed(lacking)} of '{column}' is not in it; name every category once, lowest first."
            )
        unused = [level for level in order if level not in found]
        if unused:
            warnings.append(
                f"Nobody chose {listed(unused)} of '{column}'; an empty category has no threshold of its own and the "
                f"model is that of the {len(found)} categories that occur."
            )
        found = [level for level in order if level in found]
    elif any(not _is_number(value) for value in found):
        warnings.append(
            f"The categories of '{column}' were put in alphabetical order ({', '.join(found)}), which is rarely meant; "
            f"give the order with order=lowest,…,highest."
        )
    else:
        steps = [float(value) for value in found]
        whole = all(value.is_integer() for value in steps) and steps[-1] - steps[0] <= MOST_CATEGORIES
        between = [f"{value:g}" for value in np.arange(steps[0], steps[-1]) if value not in steps] if whole else []
        if between:
            warnings.append(
                f"Nobody chose {listed(between)} of '{column}'; an empty category has no threshold of its own and the "
                f"model is that of the {len(found)} categories that occur."
            )
    place = {value: float(number) for number, value in enumerate(found)}
    values = np.array([np.nan if cell is None else place[cell] for cell in cells])
    return Outcome(values, None, tuple(found), tuple(notes), tuple(warnings))


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False

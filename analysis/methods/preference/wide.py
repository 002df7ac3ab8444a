"""Read paired comparisons from rows of one pair each: two options and the choice."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.preference.judgements import PAIRS, Ints, Judgement, Judgements
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import coded, codes, in_order, row_number
from analysis.methods.wording import counted, listed

TIES = frozenset({"tie", "equal", "same", "no difference", "="})


def read(
    frame: pd.DataFrame,
    *,
    a: str,
    b: str,
    choice: str,
    side: str | None,
    participant: str | None,
    item: str | None,
) -> Judgements:
    """Read pairs. Raises BadInput for an answer that is none of the two, and where no row is complete.

    `side` holds where option a stood (two values, such as left and right), or which of the two stood first.
    """
    cells = {name: codes(frame, name).to_numpy() for name in (a, b, choice, *((side,) if side else ()))}
    known = np.all([column != None for column in cells.values()], axis=0)  # noqa: E711
    same = known & (cells[a] == cells[b])
    notes, warnings = [], []
    if not known.all():
        notes.append(f"{counted(int((~known).sum()), 'row')} without both options and an answer left out.")
    if same.any():
        warnings.append(f"{counted(int(same.sum()), 'row')} with the same option twice left out.")
    known &= ~same
    if not known.any():
        raise BadInput(f"No row has two different options in '{a}' and '{b}' and an answer in '{choice}'.")
    places = np.flatnonzero(known)
    options = tuple(sorted({*cells[a][places], *cells[b][places]}, key=in_order))
    number = {option: at for at, option in enumerate(options)}
    stood, place = _places(cells, a, b, side, places)
    made = []
    for at in places:
        one, other = cells[a][at], cells[b][at]
        won = _won(frame, str(cells[choice][at]), one, other, choice, int(at))
        pair = (number[one], number[other])
        tiers = (pair,) if won == 0 else ((pair[0],), (pair[1],)) if won > 0 else ((pair[1],), (pair[0],))
        made.append(Judgement(tiers, pair, stood[int(at)]))
    return Judgements(
        PAIRS,
        options,
        tuple(made),
        _levels(frame, participant, places),
        _levels(frame, item, places),
        place=place,
        notes=tuple(notes),
        warnings=tuple(warnings),
    )


def _levels(frame: pd.DataFrame, column: str | None, places: Ints) -> Ints | None:
    return None if column is None else coded(frame, column).positions[places]


def _won(frame: pd.DataFrame, answer: str, one: str, other: str, column: str, at: int) -> int:
    """Return 1 where a was chosen, −1 where b was, 0 for a tie. The names of options come before the letters."""
    if answer in (one, other):
        return 1 if answer == one else -1
    plain = answer.strip().casefold()
    if plain in ("a", "b"):
        return 1 if plain == "a" else -1
    if plain in TIES:
        return 0
    named = [name for name in (one, other) if name.casefold() == plain]
    if len(named) == 1:
        return 1 if named[0] == one else -1
    raise BadInput(
        f"Data row {row_number(frame, at)} has '{answer}' in '{column}', where {one} and {other} were compared: "
        f"write a, b, tie, or the name of the option that was chosen."
    )


def _places(
    cells: Mapping[str, npt.NDArray[np.object_]], a: str, b: str, side: str | None, rows: Ints
) -> tuple[dict[int, int], str]:
    if side is None:
        return dict.fromkeys(rows.tolist(), 0), ""
    values = cells[side]
    if all(values[at] in ("a", "b", cells[a][at], cells[b][at]) for at in rows):
        return {int(at): 1 if values[at] in ("a", cells[a][at]) else -1 for at in rows}, "first"
    levels = sorted({values[at] for at in rows}, key=in_order)
    if len(levels) > 2:
        raise BadInput(
            f"The column '{side}' holds {listed(levels)}; it says where option a stood, in two words such as left and "
            f"right. Leave it out with side= where it means something else."
        )
    return {int(at): 1 if values[at] == levels[0] else -1 for at in rows}, levels[0]

"""The texts of a frame: one per row, or each once where rows are trials or entries of stimulus lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.report import BadInput
from analysis.methods.rows.columns import booleans, codes
from analysis.methods.texts.measures import MEASURED
from analysis.methods.wording import counted, listed


@dataclass(frozen=True)
class TextRows:
    """The texts to measure with item, conditions and text as they are shown (`about`), and the levels of each."""

    texts: list[str]
    sources: list[str] | None
    about: pd.DataFrame
    units: npt.NDArray[Any]
    has_items: bool
    factors: Mapping[str, npt.NDArray[Any]]
    lists: list[tuple[str, ...]]
    taken_once: bool
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def with_phase(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of materials, which marks practice texts by `is_practice`, with the phase of every text.

    >>> with_phase(pd.DataFrame({"is_practice": ["true", "false"]}))["phase"].tolist()
    ['practice', 'main']
    """
    if "is_practice" not in frame.columns or "phase" in frame.columns:
        return frame
    marks = booleans(frame, "is_practice")
    return frame if marks is None else frame.assign(phase=np.where(marks, "practice", "main"))


def text_rows(
    frame: pd.DataFrame,
    *,
    text: str,
    source: str | None,
    item: str | None,
    conditions: Sequence[str],
    list_column: str | None,
) -> TextRows:
    """Return the texts of a frame in the order in which they first come up.

    Raises BadInput where no row has a text, or a factor is called like a measure.
    """
    clash = sorted({*conditions, item or ""} & {column.name for column in MEASURED})
    if clash:
        raise BadInput(f"The column {listed(clash)} is called like a measure of texts; give it another name.")
    if text in conditions or text == item:
        raise BadInput(f"'{text}' holds the texts and cannot be a condition or the item as well; name another column.")
    known = frame[text].map(lambda cell: isinstance(cell, str) and bool(cell.strip())).to_numpy(dtype=bool)
    if not known.any():
        raise BadInput(f"Column '{text}' holds no text in any row; name the column with the texts with text=…")
    used = frame.loc[known]
    column_of = {name: codes(used, name) for name in dict.fromkeys([*conditions, *([item] if item else [])])}
    if source is not None:
        column_of[f"\0{source}"] = used[source].astype(object)
    keyed = pd.DataFrame({**column_of, "\0text": used[text].astype(str)})
    taken_once = list_column is not None or "participant" in frame.columns
    first = ~keyed.duplicated().to_numpy() if taken_once else np.ones(len(keyed), dtype=bool)
    chosen = keyed.loc[first]
    notes = []
    if not bool(known.all()):
        notes.append(f"{counted(int((~known).sum()), 'row has', 'rows have')} no text and had no part.")
    if taken_once and len(chosen) < len(used):
        notes.append(
            f"{counted(len(used), 'row')} show {counted(len(chosen), 'different text')}; each was measured once."
        )
    warnings = []
    if item is not None and bool(column_of[item].isna().any()):
        missing = int(chosen[item].isna().sum())
        warnings.append(f"{counted(missing, 'text has', 'texts have')} no '{item}' and counts as an item of its own.")
    shown = list(dict.fromkeys([*([item] if item else []), *conditions]))
    return TextRows(
        texts=chosen["\0text"].tolist(),
        sources=None if source is None else chosen[f"\0{source}"].map(_as_text).tolist(),
        about=chosen[shown].assign(text=chosen["\0text"].str.strip()).reset_index(drop=True),
        units=_units(chosen, item),
        has_items=item is not None,
        factors={name: chosen[name].to_numpy(dtype=object) for name in conditions},
        lists=_lists(used, keyed, chosen, list_column),
        taken_once=taken_once,
        notes=tuple(notes),
        warnings=tuple(warnings),
    )


def _as_text(cell: Any) -> str:
    return cell if isinstance(cell, str) else ""


def _units(chosen: pd.DataFrame, item: str | None) -> npt.NDArray[Any]:
    own = np.array([f"text {number}" for number in range(1, len(chosen) + 1)], dtype=object)
    if item is None:
        return own
    column = chosen[item]
    return np.where(column.isna(), own, column.to_numpy(dtype=object))


def _lists(
    used: pd.DataFrame, keyed: pd.DataFrame, chosen: pd.DataFrame, list_column: str | None
) -> list[tuple[str, ...]]:
    """Return the names of the lists on which each text is shown."""
    if list_column is None:
        return [() for _ in range(len(chosen))]
    number = keyed.groupby(list(keyed.columns), sort=False, dropna=False).ngroup().to_numpy()
    of_text: dict[int, dict[str, None]] = {}
    for place, name in zip(number, codes(used, list_column), strict=True):
        entry = of_text.setdefault(int(place), {})
        if name is not None:
            entry[name] = None
    return [tuple(of_text[place]) for place in range(len(chosen))]

"""Select the rows of a logistic regression, and the groups within which predictors are standardised."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.logistic.design import Design, is_numeric, without_variance
from analysis.methods.logistic.models import Question, numbered
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import booleans, codes, numbers
from analysis.methods.wording import counted, listed, no_such


def standardised_within(frame: pd.DataFrame, standardise: str, *, participant: str | None, item: str | None) -> str:
    """Return `none`, `all`, or the column within whose groups predictors are standardised.

    Raises BadInput where there is no such column.
    """
    names = [str(name) for name in frame.columns]
    wanted = standardise.strip()
    if wanted.casefold() in ("none", "all") and wanted not in names:
        return wanted.casefold()
    role = {"participant": participant, "item": item}.get(wanted, wanted)
    if role is None or role not in names:
        raise BadInput(f"standardise: {no_such('column', wanted, names)} Other choices are none and all.")
    return role


def _groups(frame: pd.DataFrame, within: str) -> npt.NDArray[np.int64] | None:
    if within == "none":
        return None
    return np.zeros(len(frame), dtype=np.int64) if within == "all" else numbered(frame, within)


def fillers_asked_for(frame: pd.DataFrame, outcome: str, *, positive: str | None, ladder: str | None) -> list[str]:
    """Return ["is_filler"] where a value that was asked for occurs in fillers only: then fillers are analysed."""
    wanted = {*as_names(ladder or ()), *([positive] if positive else [])}
    marks = booleans(frame, "is_filler") if "is_filler" in frame.columns else None
    if marks is None or not wanted:
        return []
    value = codes(frame, outcome)
    return ["is_filler"] if wanted & set(value[marks].dropna()) - set(value[~marks].dropna()) else []


def complete_rows(
    frame: pd.DataFrame, outcome: str, needed: tuple[str, ...], *, categorical: tuple[str, ...], notes: list[str]
) -> pd.DataFrame:
    """Return the rows with a value in the outcome and in every predictor of any block, so that blocks are nested.

    Raises BadInput where there is none, or a predictor is empty in every row.
    """
    missing = codes(frame, outcome).isna().to_numpy()
    lacking = []
    for column in needed:
        measured = is_numeric(frame, column, categorical)
        empty = (numbers(frame, column) if measured else codes(frame, column)).isna().to_numpy()
        if bool(empty.all()):
            raise BadInput(f"Predictor '{column}' is empty in every row; leave it out or fill it.")
        if bool(empty.any()):
            lacking.append(f"{column}: {int(empty.sum())}")
        missing = missing | empty
    if missing.any():
        notes.append(
            f"{counted(int(missing.sum()), 'row')} without outcome or a predictor left out"
            + (f" (empty cells: {listed(lacking)})." if lacking else ".")
        )
    if missing.all():
        detail = f" Empty cells of predictors: {listed(lacking)}." if lacking else ""
        raise BadInput(
            f"No row has the outcome '{outcome}' and all predictors; fill them or name other columns.{detail}"
        )
    return frame.iloc[np.flatnonzero(~missing)]


def groups_of(
    part: pd.DataFrame, made: Design, columns: dict[str, str | None]
) -> list[tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]]:
    """Return groups and parts of everything that is standardised: by `standardise`, z(…) and z2(…).

    Raises BadInput where a term needs a column of participants or items that is not there.
    """
    found = []
    for kind, column in columns.items():
        mask = made.numeric & np.array([within == kind for within in made.within], dtype=np.bool_)
        if not mask.any():
            continue
        if column is None:
            raise BadInput(
                f"{_first_term(made, mask)} is standardised within {kind}, but there is no such column; name it with "
                f"{kind}=…"
            )
        group = _groups(part, column)
        if group is not None:
            found.append((group, mask))
    return found


def _first_term(made: Design, mask: npt.NDArray[np.bool_]) -> str:
    return next(
        term.name for term in made.terms if any(mask[place] for c in term.columns for place in made.products[c])
    )


def with_variance(
    part: pd.DataFrame,
    value: Floats,
    made: Design,
    *,
    columns: dict[str, str | None],
    notes: list[str],
    question: Question,
) -> tuple[pd.DataFrame, Floats, Design]:
    """Leave out groups in which a predictor has no variance: they have no standard score.

    Raises BadInput where no row is left.
    """
    out = np.zeros(len(part), dtype=bool)
    who: set[str] = set()
    for group, mask in groups_of(part, made, columns):
        if int(group.max()) == 0:
            continue
        flat = without_variance(made.parts[:, mask], group)[group]
        out |= flat
        if flat.any():
            kind = next(within for within, chosen in zip(made.within, mask, strict=True) if chosen)
            who |= {str(code) for code in codes(part.iloc[np.flatnonzero(flat)], str(columns[kind]))}
    if not out.any():
        return part, value, made
    if out.all():
        raise BadInput(
            f"Model {question.name}: in every group some predictor does not vary, so nothing can be standardised; "
            f"leave that predictor out, or do not standardise."
        )
    notes.append(
        f"Model {question.name}: {counted(int(out.sum()), 'row')} of {listed(sorted(who))} left out, because a "
        f"predictor has no variance there and so no standard score."
    )
    kept = replace(made, parts=made.parts[~out])
    return part.iloc[np.flatnonzero(~out)], value[~out], kept

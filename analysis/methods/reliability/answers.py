"""Reshape rows to one line of answers per participant, with reversed items recoded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import codes, numbers
from analysis.methods.wording import counted, listed

FEWEST_PEOPLE, FEWEST_ITEMS = 3, 2
FARTHEST = 1e9
"""The largest end of a scale that is taken for one."""


@dataclass(frozen=True)
class AnswersToItems:
    """One line per participant, one column per item; nothing is missing."""

    answers: Floats
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def answers_to(
    frame: pd.DataFrame,
    *,
    items: tuple[str, ...],
    reverse: tuple[str, ...],
    low: float | None,
    high: float | None,
    participant: str,
) -> AnswersToItems:
    """Return the answers of everybody who answered all items.

    Where a participant has several rows, as in `trials.csv`, these must agree. Raises BadInput for fewer than two
    items, fewer than three people, rows that contradict each other, and items without any variance.
    """
    if len(items) < FEWEST_ITEMS:
        raise BadInput(
            f"Reliability needs at least two items, not {counted(len(items), 'item')}; name them with items=…."
        )
    twice = sorted({item for item in items if items.count(item) > 1})
    if twice:
        raise BadInput(f"The items name {listed(twice)} twice. Every item counts once.")
    if unknown := [item for item in reverse if item not in items]:
        raise BadInput(f"Only items can be reversed; {listed(unknown)} is none of them.")
    for name, bound in (("low", low), ("high", high)):
        if bound is not None and not abs(bound) <= FARTHEST:
            raise BadInput(f"{name} must be an answer of the scale, such as 1 or 7, not {bound:g}.")
    if low is not None and high is not None and low >= high:
        raise BadInput(f"low ({low:g}) must lie below high ({high:g}).")
    people = codes(frame, participant)
    values = pd.DataFrame({item: numbers(frame, item).to_numpy() for item in items}, index=people.to_numpy())
    values = values[~pd.isna(values.index)]
    grouped = values.groupby(level=0, sort=True)
    unlike = (grouped.max() - grouped.min()).fillna(0) > 0
    if unlike.to_numpy().any():
        who, item = next((who, item) for item in items for who in unlike.index[unlike[item]])
        raise BadInput(
            f"'{who}' has different values of '{item}' in different rows; reliability takes one answer per person and "
            f"item. Choose one row of everybody with where=…, or a table with one row per participant."
        )
    per_person = grouped.first()
    complete = per_person.dropna()
    notes = []
    if left := len(per_person) - len(complete):
        notes.append(f"{counted(left, 'participant')} without an answer to every item left out.")
    if len(complete) < FEWEST_PEOPLE:
        raise BadInput(
            f"Reliability needs at least {FEWEST_PEOPLE} participants who answered every item; there "
            f"{'is' if len(complete) == 1 else 'are'} {len(complete)}."
        )
    answers = complete.to_numpy(dtype=float)
    same = [item for item, column in zip(items, answers.T, strict=True) if np.ptp(column) == 0]
    if same:
        raise BadInput(
            f"Everybody gave the same answer to {listed(same)}, which so says nothing about people. Leave "
            f"{'it' if len(same) == 1 else 'them'} out of items=…."
        )
    return _turned(answers, items, reverse, low, high, notes)


def _turned(
    answers: Floats,
    items: tuple[str, ...],
    reverse: tuple[str, ...],
    low: float | None,
    high: float | None,
    notes: list[str],
) -> AnswersToItems:
    if not reverse:
        return AnswersToItems(answers, tuple(notes))
    ranges = {(float(column.min()), float(column.max())) for column in answers.T}
    warnings = []
    if (low is None or high is None) and len(ranges) > 1:
        told = listed(
            f"{item} {column.min():g} to {column.max():g}" for item, column in zip(items, answers.T, strict=True)
        )
        warnings.append(
            f"Reversed items are turned round by the ends of the answers to all items, and items differ in these "
            f"({told}). Where the scale has other ends, or items have scales of their own, sums and means are wrong: "
            f"state the ends with low=… and high=…."
        )
    least = float(answers.min()) if low is None else low
    most = float(answers.max()) if high is None else high
    if answers.min() < least or answers.max() > most:
        raise BadInput(f"Some answers lie outside {least:g} to {most:g}. Correct low and high, or leave them out.")
    answers = answers.copy()
    for place, item in enumerate(items):
        if item in reverse:
            answers[:, place] = least + most - answers[:, place]
    how = "as stated" if low is not None and high is not None else "the smallest and largest answers to any item"
    notes.append(f"Reversed, x counting as {least:g} + {most:g} − x ({how}): {listed(reverse)}.")
    return AnswersToItems(answers, tuple(notes), tuple(warnings))

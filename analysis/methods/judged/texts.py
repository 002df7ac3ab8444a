"""Read rows of ratings as texts: the mean rating of each, and its value of each metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats, Integers, without_noise
from analysis.methods.measures.scales import score_values
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import Coded, coded, numbers, required
from analysis.methods.wording import counted, listed

SCALES = ("raw", "z", "z-population", "log", "log-z")
SAME = 1e-9


@dataclass(frozen=True)
class Columns:
    """Which column is what; None where there is none."""

    dv: str
    metrics: tuple[str, ...]
    item: str
    condition: str | None
    participant: str | None

    def key(self) -> list[str]:
        """Return the columns that place a row: of which text, by whom."""
        return [name for name in (self.item, self.condition, self.participant) if name]


@dataclass(frozen=True)
class Texts:
    """Texts (an item in a condition) with the mean score that people gave them and the values of the metrics.

    Arrays over texts: `item_of`, `system_of` (positions in `items`, `systems`), `human`, `ratings` (how many),
    `metrics[text, metric]` (NaN where there is none). Arrays over single scores, one for each participant and text:
    `text_of`, `person_of`, `score`. `systems` and `people` are empty where the data do not name them.
    """

    items: tuple[str, ...]
    systems: tuple[str, ...]
    people: tuple[str, ...]
    names: tuple[str, ...]
    item_of: Integers
    system_of: Integers
    human: Floats
    ratings: Integers
    metrics: Floats
    text_of: Integers
    person_of: Integers
    score: Floats

    @property
    def is_crossed(self) -> bool:
        """Whether every participant rated every text."""
        return bool(self.people) and len(self.score) == len(np.unique(self.person_of)) * len(self.human)

    def by_person(self) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]:
        """Return sums of scores and numbers of scores, both text × participant."""
        shape = (len(self.human), max(1, len(self.people)))
        places = (self.text_of, self.person_of)
        return (
            scipy.sparse.csr_array((self.score, places), shape=shape),
            scipy.sparse.csr_array((np.ones(len(self.score)), places), shape=shape),
        )


def columns_of(
    frame: pd.DataFrame,
    *,
    dv: str,
    metrics: Sequence[str],
    item: str | None,
    condition: str | None,
    participant: str | None,
) -> Columns:
    """Return which column is what; a column `system` is the condition where none is named or called so.

    Raises BadInput where there is no item, and where one column is to be two things.
    """
    names = [str(name) for name in frame.columns]
    item = required(frame, item, role="item")
    condition = condition or ("system" if "system" in names else None)
    others = [name for name in (dv, item, condition, participant) if name]
    both = sorted({*others} & {*metrics})
    if both:
        raise BadInput(f"{listed(both)} cannot be a metric as well; choose other columns as metrics.")
    twice = sorted({name for name in others if others.count(name) > 1})
    if twice:
        raise BadInput(f"{listed(twice)} is named for two things at once; name every column once.")
    return Columns(dv=dv, metrics=tuple(metrics), item=item, condition=condition, participant=participant)


def texts_of(frame: pd.DataFrame, columns: Columns, *, scale: str, notes: list[str], warnings: list[str]) -> Texts:
    """Read rows of ratings, one for each participant and text, or one for each text; say in words what was left out.

    Raises BadInput where a column holds no numbers, and where fewer than three texts are left.
    """
    value = np.asarray(numbers(frame, columns.dv), dtype=np.float64)
    measured = [np.asarray(numbers(frame, name), dtype=np.float64) for name in columns.metrics]
    items = coded(frame, columns.item)
    systems = coded(frame, columns.condition) if columns.condition else None
    people = coded(frame, columns.participant) if columns.participant else None
    placed = _placed(columns, items, systems, people, notes=notes)
    score = _scores(np.where(placed, value, np.nan), people, scale=scale, warnings=warnings)
    unrated = int((placed & np.isnan(value)).sum())
    if unrated:
        notes.append(f"{counted(unrated, 'row')} without a value of {columns.dv} left out.")
    rated = placed & ~np.isnan(score)
    if not rated.any():
        raise BadInput(f"No row has an item and a score of '{columns.dv}'; check these columns and the scale.")
    width = len(systems.levels) if systems else 1
    key = items.positions * width + (systems.positions if systems else 0)
    present, text_of = np.unique(key[rated], return_inverse=True)
    if len(present) < 3:
        hint = f" in a level of {columns.condition}." if columns.condition else "; name the systems with condition=…"
        raise BadInput(
            f"There {'is' if len(present) == 1 else 'are'} only {counted(len(present), 'text')} with ratings, and a "
            f"correlation needs at least three. A text is an item{hint}"
        )
    person_of = people.positions[rated] if people else np.zeros(len(text_of), dtype=np.intp)
    single, text_of, person_of = _once_each(score[rated], text_of, person_of, columns, warnings=warnings)
    counts = np.bincount(text_of, minlength=len(present))
    human = np.bincount(text_of, weights=single, minlength=len(present)) / counts
    # Metrics stand in every row of a text, also in rows without a rating.
    known = placed & np.isin(key, present)
    where = np.searchsorted(present, key[known])
    metrics = [
        _per_text(values[known], where, count=len(present), name=name, warnings=warnings)
        for name, values in zip(columns.metrics, measured, strict=True)
    ]
    of_item, item_of = np.unique(present // width, return_inverse=True)
    of_system, system_of = np.unique(present % width, return_inverse=True)
    return Texts(
        items=tuple(items.levels[place] for place in of_item),
        systems=tuple(systems.levels[place] for place in of_system) if systems else (),
        people=people.levels if people else (),
        names=columns.metrics,
        item_of=item_of,
        system_of=system_of,
        human=without_noise(human),
        ratings=counts,
        metrics=np.column_stack(metrics),
        text_of=text_of,
        person_of=person_of,
        score=single,
    )


def _placed(
    columns: Columns, items: Coded, systems: Coded | None, people: Coded | None, *, notes: list[str]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which rows name their item, condition and participant."""
    placed = np.ones(len(items.positions), dtype=bool)
    for name, found in ((columns.item, items), (columns.condition, systems), (columns.participant, people)):
        if found is None:
            continue
        if not found.levels:
            raise BadInput(f"Column '{name}' is empty in every row; name another column in its place.")
        placed &= found.positions >= 0
    if not placed.all():
        notes.append(f"{counted(int((~placed).sum()), 'row')} without {listed(columns.key())} left out.")
    return placed


def _scores(value: Floats, people: Coded | None, *, scale: str, warnings: list[str]) -> Floats:
    """Return values on the scale; who and what has no score is said."""
    if scale == "raw":
        return value
    if people is None and scale != "log":
        raise BadInput(f"scale={scale} needs to know who rated: name the column with participant=…, or take scale=raw.")
    positions = people.positions if people else np.zeros(len(value), dtype=np.intp)
    count = len(people.levels) if people else 1
    found = score_values(value, positions=positions, count=count, how=scale, references=None, offset=None)
    if scale in ("log", "log-z"):
        low = int((value <= 0).sum())
        if low:
            warnings.append(f"{counted(low, 'rating')} of 0 or below have no logarithm and were left out.")
    if scale != "log" and people is not None:
        rated = np.bincount(positions[~np.isnan(value)], minlength=count) > 0
        without = [
            name for name, sd, any_of in zip(people.levels, found.sd, rated, strict=True) if any_of and not sd > 0
        ]
        if without:
            warnings.append(
                f"{counted(len(without), 'participant')} with equal ratings only, and so without a z score, left out: "
                f"{listed(without, shown=20)}."
            )
    return found.scores


def _once_each(
    score: Floats, text_of: Integers, person_of: Integers, columns: Columns, *, warnings: list[str]
) -> tuple[Floats, Integers, Integers]:
    """Return one score for each participant and text: the mean, where somebody rated a text more than once."""
    if columns.participant is None:
        if len(np.unique(text_of)) < len(text_of):
            warnings.append(
                "Texts have several rows and nothing says who rated; the rows of a text were averaged. Name the column "
                "with participant=… to learn how reliable the ratings are."
            )
        return score, text_of, person_of
    width = int(person_of.max()) + 1
    cells, where = np.unique(text_of * width + person_of, return_inverse=True)
    if len(cells) == len(score):
        return score, text_of, person_of
    counts = np.bincount(where)
    warnings.append(
        f"{counted(int((counts > 1).sum()), 'text was', 'texts were')} rated more than once by the same participant, "
        f"and the mean was taken. If the rows are answers to different questions, choose one with where=…"
    )
    return np.bincount(where, weights=score) / counts, cells // width, cells % width


def _per_text(values: Floats, where: Integers, *, count: int, name: str, warnings: list[str]) -> Floats:
    """Return the metric of every text; it should be the same in all rows of a text."""
    known = ~np.isnan(values)
    if not known.any():
        raise BadInput(f"The metric '{name}' has no values; choose another column.")
    n = np.bincount(where[known], minlength=count)
    first = np.full(count, np.nan)
    first[where[known]] = values[known]
    away = np.abs(values[known] - first[where[known]]) > SAME * max(1.0, float(np.abs(values[known]).max()))
    if away.any():
        texts = len(np.unique(where[known][away]))
        warnings.append(
            f"The metric {name} differs between rows of the same text ({counted(texts, 'text')}); the mean was taken. "
            f"Check that item and condition together name one text."
        )
        first = np.bincount(where[known], weights=values[known], minlength=count) / np.where(n > 0, n, np.nan)
    missing = int((n == 0).sum())
    if missing:
        warnings.append(
            f"The metric {name} has no value for {counted(missing, 'text')} of {count:,}; its rows rest on the others."
        )
    return first

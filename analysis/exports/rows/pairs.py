"""The rows of `pairs.csv`: this study's scores paired with another study's ratings, by item and pair of texts.

For every item and every two conditions that differ in the level of one factor: the difference of the mean scores here
and of the mean rating_z there (Siddharthan and Katsos 2012, section 3.2). What analyses leave out (excluded, fillers,
practice, simulated among real) is left out in both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pandas as pd

from analysis.codebook.columns import names
from analysis.codebook.trials import trial_columns
from analysis.exports.cells import Cells, cell
from analysis.exports.rows.codings import words_in
from analysis.exports.rows.judged import condition_name
from analysis.exports.rows.trials import trial_rows
from analysis.exports.stored import StoredStimulus, stored_stimuli
from analysis.methods.report import BadInput
from analysis.methods.rows import used as rows
from analysis.methods.rows.people import ONLY_SIMULATED
from experiments.formats.faults import enumerated
from experiments.models import Study
from experiments.sentences import Sentence

PAIRS = "pairs"
RATING_Z, SCORE = "rating_z", "score"
DIGITS = 9

# (item, name of the condition) → mean and number of values.
Means = Mapping[tuple[str, str], tuple[float, int]]


@dataclass(frozen=True)
class Cell:
    """One stimulus of this study with what is known of it here and there; means are None where there is no value."""

    condition: str
    levels: Mapping[str, Any]
    words: int | None
    score: float | None
    n_score: int
    z: float | None
    n_z: int


def pair_rows(study: Study, other: Study) -> Iterator[Cells]:
    """Yield the cells of `pairs.csv`, in the order of `codebook.tables.PAIR_COLUMNS`.

    A stimulus of the other study is the same where it belongs to an item of the same code, and has the same levels of
    the same factors or, where the factors differ, the same text. Raises BadInput where there is nothing to compare.
    """
    other = rated_task(other)
    scores, simulated_here = means_of(study, SCORE)
    ratings, simulated_there = means_of(other, RATING_Z)
    is_simulated = cell(simulated_here or simulated_there)
    order = {name: place for place, name in enumerate(condition_order(study))}
    cells = cells_of(study, other, scores=scores, ratings=ratings)
    for (item_set, item), conditions in cells.items():
        conditions = sorted(conditions, key=lambda cell: order.get(cell.condition, len(order)))
        for a, b in combinations(conditions, 2):
            differing = [name for name in a.levels if a.levels[name] != b.levels.get(name)]
            if len(differing) != 1:
                continue
            words = [cell.words for cell in (a, b) if cell.words is not None]
            yield (
                study.slug,
                other.slug,
                item_set,
                item,
                differing[0],
                a.condition,
                b.condition,
                a.z,
                b.z,
                difference(a.z, b.z),
                a.score,
                b.score,
                difference(a.score, b.score),
                min(words) if len(words) == 2 else None,
                a.n_z,
                b.n_z,
                a.n_score,
                b.n_score,
                is_simulated,
            )


def rated_task(other: Study) -> Study:
    """Return the other study, seen through the one of its tasks in which sentences were rated.

    Raises BadInput where there is none, and where there are several: their ratings are on scales of their own.
    """
    seen = [other.seen_through(name) for name in other.analysed_tasks] if other.has_several_tasks else [other]
    rated = [each for each in seen if RATING_Z in names(trial_columns(each).all)]
    if not rated:
        raise BadInput(
            Sentence(
                "The study '{slug}' has no {column}; choose a study in which sentences were rated.",
                slug=other.slug,
                column=RATING_Z,
            )
        )
    if len(rated) > 1:
        raise BadInput(
            Sentence(
                "The study '{slug}' has ratings in several tasks ({tasks}). A comparison needs a study with ratings in "
                "one of them.",
                slug=other.slug,
                tasks=enumerated([each.chosen_task for each in rated]),
            )
        )
    return rated[0]


def difference(a: float | None, b: float | None) -> float | None:
    """Return a − b rounded to 1e-9, so that binary noise makes no ranks; None where one is missing.

    >>> difference(0.3, 0.1), difference(0.1 + 0.2, 0.3), difference(None, 1.0)
    (0.2, 0.0, None)
    """
    if a is None or b is None:
        return None
    # Adding 0.0 turns −0.0 into 0.0.
    return round(a - b, DIGITS) + 0.0


def means_of(study: Study, measure: str) -> tuple[Means, bool]:
    """Return the mean of a measure per item and condition, over the trials that analyses use, and whether they are of
    simulated participants.

    Raises BadInput where the study has no such measure, or no value of it.
    """
    columns = names(trial_columns(study).all)
    if measure not in columns:
        raise BadInput(f"The study '{study.slug}' has no column {measure} in its trials, which this comparison needs.")
    frame = pd.DataFrame(list(trial_rows(study)), columns=columns, dtype=object)
    if frame.empty:
        raise BadInput(f"Nobody has taken part in the study '{study.slug}' yet.")
    try:
        chosen = rows.select(frame, used=(measure,))
    except BadInput as fault:
        raise BadInput(f"Study '{study.slug}': {fault}") from fault
    kept = chosen.frame
    kept = kept.loc[kept[measure].notna() & kept["condition"].notna()]
    if kept.empty:
        hint = " Code its recalls first." if measure == SCORE else ""
        raise BadInput(f"No trial of the study '{study.slug}' has a value of {measure} yet.{hint}")
    means = {
        (str(item), str(condition)): (math.fsum(values) / len(values), len(values))
        for (item, condition), values in kept.groupby(["item", "condition"], sort=False)[measure]
    }
    return means, ONLY_SIMULATED in chosen.warnings


def cells_of(study: Study, other: Study, *, scores: Means, ratings: Means) -> dict[tuple[str, str], list[Cell]]:
    """Return the stimuli of every item of this study that the other has too. Raises BadInput where there are none."""
    here_factors = [str(factor["name"]) for factor in study.factors]
    there_factors = [str(factor["name"]) for factor in other.factors]
    there: dict[str, list[StoredStimulus]] = {}
    for stimulus in stored_stimuli(other).values():
        if stimulus.levels is not None:
            there.setdefault(stimulus.item, []).append(stimulus)
    same_factors = set(here_factors) == set(there_factors)
    cells: dict[tuple[str, str], list[Cell]] = {}
    matched = 0
    for stimulus in stored_stimuli(study).values():
        if stimulus.levels is None or stimulus.item not in there:
            continue
        match = next(
            (entry for entry in there[stimulus.item] if is_same(stimulus, entry, same_factors=same_factors)), None
        )
        matched += match is not None
        name = condition_name(stimulus, here_factors)
        score, n_score = scores.get((stimulus.item, name), (None, 0))
        z: float | None = None
        n_z = 0
        if match is not None:
            z, n_z = ratings.get((match.item, condition_name(match, there_factors)), (None, 0))
        cells.setdefault((stimulus.item_set, stimulus.item), []).append(
            Cell(name, stimulus.levels, words_in(stimulus.text, stimulus.extra), score, n_score, z, n_z)
        )
    if not matched:
        raise BadInput(
            f"The studies '{study.slug}' and '{other.slug}' share no stimulus: no item has the same code in both and "
            f"the same condition, or the same text, there. Name items and conditions alike in both."
        )
    return cells


def is_same(here: StoredStimulus, there: StoredStimulus, *, same_factors: bool) -> bool:
    """Say whether two stimuli of one item are the same: by their levels, or by their text where the factors differ."""
    if same_factors:
        return here.levels == there.levels
    return here.text.split() == there.text.split()


def condition_order(study: Study) -> Sequence[str]:
    """Return the names of the conditions in the order of the design."""
    return [condition.name for condition in study.conditions.select_related("part").order_by("position")]

"""What a column of a study's tables is for: a measure, a factor within or between, a covariate, a unit."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from analysis.codebook.columns import ExportColumn, names
from analysis.codebook.trials import trial_columns
from experiments.models import Study

Kind = Literal["measure", "covariate", "within", "between participants", "between items", "unit", "other"]
# What describes texts and their places rather than answers.
OF_TEXTS = frozenset(
    ("words", "characters", "zipf", "position", "areas", "n_regions", "texts_shown", "text_place", "mapping")
)
# What everybody has one value of, beside answers to questionnaires.
OF_PEOPLE = frozenset(("list", "group", "study_group", "source", "through"))


def kinds_of(
    study: Study,
    columns: Collection[ExportColumn],
    *,
    between_participants: Collection[str] = (),
    between_items: Collection[str] = (),
) -> dict[str, Kind]:
    """Return the kind of every column, given which factors of the design differ between participants and items.

    Attributes of items and texts are between items: they are not rotated. Numbers that describe texts or people are
    covariates.
    """
    whole = trial_columns(study)
    said = [column for column in whole.parts if column.role == "factor"]
    of_people = OF_PEOPLE | {*names((*whole.background, *whole.questionnaire, *said)), *between_participants}
    of_items = {*names(whole.attributes), *between_items}
    beside = OF_TEXTS | of_people | of_items | {*names(whole.metrics)}
    return {column.name: _kind_of(column, of_people, of_items, beside) for column in columns}


def _kind_of(
    column: ExportColumn, of_people: Collection[str], of_items: Collection[str], beside: Collection[str]
) -> Kind:
    if column.role == "unit":
        return "unit"
    if column.role == "measure":
        return "covariate" if column.name in beside else "measure"
    if column.role == "factor":
        if column.name in of_people:
            return "between participants"
        return "between items" if column.name in of_items else "within"
    return "other"

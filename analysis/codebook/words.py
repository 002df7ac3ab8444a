"""Codebook: columns of scores of words at the end of the tables of regions and of visits to areas."""

from __future__ import annotations

from analysis.codebook.columns import ExportColumn, distinct
from experiments.models import Study, WordScore

# The tables of which each row is about one region or area, and the column that says which.
NUMBERED_BY = {"regions": "region", "visits": "aoi"}
BEFORE = ("previous", "second_previous")
OF_BEFORE = {"previous": "the region before", "second_previous": "the region before the previous one"}


def word_columns(study: Study, table: str, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the columns of the scores of words of a task, at the end of the tables of regions and visits.

    Each score has its value for the region itself, for the one before and for the one before that, for spillover.
    """
    if table not in NUMBERED_BY:
        return ()
    columns = []
    for score in scores_of_words(study):
        told = f"{score.name} of the region, {score.get_together_display()} where it has several words; empty where a"
        told += f" word has none. {score.provenance} Stored on {score.stored_at:%Y-%m-%d}."
        own = ExportColumn(distinct(score.name, taken=taken, prefix="word"), "number", told, role="measure")
        columns.append(own)
        for name in BEFORE:
            column = distinct(f"{name}_{own.name}", taken=taken, prefix="word")
            columns.append(ExportColumn(column, "number", f"{own.name} of {OF_BEFORE[name]}.", role="measure"))
    return tuple(columns)


def scores_of_words(study: Study) -> list[WordScore]:
    """Return the scores of words of a study's task, by name; none before it has one."""
    return [] if study.task.pk is None else list(WordScore.objects.filter(part=study.task).order_by("name"))


def word_score_facts(study: Study) -> list[object]:
    """Return what the cells of scores of words hang on; nothing where there is none."""
    return list(WordScore.objects.filter(part__study=study).order_by("pk").values_list("pk", "name", "stored_at"))

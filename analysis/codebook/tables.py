"""Codebook: columns of the other tables for analyses: codings, long tables, texts, pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from analysis.codebook.columns import ExportColumn, distinct, measure_column, shared_column
from analysis.codebook.fixed import EXCLUDED, PERSON, PLACE, POSITION, REASON, SHOWN, SIMULATED, STIMULUS, STUDY
from analysis.codebook.materials import (
    TEXT_OF_MATERIALS,
    attribute_columns,
    attribute_names,
    factor_columns,
    metric_columns,
    named_measures,
)
from analysis.codebook.regions import REGION_COLUMNS, REGIONS
from analysis.codebook.trials import code_columns, part_columns, part_of_pool
from analysis.codebook.words import word_columns
from experiments.models import Study
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import LongTable

IS_FILLER = SHOWN[0]
LEFT_OUT = (SIMULATED, EXCLUDED, REASON)
RECALLED = (
    ExportColumn("recall_id", "text", "Opaque name of the recall, as coders know it.", role="unit"),
    ExportColumn("stimulus", "text", "The text that was shown."),
    ExportColumn("recall", "text", "What the participant wrote.", has_own_words=True),
    ExportColumn("words", "integer", "Words of the text that was shown.", "words", role="measure"),
)
GIVEN = (
    ExportColumn("coder", "text", "Pseudonym of the coder: coder-1, coder-2, …; final in the final rows.", role="unit"),
    ExportColumn(
        "role", "text", "Whether one coder gave the codes, or they are the final ones.", values=("coder", "final")
    ),
    ExportColumn(
        "source",
        "text",
        "Final rows: settled by adjudication, agreed by all coders, or of a single coder. There is no final row where "
        "coders differ and nothing is settled.",
        values=("adjudicated", "agreed", "single"),
    ),
    ExportColumn("codes", "text", "The codes, separated by semicolons.", role="measure"),
)
WORKED = (
    ExportColumn("score", "number", "Sum of the weights of the codes.", role="measure"),
    ExportColumn("note", "text", "Note of the coder, or of the person who settled the codes.", has_own_words=True),
    ExportColumn("seconds", "number", "Time that the coder had the recall on the screen, added up.", "s"),
    ExportColumn("coded_at", "datetime", "When the codes were last changed (UTC, ISO 8601)."),
)


def coding_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `codings.csv`: one row for each coding, and one for the final codes of each recall.

    Where a study has several tasks, the last one says to which a row belongs; without a chosen task, or of a pool, the
    columns of all tasks that are coded are there, each once.
    """
    if study.shows_several_tasks:
        coded = [task for task in study.seen_tasks if paradigm_behind(task.paradigm).coded_measure_of(task.settings)]
        found: dict[str, list[tuple[str, ExportColumn]]] = {}
        part: tuple[ExportColumn, ...] = ()
        for task in coded:
            *own, last = coding_columns(study.seen_through(task.name))
            part = (last,)
            for column in own:
                found.setdefault(column.name, []).append((task.name, column))
        if study.chosen_task:
            part = tuple(part_of_pool(study, column) for column in part)
        return (*(shared_column(of_tasks, tasks=len(coded)) for of_tasks in found.values()), *part)
    codes = code_columns(study, of="")
    fixed = (*PERSON, POSITION, *STIMULUS, IS_FILLER, *RECALLED, *GIVEN, *codes, *WORKED, *LEFT_OUT)
    taken = {column.name for column in fixed}
    factors = factor_columns(study, taken=taken)
    attributes = attribute_columns(study, taken=taken)
    before = (*PERSON, POSITION, *STIMULUS, *factors, IS_FILLER)
    columns = (*before, *RECALLED, *GIVEN, *codes, *WORKED, *LEFT_OUT, *attributes)
    return (*columns, _part_of_codings(study)) if study.has_several_tasks else columns


def _part_of_codings(study: Study) -> ExportColumn:
    """Return the column of the task, under a name that neither a factor nor an attribute of any task has."""
    every = [study.seen_through(task.name) for task in study.tasks]
    taken = {str(factor["name"]) for seen in every for factor in seen.factors}
    return part_columns(study, taken=taken.union(*(attribute_names(seen) for seen in every)))[0]


def pooled_columns(
    study: Study, columns_of: Callable[[Study], tuple[ExportColumn, ...]]
) -> tuple[ExportColumn, ...] | None:
    """Return the columns of a table of a pool of tasks: those of each, joined, then `part`; None where there is none.

    A column that not all of the tasks have is empty in the rows of the others.
    """
    if not (study.chosen_task and study.shows_several_tasks):
        return None
    found: dict[str, list[tuple[str, ExportColumn]]] = {}
    for task in study.seen_tasks:
        for column in columns_of(study.seen_through(task.name)):
            found.setdefault(column.name, []).append((task.name, column))
    part = part_columns(study, taken=set(found))[0]
    shared = (shared_column(of_tasks, tasks=len(study.seen_tasks)) for of_tasks in found.values())
    return (*shared, part_of_pool(study, part))


def long_columns(study: Study, table: LongTable) -> tuple[ExportColumn, ...]:
    """Return the columns of a long table: those that say which trial a row belongs to, then its own.

    At the end stand those that the analysis adds, those of pictures and sounds where the materials name any, and scores
    of words; of a pool of tasks, the part.
    """
    if (pooled := pooled_columns(study, lambda seen: long_columns(seen, table))) is not None:
        return pooled
    own = tuple(measure_column(measure) for measure in table.columns)
    taken = {column.name for column in (*PERSON, *PLACE, *STIMULUS, IS_FILLER, *own, *LEFT_OUT)}
    factors = factor_columns(study, taken=taken)
    attributes = attribute_columns(study, taken=taken)
    before = (*PERSON, *PLACE, *STIMULUS, *factors, IS_FILLER, *own, *LEFT_OUT, *attributes)
    of_media = [measure_column(measure) for measure in named_measures(study, table.of_media)]
    shown = (replace(one, name=distinct(one.name, taken=taken, prefix="shown")) for one in of_media)
    added = added_columns(table, taken=taken)
    return (*before, *added, *shown, *word_columns(study, table.name, taken=taken))


def added_columns(table: LongTable, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the columns that the analysis adds to a long table, at its end; those of regions alone has any."""
    if table.name != REGIONS:
        return ()
    return tuple(replace(one, name=distinct(one.name, taken=taken, prefix="region")) for one in REGION_COLUMNS)


def text_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `texts.csv`: where a text stands in the design, then the text; of a pool also the part."""
    if (pooled := pooled_columns(study, text_columns)) is not None:
        return pooled
    taken = {column.name for column in (*TEXT_PLACE, *STIMULUS, IS_FILLER, TEXT_OF_MATERIALS)}
    factors = factor_columns(study, taken=taken)
    attributes = attribute_columns(study, taken=taken)
    return (
        *TEXT_PLACE, *STIMULUS, *factors, IS_FILLER, TEXT_OF_MATERIALS, *attributes, *metric_columns(study, taken=taken)
    )  # fmt: skip


TEXT_PLACE = (
    STUDY,
    ExportColumn(
        "list",
        "text",
        "A list that shows the text; one row for each. Empty for fillers and practice, which all lists show.",
        role="factor",
    ),
    ExportColumn("phase", "text", "Part of the session that shows the text.", values=("practice", "main")),
)
PAIR_COLUMNS = (
    STUDY,
    ExportColumn("other_study", "text", "Short name of the study whose ratings are compared."),
    ExportColumn("item_set", "text", "Set of items that are rotated together."),
    ExportColumn("item", "text", "Code of the item.", role="unit"),
    ExportColumn("factor", "text", "The factor in which the two conditions differ.", role="factor"),
    ExportColumn("condition_a", "text", "The first condition, in the order of the design.", role="factor"),
    ExportColumn("condition_b", "text", "The second condition.", role="factor"),
    ExportColumn(
        "z_a", "number", "Mean rating_z of the item in the first condition, in the other study.", role="measure"
    ),
    ExportColumn("z_b", "number", "The same in the second condition.", role="measure"),
    ExportColumn("difference_z", "number", "z_a − z_b, rounded to 1e-9; empty where one is missing.", role="measure"),
    ExportColumn("score_a", "number", "Mean score of the item in the first condition, in this study.", role="measure"),
    ExportColumn("score_b", "number", "The same in the second condition.", role="measure"),
    ExportColumn(
        "difference_score", "number", "score_a − score_b, rounded to 1e-9; empty where one is missing.", role="measure"
    ),
    ExportColumn("words", "integer", "Words of the shorter of the two texts.", "words", role="measure"),
    ExportColumn("n_z_a", "integer", "Ratings behind z_a.", "trials"),
    ExportColumn("n_z_b", "integer", "Ratings behind z_b.", "trials"),
    ExportColumn("n_score_a", "integer", "Scores behind score_a.", "trials"),
    ExportColumn("n_score_b", "integer", "Scores behind score_b.", "trials"),
    ExportColumn(
        "simulated",
        "boolean",
        "True where simulated participants answered here or in the other study; never a finding.",
    ),
)

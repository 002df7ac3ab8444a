"""List the CSV files of a study's export: names, descriptions, columns and row builders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.codebook.columns import ExportColumn
from analysis.codebook.materials import material_columns
from analysis.codebook.people import EVENT_COLUMNS, FLOW_COLUMNS, participant_columns, session_columns
from analysis.codebook.questionnaires import ANSWER_COLUMNS
from analysis.codebook.tables import coding_columns, long_columns, text_columns
from analysis.codebook.trials import trial_columns
from analysis.exports.cells import Cells
from analysis.exports.rows.answers import answer_rows
from analysis.exports.rows.codings import coding_rows
from analysis.exports.rows.events import event_rows
from analysis.exports.rows.flow import study_flow
from analysis.exports.rows.long import long_rows
from analysis.exports.rows.materials import material_rows
from analysis.exports.rows.people import participant_rows, session_rows
from analysis.exports.rows.stages import flow_rows
from analysis.exports.rows.texts import text_rows
from analysis.exports.rows.trials import trial_rows
from analysis.exports.stored import Wanted
from experiments.formats.faults import listed
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import LongTable
from experiments.sentences import Sentence


@dataclass(frozen=True)
class Sheet:
    """One CSV file of an export: what it is called, what it holds and how its rows are made.

    `table` and `task` are set where a file is of one task, or of a pool of tasks, alone: what analyses call it, and the
    name of the task or pool. `narrowed` makes the rows of some sessions alone; None where a file is not of sessions.
    """

    name: str
    title: str
    columns: Callable[[Study], tuple[ExportColumn, ...]]
    rows: Callable[[Study], Iterator[Cells]]
    is_data: bool = True
    table: str = ""
    task: str = ""
    narrowed: Callable[[Study, Wanted], Iterator[Cells]] | None = None


TRIALS = Sheet(
    "trials",
    "One row for every trial, answered or not.",
    lambda study: trial_columns(study).all,
    trial_rows,
    narrowed=trial_rows,
)
CODINGS = Sheet(
    "codings",
    Sentence("One row for every recall and coder, and one for the final codes of every recall."),
    coding_columns,
    coding_rows,
)
PEOPLE = (
    Sheet(
        "participants",
        "One row for every participant: background answers, data quality, exclusion, completion.",
        participant_columns,
        participant_rows,
        narrowed=participant_rows,
    ),
    Sheet(
        "answers",
        "One row for every answer to a question: when it was given, how often it was changed.",
        lambda study: ANSWER_COLUMNS,
        answer_rows,
        narrowed=answer_rows,
    ),
    Sheet(
        "sessions",
        "One row for every session: list, seed, consent, times, browser.",
        session_columns,
        session_rows,
        narrowed=lambda study, only: session_rows(study, only=only),
    ),
    Sheet(
        "events",
        "One row for every event that a browser recorded; without rows where the paradigm records no events.",
        lambda study: EVENT_COLUMNS,
        event_rows,
        narrowed=event_rows,
    ),
    Sheet(
        "flow",
        "How many people and trials started, finished, were left out and why, and are analysed.",
        lambda study: FLOW_COLUMNS,
        lambda study: flow_rows(study_flow(study)),
    ),
)
MATERIALS = Sheet(
    "materials",
    "The materials as they can be imported again.",
    material_columns,
    material_rows,
    is_data=False,
)


TEXTS = Sheet(
    "texts",
    "One row for every text on every list that shows it: the materials as analyses of texts read them.",
    text_columns,
    text_rows,
    is_data=False,
)


def sheets_of(study: Study) -> tuple[Sheet, ...]:
    """Return the CSV files of a study: those of every study, its codings, and the long tables of its paradigm."""
    materials = _of_every_task(study, MATERIALS, [task.name for task in study.tasks])
    return (*table_sheets(study), *PEOPLE, *materials, *_of_every_task(study, TEXTS, study.analysed_tasks))


def table_sheets(study: Study) -> tuple[Sheet, ...]:
    """Return the files of what participants did: trials, codings where people code, long tables."""
    sheets = [TRIALS]
    names = [study.chosen_task or study.task.name] if study.chosen_task else study.analysed_tasks
    for name in names:
        seen = study.seen_through(name)
        paradigm = paradigm_named(seen.paradigm)
        sheets += [CODINGS] if paradigm.coded_measure_of(seen.settings) and CODINGS not in sheets else []
        taken = {sheet.name for sheet in sheets}
        is_one_of_several = study.has_several_tasks and not study.chosen_task
        found = [_long_sheet(table, name, taken) for table in paradigm.long_tables_of(seen.settings)]
        sheets += [replace(one, title=_title_of(one.title, seen)) for one in found] if is_one_of_several else found
    return tuple(sheets)


def _of_every_task(study: Study, sheet: Sheet, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Return a sheet for every task of these names: each has its own columns, and the first has the plain name.

    Materials are of single tasks, since each is imported into one; texts of a pool stand in one file.
    """
    if study.chosen_task or not study.has_several_tasks:
        return (sheet,)
    return tuple(_of_task(sheet, study.seen_through(name), is_first=place == 0) for place, name in enumerate(names))


def _of_task(sheet: Sheet, seen: Study, *, is_first: bool) -> Sheet:
    task = seen.chosen_task
    return replace(
        sheet,
        name=sheet.name if is_first else f"{sheet.name}_{task}",
        title=_title_of(sheet.title, seen),
        table=sheet.name,
        task=task,
        columns=lambda study: sheet.columns(study.seen_through(task)),
        rows=lambda study: sheet.rows(study.seen_through(task)),
    )


def _title_of(title: str, seen: Study) -> str:
    task = seen.chosen_task
    if seen.shows_several_tasks:
        parts = listed([part.name for part in seen.seen_tasks])
        return Sentence("Of the pool '{pool}' (parts {parts}): {title}", pool=task, parts=parts, title=title)
    return Sentence("Of the part '{task}': {title}", task=task, title=title)


def _long_sheet(table: LongTable, task: str, taken: set[str]) -> Sheet:
    return Sheet(
        f"{table.name}_{task}" if table.name in taken else table.name,
        table.description,
        lambda study: long_columns(study.seen_through(task), table),
        lambda study: long_rows(study.seen_through(task), table),
        narrowed=lambda study, only: long_rows(study.seen_through(task), table, only),
        table=table.name,
        task=task,
    )


def name_in_export(study: Study, table: str, *, task: str) -> str:
    """Return what a table of a task is called in the export of the whole study: `texts_sentences` of a further task.

    A part of a pool has its rows in the table of the pool.
    """
    whole = study.seen_through("")
    pool = next((whole.pool_of(one) for one in whole.tasks if one.name == task), "")
    sheets = sheets_of(whole)
    return next(
        (sheet.name for of in (task, pool) for sheet in sheets if (sheet.table, sheet.task) == (table, of)), table
    )

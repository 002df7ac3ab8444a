"""Write a study as a dataset of the Brain Imaging Data Structure (BIDS) with behaviour alone.

Source: the BIDS specification 1.10: dataset description, participants file, behavioural experiments without
neuroimaging, tabular files. What has no place of its own is below `sourcedata/` and `stimuli/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from django.conf import settings

from analysis.codebook.columns import CODEBOOK_COLUMNS, ExportColumn, codebook_rows
from analysis.codebook.people import participant_columns
from analysis.codebook.trials import trial_columns
from analysis.exports.cells import Cell, Cells, csv_pieces
from analysis.exports.deposited import deposited
from analysis.exports.forms.rows import Labels, text_of
from analysis.exports.forms.words import authors_of, instructions_of, readme
from analysis.exports.packing import json_bytes
from analysis.exports.rows.people import participant_rows
from analysis.exports.rows.trials import trial_rows
from analysis.exports.sheets import sheets_of
from experiments.media.storage import content_of, files_of
from experiments.models import MediaFile, Study

VERSION = "1.10.0"
MISSING = "n/a"
# What BIDS says of these columns of participants differs from what a study may ask under the same name.
RESERVED = frozenset({"sex", "handedness", "species", "strain", "strain_rrid", "hed"})
OF_PERSON = ("study", "participant", "session")
RESPONSE_TIME = ExportColumn("response_time", "number", "From the onset of the stimulus to the submission.", "s")
PIECE = 64 * 1024
Files = Iterator[tuple[str, Iterable[bytes]]]


def bids_files(study: Study) -> Files:
    """Yield path and content of every file of the dataset, those of people one by one.

    The pieces of a file have to be used up before the next is asked for.
    """
    tasks, people = Labels("task"), Labels("person")
    yield "dataset_description.json", [json_bytes(_description(study))]
    yield "README.md", [readme(study, _WHAT).encode("utf-8")]
    yield ".bidsignore", [b"manifest.json\n"]
    for task in study.tasks:
        yield from _task_files(study.seen_through(task.name), tasks[task.name], people)
    # Whoever has a row has a folder; where nobody has one, there is no such file.
    if people:
        columns = _participant_columns(study)
        yield "participants.tsv", _tsv(columns, _participants(study, people))
        yield "participants.json", [json_bytes(_sidecar(columns))]
    yield from _sources(study)
    yield from _media(study)


_WHAT = (
    "This is a dataset in the Brain Imaging Data Structure (BIDS) with behaviour alone. `participants.tsv` has a row "
    "for every person; `sub-*/beh/` has a table of trials for every person and task, whose columns the files "
    "`task-*_beh.json` describe. `sourcedata/` has the other tables of the study as CSV with a codebook, and "
    "`stimuli/` the materials."
)


def _description(study: Study) -> dict[str, Any]:
    found = deposited(study)
    return {
        "Name": study.title,
        "BIDSVersion": VERSION,
        "DatasetType": "raw",
        **({"License": found.licence} if found and found.licence else {}),
        "Authors": authors_of(study) or ["Authors to be named"],
        **({"DatasetDOI": f"doi:{found.doi}"} if found and found.doi else {}),
        "GeneratedBy": [{"Name": "Lectern", "Version": settings.CODE_VERSION}],
    }


def _participant_columns(study: Study) -> tuple[ExportColumn, ...]:
    first = ExportColumn("participant_id", "text", "The person: sub- and the label of the folder.")
    pseudonym = ExportColumn("pseudonym", "text", "Pseudonym of the participant, as in the other tables.")
    taken = {"participant_id", "pseudonym"}
    further = []
    for column in participant_columns(study):
        if column.name in ("study", "participant"):
            continue
        is_reserved = column.name.casefold() in RESERVED or (column.name == "age" and not _is_number(column))
        name = f"answer_{column.name}" if is_reserved or column.name in taken else column.name
        taken.add(name)
        further.append(replace(column, name=name))
    return (first, pseudonym, *further)


def _participants(study: Study, people: Labels) -> Iterator[Cells]:
    places = [place for place, one in enumerate(participant_columns(study)) if one.name not in ("study", "participant")]
    whose = next(place for place, one in enumerate(participant_columns(study)) if one.name == "participant")
    seen = set()
    for row in participant_rows(study):
        pseudonym = str(row[whose])
        # BIDS has one row for a person; a further session of the same person has its trials in files of its own.
        if pseudonym in people and pseudonym not in seen:
            seen.add(pseudonym)
            yield (f"sub-{people[pseudonym]}", pseudonym, *(row[place] for place in places))


def _task_files(seen: Study, task: str, people: Labels) -> Files:
    columns = trial_columns(seen).all
    names = [column.name for column in columns]
    kept = [place for place, name in enumerate(names) if name not in OF_PERSON]
    shown = tuple(columns[place] for place in kept)
    rt = names.index("rt_ms")
    has_seconds = RESPONSE_TIME.name not in names
    described = (*shown, RESPONSE_TIME) if has_seconds else shown
    about: dict[str, Any] = {"TaskName": seen.task.label or task}
    if told := instructions_of(seen):
        about["Instructions"] = told
    participant, session = names.index("participant"), names.index("session")
    runs: dict[str, int] = {}
    for (pseudonym, _session), rows in groupby(trial_rows(seen), key=lambda row: (row[participant], row[session])):
        label = people[str(pseudonym)]
        runs[label] = runs.get(label, 0) + 1
        run = f"_run-{runs[label]}" if runs[label] > 1 else ""
        of_one = [(*(row[place] for place in kept), *((_seconds(row[rt]),) if has_seconds else ())) for row in rows]
        yield f"sub-{label}/beh/sub-{label}_task-{task}{run}_beh.tsv", _tsv(described, of_one)
    if runs:
        yield f"task-{task}_beh.json", [json_bytes(about | _sidecar(described))]


def _seconds(value: Cell) -> Cell:
    return round(value / 1000, 6) if isinstance(value, (int, float)) else None


def _sources(study: Study) -> Files:
    """Yield the tables that have no place in BIDS, as they are in the plain form, and the codebook of all of them."""
    paths: dict[str, tuple[ExportColumn, ...]] = {}
    for sheet in sheets_of(study):
        if sheet.name == "trials":
            continue
        path = f"sourcedata/{sheet.name}.csv" if sheet.is_data else f"stimuli/{sheet.name}.csv"
        paths[path] = sheet.columns(study)
        yield path, csv_pieces(paths[path], sheet.rows(study))
    yield "sourcedata/codebook.csv", csv_pieces(CODEBOOK_COLUMNS, codebook_rows(paths))


def _media(study: Study) -> Files:
    for file in files_of(study):
        yield f"stimuli/{file.name}", _deferred(file)


def _deferred(file: MediaFile) -> Iterator[bytes]:
    yield content_of(file)


def _is_number(column: ExportColumn) -> bool:
    return column.type in ("integer", "number")


def _sidecar(columns: Sequence[ExportColumn]) -> dict[str, Any]:
    """Return what BIDS wants to know of columns, by their names."""
    return {column.name: _described(column) for column in columns}


def _described(column: ExportColumn) -> dict[str, Any]:
    described: dict[str, Any] = {"Description": column.description}
    if column.unit:
        described["Units"] = column.unit
    if column.type == "boolean":
        described["Levels"] = {"true": "yes", "false": "no"}
    elif column.values:
        described["Levels"] = {value: value for value in column.values}
    return described


def _tsv(columns: Sequence[ExportColumn], rows: Iterable[Cells]) -> Iterator[bytes]:
    """Yield a table with tabs between cells; a cell has neither tabs nor line breaks, and n/a where it is empty."""
    lines, size = ["\t".join(tsv_cell(column.name) for column in columns)], 0
    for row in rows:
        line = "\t".join(map(tsv_cell, row))
        lines.append(line)
        size += len(line)
        if size > PIECE:
            yield ("\n".join(lines) + "\n").encode("utf-8")
            lines, size = [], 0
    if lines:
        yield ("\n".join(lines) + "\n").encode("utf-8")


def tsv_cell(value: Cell) -> str:
    r"""Return a cell of a table with tabs.

    >>> tsv_cell(None), tsv_cell("  "), tsv_cell("one\ttwo\r\nthree"), tsv_cell(0.25)
    ('n/a', 'n/a', 'one two three', '0.25')
    """
    return " ".join(text_of(value).split()) or MISSING

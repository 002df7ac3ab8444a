"""Write a study as a dataset of PsychLing-101.

Source: the README, CODEBOOK.csv and the checks of the project on GitHub (Data-X01/PsychLing-101), as of 2026: folders,
names of columns, fields of prompts.jsonl, marks of answers, at most 32,000 tokens for a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.codebook.columns import ExportColumn
from analysis.codebook.tables import long_columns
from analysis.codebook.trials import part_columns, trial_columns
from analysis.exports.cells import Cells, csv_pieces
from analysis.exports.forms.psychling.generate_prompts import lines
from analysis.exports.forms.psychling.preprocess_data import processed
from analysis.exports.forms.rows import alphanumeric, named_rows
from analysis.exports.forms.words import instructions_of, readme
from analysis.exports.packing import json_bytes, zip_pieces
from analysis.exports.sheets import Sheet, name_in_export, sheets_of
from experiments.media.storage import content_of, files_of
from experiments.models import MediaFile, Study
from experiments.paradigms import paradigm_named

SCRIPTS = ("preprocess_data.py", "generate_prompts.py")
HEADER = (
    ExportColumn("Recommended Column Name", "text", ""),
    ExportColumn("Description", "text", ""),
)
ORDER = ExportColumn("trial_order", "integer", "Order in which the trials of the table came in the session, from 0.")
# Names of the project's codebook for columns of exports.
NAMES = {
    "participant": "participant_id",
    "session": "session_id",
    "position": "trial_id",
    "phase": "phase_id",
    "text": "stimulus",
    "region_text": "stimulus",
    "rt_ms": "rt",
    "correct": "accuracy",
}
# The column of the answer, and what is said around it, by paradigm; where it is named `response`.
ANSWERS = {
    "magnitude-estimation": ("rating", "You give it the number ", "."),
    "comparison": ("choice", "You choose ", "."),
    "timed-choice": ("choice", "You press ", "."),
    "sentence-recall": ("recall", "You write: ", ""),
    "typed-production": ("response", "You write: ", ""),
}
OF_WORDS = ("self-paced-reading", "maze")
# What people say of themselves that the project wants next to the text, under these names.
ABOUT_PERSON = (
    "age", "gender", "education", "first_language", "nationality", "diagnosis", "clinical_diagnoses",
)  # fmt: skip
Files = Iterator[tuple[str, Iterable[bytes]]]


@dataclass(frozen=True)
class Experiment:
    """One task: the table from which its rows come, the names of its columns, and how its trials are said in words."""

    sheet: Sheet
    columns: tuple[ExportColumn, ...]
    told: dict[str, Any]

    def rows(self, study: Study) -> Iterator[dict[str, str]]:
        """Yield its rows as they are in `processed_data/`."""
        return processed(named_rows(self.sheet.columns(study), self.sheet.rows(study)), self.told)


def psychling_files(study: Study) -> Files:
    """Yield path and content of every file of the dataset, which is in a folder of its own name."""
    experiments = [_experiment(study, task.name, number) for number, task in enumerate(study.tasks, 1)]
    name = folder_name(study)
    yield "README.md", [readme(study, _WHAT).encode("utf-8")]
    for sheet in sheets_of(study):
        yield f"original_data/{sheet.name}.csv", csv_pieces(sheet.columns(study), sheet.rows(study))
    for one in experiments:
        yield f"processed_data/{one.told['name']}.csv", _table(study, one)
    known = {column.name: column.description for one in reversed(experiments) for column in one.columns}
    yield "CODEBOOK.csv", csv_pieces(HEADER, known.items())
    yield "experiments.json", [json_bytes({"name": name, "experiments": [one.told for one in experiments]})]
    for script in SCRIPTS:
        yield script, [Path(__file__).with_name(script).read_bytes()]

    def rows_of(number: int) -> Iterator[dict[str, str]]:
        return experiments[number].rows(study)

    said = (line.encode("utf-8") for line in lines([one.told for one in experiments], rows_of, name))
    yield "prompts.jsonl.zip", zip_pieces([("prompts.jsonl", said)])
    yield from ((f"original_data/media/{file.name}", _content(file)) for file in files_of(study))


_WHAT = (
    "This is a dataset for PsychLing-101. `original_data/` has every table of the study, `processed_data/` one table "
    "for each task with the columns of `CODEBOOK.csv`, and `prompts.jsonl.zip` every session in words, with the "
    "answers between << and >>. `preprocess_data.py` and `generate_prompts.py` make the latter two of the first. "
    "Before a pull request, add the reference of the paper and rename the folder to authorYEAR_title."
)


def folder_name(study: Study) -> str:
    """Return what the dataset is called until it has authors and a year: the short name of the study."""
    return alphanumeric(study.slug) or "study"


def _content(file: MediaFile) -> Iterator[bytes]:
    yield content_of(file)


def _table(study: Study, experiment: Experiment) -> Iterator[bytes]:
    names = [column.name for column in experiment.columns]
    rows: Iterable[Cells] = (tuple(row[name] for name in names) for row in experiment.rows(study))
    yield from csv_pieces(experiment.columns, rows)


def _experiment(study: Study, task: str, number: int) -> Experiment:
    seen = study.seen_through(task) if study.has_several_tasks else study
    paradigm = paradigm_named(seen.paradigm)
    is_of_words = seen.paradigm in OF_WORDS
    tables = {table.name: table for table in paradigm.long_tables_of(seen.settings)} if is_of_words else {}
    sheet_name = name_in_export(study, "regions", task=task) if is_of_words else "trials"
    sheet = next(one for one in sheets_of(study) if one.name == sheet_name)
    own = long_columns(seen, tables["regions"]) if is_of_words else trial_columns(seen).all
    there = {column.name for column in sheet.columns(study)}
    own = tuple(column for column in own if column.name in there and column.name not in ("study", "answered"))
    answers = _answers(seen)
    names = dict(NAMES)
    if answers and answers[0][0] == ANSWERS.get(seen.paradigm, ("",))[0]:
        names[answers[0][0]] = "response"
    renamed = _renamed(own, names)
    part = part_columns(study, taken={column.name for column in trial_columns(study).all} - {"part"})[0].name
    only: dict[str, list[str]] = {"phase": ["practice", "main"]}
    if sheet.name == "trials":
        only["answered"] = ["true"]
    if study.has_several_tasks and part in there:
        only[part] = [task]
    to = {name: column.name for name, column in renamed}
    choices = _choices(seen)
    told = {
        "name": f"exp{number}",
        "task": task,
        "source": f"{sheet.name}.csv",
        "only": only,
        "columns": [[name, column.name] for name, column in renamed],
        "truth": [to["correct"]] if to.get("correct") == "accuracy" else [],
        "unit": "word" if is_of_words else "trial",
        "instructions": instructions_of(seen),
        "answers": [] if is_of_words else [[to[name], before, after] for name, before, after in answers],
        "options": choices,
        "keyed": to.get("choice", "") if choices else "",
        "about_person": [name for name in ABOUT_PERSON if name in to.values()],
    }
    return Experiment(sheet, (*(column for _name, column in renamed), ORDER), told)


def _renamed(columns: Iterable[ExportColumn], names: dict[str, str]) -> list[tuple[str, ExportColumn]]:
    """Return every column under the name of the project, unless another column has that name already."""
    found = list(columns)
    taken = {column.name for column in found} | {ORDER.name}
    made = []
    for column in found:
        to = names.get(column.name, column.name)
        if to != column.name:
            to = to if to not in taken else column.name
            taken.add(to)
        elif column.name == ORDER.name:
            to = f"study_{column.name}"
        made.append((column.name, replace(column, name=to)))
    return made


def _answers(seen: Study) -> list[tuple[str, str, str]]:
    """Return the columns of answers in the order in which they are said, each with the words around it."""
    names = [column.name for column in trial_columns(seen).measures]
    found = [ANSWERS[seen.paradigm]] if seen.paradigm in ANSWERS and ANSWERS[seen.paradigm][0] in names else []
    # Every rating question has the time from its page next to it.
    rated = [name for name in names if f"{name}_rt_ms" in names]
    found += [(name, f"{name.replace('_', ' ').capitalize()}: ", ".") for name in rated]
    if "question_answer" in names:
        found.append(("question_answer", "Question about the text: you answer ", "."))
    if not found:
        found.append(("rt_ms", "You read for ", " ms."))
    return found


def _choices(seen: Study) -> list[str]:
    """Return the answers of a timed choice in their order; none for other tasks."""
    if seen.paradigm != "timed-choice":
        return []
    written = str(paradigm_named(seen.paradigm).complete_settings(seen.settings)["answers"])
    names = [line.partition("|")[0].strip() for line in written.splitlines()]
    return [name for name in dict.fromkeys(names) if name][:26]

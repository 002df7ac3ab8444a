"""Write the README of an export and example scripts that read its data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from analysis.codebook.columns import ExportColumn, names
from analysis.codebook.trials import trial_columns
from experiments.models import Study
from experiments.paradigms import paradigm_named

STARTERS = Path(__file__).parent / "starters"
README, PYTHON, R = "README.md", "start.py", "start.R"
# What the scripts are made from where a study has several tasks.
PYTHON_OF_TASKS, R_OF_TASKS = "start_of_tasks.py", "start_of_tasks.R"


# Path, title and columns of a CSV file.
Table = tuple[str, str, Sequence[ExportColumn]]


def starting_points(study: Study, tables: Mapping[str, Table]) -> list[tuple[str, bytes]]:
    """Return path and content of the page and the scripts, from every CSV file under its name, in their order."""
    files = {name: path for name, (path, _title, _columns) in tables.items()}
    named = {"slug": study.slug, "python": PYTHON, "r": R}
    readme = _filled(
        README,
        **named,
        # The title is anybody's: it must not break out of its line.
        title=" ".join(study.title.split()),
        version=study.version,
        lines="\n".join(f"| `{path}` | {title} |" for path, title, _columns in tables.values()),
        parts=_parts_in_words(study),
    )
    if study.has_several_tasks:
        return [(README, readme), *_scripts_of_tasks(study, files, named)]
    return [(README, readme), *_scripts(study, files, named, trials=set(names(tables["trials"][2])))]


def _scripts(
    study: Study, files: dict[str, str], named: dict[str, str], *, trials: set[str]
) -> list[tuple[str, bytes]]:
    factors = [name for factor in study.factors if (name := _column(str(factor["name"]), trials))]
    measure = _measure(study, trials)
    python = _filled(PYTHON, **named, files=_quoted(files), measure=_quoted(measure), factors=_quoted(factors))
    r = _filled(R, **named, files=_named_in_r(files), measure=_quoted(measure), factors=_vector_in_r(factors))
    return [(PYTHON, python), (R, r)]


def _scripts_of_tasks(study: Study, files: dict[str, str], named: dict[str, str]) -> list[tuple[str, bytes]]:
    """Return scripts that look at one task after the other, each in its own rows."""
    tasks: dict[str, tuple[str, list[str]]] = {}
    for task in study.tasks:
        seen = study.seen_through(task.name)
        columns = trial_columns(seen)
        tasks[task.name] = (_measure(seen, set(names(columns.all))), names(columns.factors))
    part = _quoted(_part_column(study))
    python = _filled(PYTHON_OF_TASKS, **named, files=_quoted(files), part=part, tasks=_quoted(tasks))
    in_r = ", ".join(
        f"{_quoted(task)} = list(measure = {_quoted(measure)}, factors = {_vector_in_r(factors)})"
        for task, (measure, factors) in tasks.items()
    )
    r = _filled(R_OF_TASKS, **named, files=_named_in_r(files), part=part, tasks=in_r)
    return [(PYTHON, python), (R, r)]


def _part_column(study: Study) -> str:
    return trial_columns(study).parts[0].name


def _parts_in_words(study: Study) -> str:
    if not study.has_several_tasks:
        return ""
    tasks = ", ".join(f"`{task.name}`" for task in study.tasks)
    column = _part_column(study)
    return f" The column `{column}`\nof the trials says to which part of the study a row belongs; tasks are {tasks}."


def _named_in_r(texts: dict[str, str]) -> str:
    return ", ".join(f"{_quoted(name)} = {_quoted(text)}" for name, text in texts.items())


def _vector_in_r(texts: Sequence[str]) -> str:
    return f"c({', '.join(map(_quoted, texts))})"


def _column(factor: str, trials: set[str]) -> str:
    return next((name for name in (factor, f"factor_{factor}") if name in trials), "")


def _measure(study: Study, trials: set[str]) -> str:
    """Return what the paradigm suggests first to analyse in a row of trials; empty where that is no column of them."""
    factors = {str(factor["name"]): [str(level) for level in factor.get("levels", ())] for factor in study.factors}
    has_fillers = study.items.filter(is_filler=True).exists()
    suggested = paradigm_named(study.paradigm).suggestions(factors, study.settings, has_fillers=has_fillers)
    measures = (str(each.params.get("dv", "")) for each in suggested if each.table == "trials")
    return next((measure for measure in measures if measure in trials), "")


def _quoted(value: object) -> str:
    # What JSON writes for texts, lists and dictionaries of texts, Python and R read as the same.
    return json.dumps(value, ensure_ascii=True)


def _filled(name: str, **values: object) -> bytes:
    return (STARTERS / f"{name}.txt").read_text(encoding="utf-8").format(**values).encode("utf-8")

"""Data class of a codebook entry: name, type, unit, meaning, allowed values of a column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from experiments.formats.faults import listed
from experiments.paradigms.base import Measure
from experiments.questionnaire.variables import Variable

ColumnType = Literal["text", "integer", "number", "boolean", "datetime"]
Role = Literal["", "measure", "factor", "unit"]


@dataclass(frozen=True)
class ExportColumn:
    """One column of an exported file. `role` tells the analysis form what to offer it for.

    `has_own_words` says that it holds what participants typed, or what coders noted of it.
    """

    name: str
    type: ColumnType
    description: str
    unit: str = ""
    values: tuple[str, ...] = ()
    role: Role = ""
    has_own_words: bool = False


ROLES: Mapping[str, Role] = {"number": "measure", "choice": "factor", "truth": "factor"}
MEANINGS = {
    "several": "; the choices that were ticked, separated by |",
    "languages": "; JSON: a list of language, age (in years, at which it was begun), years (of learning or use), and "
    "skills from 0 to 10",
    "truth": "; true where the statement was ticked",
}


def variable_column(variable: Variable, *, name: str) -> ExportColumn:
    """Return the column of a variable of a questionnaire: of an answer, of an item of a matrix, of a score."""
    bounds = ""
    if variable.type == "number" and variable.low is not None and variable.high is not None:
        bounds = f"; from {variable.low:g} to {variable.high:g}"
    empty = "empty where the participant preferred not to say, left it out or was not asked"
    what = f"Answer to “{variable.label}”" if variable.question else variable.label
    if not variable.question:
        empty = "empty where an answer that it needs is missing"
    kind: ColumnType = "text"
    if variable.type == "number":
        kind = "integer" if variable.is_whole else "number"
    elif variable.type == "truth":
        kind = "boolean"
    return ExportColumn(
        name,
        kind,
        f"{what}{bounds}{MEANINGS.get(variable.type, '')}; {empty}.",
        variable.unit,
        values=variable.values if variable.type == "choice" else (),
        role=ROLES.get(variable.type, ""),
        has_own_words=variable.type in ("text", "languages"),
    )


def question_column(question: Mapping[str, Any], *, name: str) -> ExportColumn:
    """Return the column of a background question; choices become allowed values."""
    choices = tuple(str(choice) for choice in question.get("choices") or ())
    is_number = question.get("kind") == "number"
    return ExportColumn(
        name,
        "number" if is_number else "text",
        f"Answer to “{question.get('label') or question['name']}”; empty where the participant preferred not to say.",
        values=() if is_number else choices,
        role="measure" if is_number else "factor" if question.get("kind") == "choice" else "",
        has_own_words=question.get("kind") == "text",
    )


def measure_column(measure: Measure, *, role: Role | None = None) -> ExportColumn:
    """Return the column of a measure that the paradigm declares."""
    usual: Role = "measure" if measure.type in ("number", "integer", "boolean") else ""
    return ExportColumn(
        measure.name,
        measure.type,
        measure.description,
        measure.unit,
        measure.values,
        usual if role is None else role,
        has_own_words=measure.has_own_words,
    )


def distinct(name: str, *, taken: set[str], prefix: str) -> str:
    """Return `name`, with `prefix` (and a number, if need be) where it is taken, and add the result to `taken`.

    >>> distinct("list", taken={"list"}, prefix="factor"), distinct("marker", taken={"list"}, prefix="factor")
    ('factor_list', 'marker')
    """
    candidate, number = name.strip(), 1
    while candidate in taken:
        candidate = f"{prefix}_{name}" if number == 1 else f"{prefix}_{name}_{number}"
        number += 1
    taken.add(candidate)
    return candidate


def shared_column(of_tasks: Sequence[tuple[str, ExportColumn]], *, tasks: int) -> ExportColumn:
    """Return the column that holds what several tasks have under one name, given by their names; `tasks` is how many
    tasks there are.

    It allows the values that any of them allows. Where not all tasks have it, or it means something else in some, the
    description says what it is in which.
    """
    columns = [column for _task, column in of_tasks]
    first = columns[0]
    alike: dict[tuple[str, str], list[str]] = {}
    for task, column in of_tasks:
        alike.setdefault((column.description, column.unit), []).append(task)
    units = {column.unit for column in columns}
    told = [
        f"Of the part {listed(of)}: {description}"
        if len(alike) == 1
        else f"of the part {listed(of)}: {description.removesuffix('.')}"
        + (f" ({unit})" if len(units) > 1 and unit else "")
        for (description, unit), of in alike.items()
    ]
    joined = "; ".join(told) + ("." if len(told) > 1 else "")
    return replace(
        first,
        type=_shared_type({column.type for column in columns}),
        description=first.description if len(alike) == 1 and len(columns) == tasks else joined[:1].upper() + joined[1:],
        unit=first.unit if len(units) == 1 else "",
        values=shared_values(columns),
        has_own_words=any(column.has_own_words for column in columns),
    )


def shared_values(columns: Sequence[ExportColumn]) -> tuple[str, ...]:
    """Return the values that any of the columns allows, in order; none where one of them allows any value.

    >>> shared_values([ExportColumn("order", "text", "", values=of) for of in (("ab", "ba"), ("ba", "svo"))])
    ('ab', 'ba', 'svo')
    """
    if not all(column.values for column in columns):
        return ()
    return tuple(dict.fromkeys(value for column in columns for value in column.values))


def _shared_type(types: set[ColumnType]) -> ColumnType:
    if len(types) == 1:
        return next(iter(types))
    return "number" if types == {"integer", "number"} else "text"


def names(columns: Iterable[ExportColumn]) -> list[str]:
    """Return the headers of a file."""
    return [column.name for column in columns]


def codebook_rows(files: Mapping[str, Sequence[ExportColumn]]) -> list[tuple[str, ...]]:
    """Return the lines of `codebook.csv` for files and their columns."""
    return [
        (file, column.name, column.type, column.unit, column.description, allowed_values(column))
        for file, columns in files.items()
        for column in columns
    ]


CODEBOOK_COLUMNS = (
    ExportColumn("file", "text", "The file that has the column."),
    ExportColumn("column", "text", "Its header."),
    ExportColumn(
        "type",
        "text",
        "text, integer, number, boolean (true or false) or datetime.",
        values=("text", "integer", "number", "boolean", "datetime"),
    ),
    ExportColumn("unit", "text", "Unit of the values, where they have one."),
    ExportColumn("description", "text", "The content of the column."),
    ExportColumn("values", "text", "Allowed values, separated by vertical bars; empty where any value is allowed."),
)


def allowed_values(column: ExportColumn) -> str:
    """Return the allowed values of a column as one cell."""
    return "true|false" if column.type == "boolean" else "|".join(column.values)

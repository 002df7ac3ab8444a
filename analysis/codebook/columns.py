"""What is said of a column of an exported file: name, type, unit, meaning, allowed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from experiments.paradigms.base import Measure
from experiments.questionnaire.variables import Variable

ColumnType = Literal["text", "integer", "number", "boolean", "datetime"]
Role = Literal["", "measure", "factor", "unit"]


@dataclass(frozen=True)
class ExportColumn:
    """One column of an exported file. `role` tells the analysis form what to offer it for."""

    name: str
    type: ColumnType
    description: str
    unit: str = ""
    values: tuple[str, ...] = ()
    role: Role = ""


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
    ExportColumn("description", "text", "What the column holds."),
    ExportColumn("values", "text", "Allowed values, separated by vertical bars; empty where any value is allowed."),
)


def allowed_values(column: ExportColumn) -> str:
    """Return the allowed values of a column as one cell."""
    return "true|false" if column.type == "boolean" else "|".join(column.values)

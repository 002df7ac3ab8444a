"""Assign roles to the columns of a table: fixed columns, columns of the paradigm, factors, attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from experiments.formats.exported import COLUMNS_OF_TRIALS
from experiments.formats.faults import Fault, listed
from experiments.formats.media_names import is_media_name, is_sound_name
from experiments.formats.text_looks import COLOUR, SIZE
from experiments.materials.meant import meant_column
from experiments.materials.shapes import MAX_NAME, Row, Table
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence

REQUIRED = ("item", "text")
OPTIONAL = ("item_set", "is_filler", "is_practice")
CONDITION = "condition"
METRIC = "metric_"
"""So begins the name of a column that holds a number of every single text, such as a metric of what a system wrote."""

# Names that other tools and other paradigms use for columns of media files.
MEDIA_WORDS = frozenset(
    ("image", "images", "picture", "photo", "bild", "audio", "sound", "ton", "prime_image", "image_left", "image_right")
)

# Columns of the exported data; a factor of the same name would be there twice.
RESERVED = COLUMNS_OF_TRIALS | {"trial"}


@dataclass(frozen=True)
class Columns:
    """Column numbers by role. `free` are factors and attributes together; only the rows tell which is which.

    `extra` are columns of single texts: those that the paradigm reads, and metrics.
    """

    fixed: Mapping[str, int]
    extra: Mapping[str, int]
    free: Mapping[str, int]
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()

    def cell(self, row: Row, name: str) -> str:
        """Return the cell of a fixed column; empty if the table has no such column."""
        return row.cells[self.fixed[name]] if name in self.fixed else ""


def is_metric(name: str) -> bool:
    """Return whether a column holds a metric of each text.

    >>> is_metric("metric_bleu"), is_metric("metric_"), is_metric("genre")
    (True, False, False)
    """
    return name.startswith(METRIC) and len(name) > len(METRIC)


@dataclass
class _Found:
    fixed: dict[str, int] = field(default_factory=dict)
    extra: dict[str, int] = field(default_factory=dict)
    free: dict[str, int] = field(default_factory=dict)


def columns_of(table: Table, paradigm: Paradigm, *, expected: Sequence[str] = ()) -> Columns:
    """Return the columns of a table and their faults. `expected` are factors that were declared before the upload.

    Case, spaces and hyphens in names of fixed columns do not matter: "Is filler" is `is_filler`.
    """
    wanted = {name: name for name in (*REQUIRED, *OPTIONAL)}
    of_paradigm = {column.name: column for column in paradigm.all_stimulus_columns}
    of_media = {name for name in of_paradigm if name not in {column.name for column in paradigm.stimulus_columns}}
    may_be_factor = of_media | {name for name, column in of_paradigm.items() if column.may_be_factor}
    found = _Found()
    for number, name in enumerate(table.header):
        folded = re.sub(r"[\s-]+", "_", name.casefold())
        if folded in wanted and folded not in found.fixed:
            found.fixed[folded] = number
        elif folded in may_be_factor and name in expected:
            # A factor of this name that was declared before the paradigm read such a column remains a factor.
            found.free[name] = number
        elif folded in of_paradigm and folded not in found.extra:
            found.extra[folded] = number
        elif is_metric(name) and name not in expected:
            found.extra[name] = number
        else:
            found.free[name] = number
    # A study of only pictures or sounds has no texts.
    shown = ("item",) if any(name in found.extra for name in paradigm.own_media_columns) else REQUIRED
    required = (*shown, *(column.name for column in paradigm.stimulus_columns if column.required), *expected)
    faults = _missing_faults(table, found, required, of_paradigm)
    suggested = (*paradigm.media_columns, COLOUR, SIZE)
    optional = [name for name in of_paradigm if name not in of_media or name in suggested]
    faults += _name_faults(table, paradigm, found, [*OPTIONAL, *optional])
    faults += _media_faults(table, paradigm, found)
    warnings = [
        Fault(
            line=table.header_line,
            column=name,
            message=Sentence("Formulas of mixed models accept only column names of letters, digits and underscores."),
            suggestion=Sentence("Name it '{name}'.", name=re.sub("[^0-9A-Za-z]+", "_", name).strip("_") or "factor"),
            step="materials",
        )
        for name in found.free
        if not name.isidentifier()
    ]
    return Columns(found.fixed, found.extra, found.free, tuple(faults), tuple(warnings))


def _missing_faults(
    table: Table, found: _Found, required: Sequence[str], of_paradigm: Mapping[str, object]
) -> list[Fault]:
    """Report missing required columns. One that is meant by another name is read as such, to find further faults."""
    faults = []
    for name in required:
        if name in found.fixed or name in found.extra or name in found.free:
            continue
        unknown = {column: number for column, number in found.free.items() if column not in required}
        meant = meant_column(table, name, unknown)
        if meant is None:
            message = Sentence("This column is missing.")
            suggestion = Sentence("The columns are: {columns}.", columns=listed(table.header, shown=12))
            faults.append(Fault(table.header_line, name, message, suggestion, "materials"))
            continue
        message = Sentence("The column '{name}' is missing, and this column has an unknown name.", name=name)
        faults.append(Fault(table.header_line, meant.column, message, meant.suggestion, "materials"))
        _read_as(found, meant.column, name, of_paradigm)
    return faults


def _read_as(found: _Found, column: str, name: str, of_paradigm: Mapping[str, object]) -> None:
    number = found.free.pop(column)
    if name in (*REQUIRED, *OPTIONAL):
        found.fixed[name] = number
    elif name in of_paradigm:
        found.extra[name] = number
    else:
        found.free[name] = number


def _name_faults(table: Table, paradigm: Paradigm, found: _Found, optional: Sequence[str]) -> Iterator[Fault]:
    taken = RESERVED | {measure.name for measure in paradigm.measures}
    for name in list(found.free):
        if name in table.roles and name.casefold() not in taken:
            continue
        there = {**found.fixed, **found.extra, **found.free}
        absent = [known for known in optional if known not in there]
        meant = nearly(name, absent)
        if meant:
            message, suggestion = (
                Sentence("There is no column with this name."),
                Sentence("Did you mean '{name}'?", name=meant),
            )
            _read_as(found, name, meant, {column.name: column for column in paradigm.all_stimulus_columns})
        elif name.casefold() in taken:
            message = Sentence("The exported data already have a column with this name.")
            suggestion = Sentence("Name it '{name}_of_item', for example.", name=name)
        elif len(name) > MAX_NAME:
            message, suggestion = (
                Sentence("The name has more than {limit} characters.", limit=MAX_NAME),
                Sentence("Shorten it."),
            )
        else:
            continue
        yield Fault(table.header_line, name, message, suggestion, "materials")


def _media_faults(table: Table, paradigm: Paradigm, found: _Found) -> Iterator[Fault]:
    """Report media columns that the paradigm does not read."""
    for name, number in found.free.items():
        cells = [row.cells[number] for row in table.rows if row.cells[number]]
        if name.casefold() not in MEDIA_WORDS or not cells or not all(map(is_media_name, cells)):
            continue
        if paradigm.media_columns and "audio" not in paradigm.media_columns.values() and all(map(is_sound_name, cells)):
            message = Sentence(
                "The column names sounds, but studies with the paradigm '{paradigm}' play none.", paradigm=paradigm.slug
            )
            suggestion = Sentence(
                "Delete the column, or choose a paradigm that plays sounds, such as the rating study."
            )
            yield Fault(table.header_line, name, message, suggestion, "materials")
            continue
        known = listed(list(paradigm.media_columns))
        message = (
            Sentence(
                "The column names pictures or sounds. This paradigm reads them from the columns {known}.", known=known
            )
            if paradigm.media_columns
            else Sentence(
                "The column names pictures or sounds, but studies with the paradigm '{paradigm}' show none.",
                paradigm=paradigm.slug,
            )
        )
        suggestion = (
            Sentence("Rename the column.")
            if paradigm.media_columns
            else Sentence("Delete the column, or choose another paradigm.")
        )
        yield Fault(table.header_line, name, message, suggestion, "materials")


def nearly(name: str, known: Sequence[str]) -> str:
    """Return the optional column that a name misspells; empty if there is none.

    Any other column is a factor or an attribute, so only a typo of one or two letters counts.
    """
    folded = re.sub(r"[\W_]+", "", name.casefold())
    for candidate in known:
        if _edits(folded, candidate.replace("_", ""), at_most=2 if len(candidate) > 6 else 1):
            return candidate
    return ""


def _edits(a: str, b: str, *, at_most: int) -> bool:
    """Return whether the edit distance of two texts (insertions, deletions, replacements) is at most `at_most`."""
    if abs(len(a) - len(b)) > at_most:
        return False
    previous = list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        current = [i]
        for j, other in enumerate(b, start=1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (letter != other)))
        previous = current
    return previous[-1] <= at_most

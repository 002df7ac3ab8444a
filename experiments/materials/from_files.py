"""Read the files of materials to a design: tables joined, their columns mapped, every row accounted for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from experiments.formats.faults import Fault, in_file, listed
from experiments.materials.design import design_from
from experiments.materials.incomplete import item_sets_of
from experiments.materials.joining import joined
from experiments.materials.mapping import (
    Correction,
    mapped,
    reading_of,
    repeated_fault,
    with_choices,
    with_regions,
)
from experiments.materials.other_tools.tables import TOOL, adapted, folded
from experiments.materials.preview import preview_of
from experiments.materials.questions import describing_questions, list_questions, questions_about
from experiments.materials.reading import read_materials, without_needless_questions
from experiments.materials.shapes import Design, MaterialsFaults, Table
from experiments.materials.workbook import MOST_SHEETS, SHEET, SHEETS, sheets_of
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence

Files = Sequence[tuple[bytes, str]]
# Regions in columns of their own are divided by marks where the paradigm shows regions, otherwise by spaces.
MARKS, SPACE = " | ", " "


@dataclass(frozen=True)
class Said:
    """What is said of a table: what its columns are, which steps are decided otherwise than usually, and which cells
    were corrected. What a study keeps of its last table holds for the next one but for the cells."""

    columns: Mapping[str, str]
    choices: Sequence[str] = ()
    corrections: Sequence[Correction] = ()

    @classmethod
    def kept(cls, reading: Mapping[str, Any]) -> Said:
        """Return what a study keeps of its last table."""
        return cls(reading.get("columns") or {}, reading.get("choices") or ())


def table_of_files(files: Files, paradigm: Paradigm, *, repaired: bool = False, choices: Sequence[str] = ()) -> Table:
    """Return the table of one file, or of several; faults of several say in which file they are."""
    tables: list[tuple[str, Table]] = []
    faults: list[Fault] = []
    steps: list[Fault] = []
    parts = list(_parts_of(files, choices, steps))
    for data, name, own in parts:
        try:
            # Of several files, what a column means shows in all of them together.
            apart = [*own, f"-{TOOL}"] if len(parts) > 1 else own
            tables.append((name, read_materials(data, name, repaired=repaired, choices=apart)))
        except MaterialsFaults as found:
            faults += found.faults if len(parts) == 1 else [in_file(fault, name) for fault in found.faults]
    if faults:
        raise MaterialsFaults(faults, steps)
    if steps:
        tables = _alike(tables, steps)
    table = joined(tables, choices)
    if len(parts) > 1 and not table.origin and f"-{TOOL}" not in choices:
        table = adapted(table)
    table = replace(table, warnings=(*(one for one in table.warnings if not _is_of_sheet(one, steps)), *steps))
    return without_needless_questions(table, paradigm, choices)


def _parts_of(files: Files, choices: Sequence[str], steps: list[Fault]) -> Iterator[tuple[bytes, str, list[str]]]:
    """Yield every file, and every sheet of a workbook where a choice joins them, with its name and its choices."""
    own = [choice for choice in choices if choice != SHEETS]
    for data, name in files:
        sheets = sheets_of(data) if SHEETS in choices and data.startswith(b"PK\x03\x04") else []
        if len(sheets) < 2:
            yield data, name, own
            continue
        message = Sentence("The {n} sheets of the workbook were read.", n=len(sheets))
        steps.append(Fault(message=message, step="materials", choice=f"-{SHEETS}"))
        for sheet in sheets[:MOST_SHEETS]:
            yield data, sheet, [*own, f"{SHEET} {sheet}"]


def _alike(tables: Sequence[tuple[str, Table]], steps: list[Fault]) -> list[tuple[str, Table]]:
    """Return the sheets that share at least two columns with the first; others are notes, and named."""
    first = {folded(column) for column in tables[0][1].header}
    alike = [(name, table) for name, table in tables if len(first & {folded(one) for one in table.header}) > 1]
    without = [name for name, table in tables if (name, table) not in alike]
    if without:
        message = Sentence("Sheets with different columns were left out: {sheets}.", sheets=listed(without))
        steps.append(Fault(message=message, step="materials", is_doubtful=True))
    return alike


def _is_of_sheet(fault: Fault, steps: Sequence[Fault]) -> bool:
    return bool(steps) and fault.choice.startswith(f"-{SHEET} ")


def design_of_table(table: Table, paradigm: Paradigm, said: Said, **how: Any) -> Design:
    """Return the design of a table, with `reading` saying how it was read; `how` is for `design_from`.

    Where rows repeat others, a further fault asks whether they shall be left out. A design that is incomplete only with
    columns that may describe the texts is asked about, too, unless it is said to be incomplete. Raises MaterialsFaults.
    """
    long = mapped(table, said.columns, said.choices, separator=separator_of(paradigm))
    long = with_choices(with_regions(long, said.choices, separator=separator_of(paradigm)), paradigm, said.choices)
    long = replace(long, warnings=(*long.warnings, *list_questions(long, said.columns)))
    try:
        design = design_from(long, paradigm, **how)
    except MaterialsFaults as found:
        asked = questions_about(long, paradigm, said.columns, found.faults, **how)
        found.faults[:0] = [*filter(None, [repeated_fault(long)]), *asked]
        raise
    is_asked = not how.get("incomplete") and not all(of.is_complete for of in item_sets_of(design.items))
    if is_asked and (describing := describing_questions(long, paradigm, **how)):
        raise MaterialsFaults(describing, design.warnings, preview_of(design))
    return replace(design, reading=reading_of(long, design, said.columns, said.choices, said.corrections))


def separator_of(paradigm: Paradigm) -> str:
    """Return what divides the regions of a text in a paradigm.

    >>> from experiments.paradigms import paradigm_named
    >>> separator_of(paradigm_named("self-paced-reading")), separator_of(paradigm_named("rating"))
    (' | ', ' ')
    """
    return MARKS if "unit" in paradigm.settings_form.base_fields else SPACE

"""Read the files of materials to a design: tables joined, their columns mapped, every row accounted for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from experiments.formats.faults import Fault, in_file, listed
from experiments.materials.cells import truth
from experiments.materials.columns import Columns, columns_of
from experiments.materials.design import design_from
from experiments.materials.incomplete import item_sets_of
from experiments.materials.joining import joined
from experiments.materials.mapping import DESCRIBE, mapped, reading_of, repeated_fault
from experiments.materials.preview import preview_of
from experiments.materials.reading import read_materials, without_needless_questions
from experiments.materials.roles import by_set, roles_of, wholes
from experiments.materials.shapes import FACTOR, Design, MaterialsFaults, Row, Table
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence


def rows_by_item(table: Table, columns: Columns) -> dict[str, list[Row]]:
    """Return code → rows of the items that are neither fillers nor for practice."""
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        if not any(truth(columns.cell(row, name)) for name in ("is_filler", "is_practice")):
            groups.setdefault(columns.cell(row, "item"), []).append(row)
    return groups


Files = Sequence[tuple[bytes, str]]
# Regions in columns of their own are divided by marks where the paradigm shows regions, otherwise by spaces.
MARKS, SPACE = " | ", " "


@dataclass(frozen=True)
class Said:
    """What is said of a table: what its columns are, and which steps are decided otherwise than usually."""

    columns: Mapping[str, str]
    choices: Sequence[str] = ()

    @classmethod
    def kept(cls, reading: Mapping[str, Any]) -> Said:
        """Return what a study keeps of its last table."""
        return cls(reading.get("columns") or {}, reading.get("choices") or ())


def table_of_files(files: Files, paradigm: Paradigm, *, repaired: bool = False, choices: Sequence[str] = ()) -> Table:
    """Return the table of one file, or of several; faults of several say in which file they are."""
    tables: list[tuple[str, Table]] = []
    faults: list[Fault] = []
    for data, name in files:
        try:
            tables.append((name, read_materials(data, name, repaired=repaired, choices=choices)))
        except MaterialsFaults as found:
            faults += found.faults if len(files) == 1 else [in_file(fault, name) for fault in found.faults]
    if faults:
        raise MaterialsFaults(faults)
    return without_needless_questions(joined(tables, choices), paradigm, choices)


def design_of_table(table: Table, paradigm: Paradigm, said: Said, **how: Any) -> Design:
    """Return the design of a table, with `reading` saying how it was read; `how` is for `design_from`.

    Where rows repeat others, a further fault asks whether they shall be left out. A design that is incomplete only with
    columns that may describe the texts is asked about, too, unless it is said to be incomplete. Raises MaterialsFaults.
    """
    long = mapped(table, said.columns, said.choices, separator=separator_of(paradigm))
    try:
        design = design_from(long, paradigm, **how)
    except MaterialsFaults as found:
        questions = [repeated_fault(long), *describing_faults(long, paradigm, **how)]
        found.faults[:0] = [question for question in questions if question]
        raise
    is_asked = not how.get("incomplete") and not all(of.is_complete for of in item_sets_of(design.items))
    if is_asked and (describing := describing_faults(long, paradigm, **how)):
        raise MaterialsFaults(describing, design.warnings, preview_of(design))
    return replace(design, reading=reading_of(long, design, said.columns, said.choices))


def describing_faults(table: Table, paradigm: Paradigm, **how: Any) -> list[Fault]:
    """Return the questions whether columns only describe the texts, where without them as factors the design is whole.

    There are several where different columns alone would make a whole design; nobody but the researcher knows which.
    """
    columns = columns_of(table, paradigm)
    if how.get("factors") is not None or "item" not in columns.fixed:
        return []
    sets = by_set(rows_by_item(table, columns), columns)
    factors = roles_of(sets, columns, named=None, said=table.roles).factors
    faults = []
    for kept in wholes(sets, columns, factors):
        others = [name for name in factors if name not in kept]
        if all(table.roles.get(name) == FACTOR for name in others):
            continue
        message = Sentence(
            "{kept} alone would make a whole design. Perhaps {others} are no factors but describe each text.",
            kept=listed(kept),
            others=listed(others),
        )
        choice = f"{DESCRIBE} {json.dumps(others, ensure_ascii=False)}"
        advice = Sentence("Then say that they are attributes of each text.")
        faults.append(Fault(message=message, suggestion=advice, step="materials", choice=choice))
    return faults


def separator_of(paradigm: Paradigm) -> str:
    """Return what divides the regions of a text in a paradigm.

    >>> from experiments.paradigms import paradigm_named
    >>> separator_of(paradigm_named("self-paced-reading")), separator_of(paradigm_named("rating"))
    (' | ', ' ')
    """
    return MARKS if "unit" in paradigm.settings_form.base_fields else SPACE

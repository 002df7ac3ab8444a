"""Read an uploaded table of materials to the end, as the page that checks it shows it."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.formats.csvtext import csv_text
from experiments.formats.faults import Fault, in_file
from experiments.formats.hidden import oddities
from experiments.materials.design import design_from
from experiments.materials.joining import joined
from experiments.materials.lists import with_lists
from experiments.materials.mapping import asked, mapped
from experiments.materials.preview import preview_of
from experiments.materials.reading import read_materials, without_needless_questions
from experiments.materials.shapes import MAX_BYTES, AskedColumns, Design, MaterialsFaults, Table
from experiments.materials.stimuli import together_faults
from experiments.materials.table import read_table
from experiments.paradigms import paradigm_named

PACKED = b"deflate:"
# A form carries less than this as it is. CSV compressed, and written in letters again, takes a third.
MAX_PLAIN = 1_200_000


@dataclass(frozen=True)
class CheckedTable:
    """A table without faults: its design, the table for the next form, and whether characters in it can be repaired.

    `asked` is what a form needs to ask what each column is; None for a table that a form carried.
    """

    design: Design
    carried: str
    can_be_repaired: bool
    asked: AskedColumns | None = None


def checked(
    data: bytes | Sequence[tuple[bytes, str]],
    name: str,
    slug: str,
    settings: Mapping[str, Any],
    procedure: Mapping[str, Any],
    carried: bool,
    repaired: bool,
    mapping: Mapping[str, str] | None = None,
    incomplete: bool = False,
) -> CheckedTable:
    """Return the design that a table makes in a study of the paradigm `slug`, and the table.

    `settings` are complete. `carried`: whether it is what a form carried. `repaired`: whether hidden characters are
    taken out and double-encoded ones mended. `mapping` says what the columns of a table are that a form has carried
    unchanged. `incomplete`: texts that seem to be missing are missing on purpose. Several files, as pairs of bytes and
    name, are joined. Raises MaterialsFaults with all faults.
    """
    paradigm = paradigm_named(slug)
    files = [(data, name)] if isinstance(data, bytes) else data
    if carried:
        table = read_table(_unpacked(files[0][0]), name, repaired=repaired)
    else:
        table = without_needless_questions(_read(files, repaired=repaired), paradigm)
    ask = None
    if not carried or mapping is not None:
        columns = asked(table, paradigm, mapping)
        ask = AskedColumns(columns, _packed_table(table), is_guessed=mapping is None)
    try:
        table = mapped(table, mapping or {})
        design = design_from(table, paradigm, item_sets=procedure.get("item_sets", "together"), incomplete=incomplete)
        if faults := together_faults(design, paradigm, settings):
            raise MaterialsFaults(faults, design.warnings, preview_of(design))
    except MaterialsFaults as found:
        found.asked = ask
        raise
    design = with_lists(design, procedure, paradigm=slug, settings=settings)
    can_be_repaired = any(oddities(cell) for row in table.rows for cell in row.cells)
    return CheckedTable(design, _packed_table(table), can_be_repaired, ask)


def _read(files: Sequence[tuple[bytes, str]], *, repaired: bool) -> Table:
    """Return the table of one file, or of several; faults of several say in which file they are."""
    tables: list[tuple[str, Table]] = []
    faults: list[Fault] = []
    for data, name in files:
        try:
            tables.append((name, read_materials(data, name, repaired=repaired)))
        except MaterialsFaults as found:
            faults += found.faults if len(files) == 1 else [in_file(fault, name) for fault in found.faults]
    if faults:
        raise MaterialsFaults(faults)
    return joined(tables)


def _packed_table(table: Table) -> str:
    return _packed(csv_text(table.header, [row.cells for row in table.rows]))


def _packed(text: str) -> str:
    data = text.encode("utf-8")
    return text if len(data) <= MAX_PLAIN else (PACKED + base64.b64encode(zlib.compress(data))).decode("ascii")


def _unpacked(data: bytes) -> bytes:
    """Return what a form carried; no more than one byte too many of it, which is then refused for its size."""
    if not data.startswith(PACKED):
        return data
    try:
        return zlib.decompressobj().decompress(base64.b64decode(data.removeprefix(PACKED)), MAX_BYTES + 1)
    except (ValueError, zlib.error):
        return b""

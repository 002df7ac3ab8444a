"""Read an uploaded table of materials to the end, as the page that checks it shows it."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.formats.csvtext import csv_text
from experiments.formats.hidden import oddities
from experiments.materials.from_files import Files, Said, design_of_table, table_of_files
from experiments.materials.lists import with_lists
from experiments.materials.mapping import applicable, asked, corrected, faulty_cells
from experiments.materials.preview import preview_of
from experiments.materials.shapes import MAX_BYTES, AskedColumns, Design, MaterialsFaults, Table
from experiments.materials.stimuli import together_faults
from experiments.paradigms import paradigm_named

PACKED, FILES = b"deflate:", b"files:"
# A form carries less than this as it is. CSV compressed, and written in letters again, takes a third.
MAX_PLAIN = 1_200_000
# A form carries files up to this size as they were uploaded; of larger ones it carries the table that was read.
MAX_FILES = 2_400_000
MOST_FILES = 20


@dataclass(frozen=True)
class CheckedTable:
    """A table without faults: its design, what the next form carries, and whether characters in it can be repaired.

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
    said: Said | None = None,
    kept: Mapping[str, Any] | None = None,
    incomplete: bool = False,
) -> CheckedTable:
    """Return the design that a table makes in a study of the paradigm `slug`, and the table.

    `settings` are complete. `carried`: whether it is what a form carried. `repaired`: whether hidden characters are
    taken out and double-encoded ones mended. `said` is what the form says of the columns and steps; where it says
    nothing, what the study keeps of its last table (`kept`) holds if the table has all of its columns. `incomplete`:
    texts that seem to be missing are missing on purpose. Several files, as pairs of bytes and name, are joined. Raises
    MaterialsFaults with all faults.
    """
    paradigm = paradigm_named(slug)
    files: Files = [(data, name)] if isinstance(data, bytes) else data
    if carried:
        files = _unpacked(files[0][0], name)
    before = Said.kept(kept or {})
    choices = said.choices if said is not None else before.choices
    try:
        table = table_of_files(files, paradigm, repaired=repaired, choices=choices)
    except MaterialsFaults as found:
        if any(fault.choice for fault in found.faults) or choices:
            found.asked = AskedColumns((), _packed_files(files), True, tuple(choices))
        raise
    table, corrections = corrected(table, said.corrections if said is not None else ())
    columns = said.columns if said is not None else applicable(kept or {}, table)
    is_guessed = columns is None
    columns = columns or {}
    ask = AskedColumns(
        asked(table, paradigm, None if is_guessed else columns), _packed_files(files, table), is_guessed, tuple(choices)
    )
    try:
        design = design_of_table(
            table,
            paradigm,
            Said(columns, choices, corrections),
            item_sets=procedure.get("item_sets", "together"),
            incomplete=incomplete,
        )
        if faults := together_faults(design, paradigm, settings):
            raise MaterialsFaults(faults, design.warnings, preview_of(design))
    except MaterialsFaults as found:
        found.asked = ask
        found.cells, found.corrections = faulty_cells(found.faults, table, columns, corrections), corrections
        raise
    design = with_lists(design, procedure, paradigm=slug, settings=settings)
    can_be_repaired = any(oddities(cell) for row in table.rows for cell in row.cells)
    return CheckedTable(design, ask.carried, can_be_repaired, ask)


def _packed_files(files: Files, table: Table | None = None) -> str:
    """Return the files for the next form: as text where one is plain text, otherwise compressed, or the table."""
    if len(files) == 1 and (plain := _plain(files[0][0])) is not None:
        return plain
    whole = json.dumps([[name, base64.b64encode(zlib.compress(data)).decode("ascii")] for data, name in files])
    if len(whole.encode("utf-8")) <= MAX_FILES:
        return FILES.decode("ascii") + whole
    return "" if table is None else _packed(csv_text(table.header, [row.cells for row in table.rows]))


def _plain(data: bytes) -> str | None:
    """Return a file as text if a form brings it back byte by byte; None for all others."""
    if len(data) > MAX_PLAIN or b"\r" in data or b"\x00" in data or data.startswith((PACKED, FILES, b"\xef\xbb\xbf")):
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _packed(text: str) -> str:
    data = text.encode("utf-8")
    return text if len(data) <= MAX_PLAIN else (PACKED + base64.b64encode(zlib.compress(data))).decode("ascii")


def _unpacked(data: bytes, name: str) -> Files:
    """Return the files that a form carried; no more than one byte too many of each, which is then refused."""
    try:
        if data.startswith(PACKED):
            return [(_inflated(data.removeprefix(PACKED)), name)]
        if data.startswith(FILES):
            found = [
                (_inflated(packed), str(named)) for named, packed in json.loads(data.removeprefix(FILES))[:MOST_FILES]
            ]
            if not found:
                return [(b"", name)]
            return found if sum(len(one) for one, _named in found) <= MAX_BYTES else [(found[0][0], name)]
    except (ValueError, TypeError, zlib.error):
        return [(b"", name)]
    return [(data, name)]


def _inflated(packed: str | bytes) -> bytes:
    return zlib.decompressobj().decompress(base64.b64decode(packed), MAX_BYTES + 1)

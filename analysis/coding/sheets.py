"""Codings as a CSV file of one coder: out to a spreadsheet, and back.

Columns: recall_id, stimulus, recall, codes (`3;4`), one column `code_<c>` (0/1) per code, note.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.models import CodingQueue


@dataclass(frozen=True)
class SheetOutcome:
    """What an import did, in recalls."""

    added: int
    changed: int
    unchanged: int
    blank: int


def export_sheet(queue: CodingQueue, *, excel: bool = False) -> bytes:
    """Return the queue in its order, with what is coded so far."""
    raise NotImplementedError


def import_sheet(queue: CodingQueue, content: bytes, *, name: str = "codings.csv", user: object) -> SheetOutcome:
    """Take over the codings of a sheet (CSV or XLSX); rows without codes are left alone. All or nothing; audited.

    Either `codes` or the columns `code_<c>` suffice; where both are there they must say the same. Raises SheetFaults
    with all faults and their lines, CodingRefusal `frozen`.
    """
    raise NotImplementedError

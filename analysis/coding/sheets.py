"""Export one coder's codings as CSV for a spreadsheet, and import them again.

Columns: recall_id, stimulus, recall, codes (`3;4`), one column `code_<c>` (0/1) per code, note, and revision: which
state of the coding a row shows, so that a sheet does not bring back what was changed after it was exported.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from analysis.coding.queues import ordered, refuse_removed
from analysis.coding.recalls import ids_of, locked_state, recall_id, recalls, refuse_frozen, state_of
from analysis.coding.refusals import CodingRefusal, SheetFaults
from analysis.coding.saving import checked_note, store
from analysis.models import Coding, CodingQueue
from experiments.formats.csvtext import csv_text, unguarded
from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.materials.shapes import MaterialsFaults, Row, Table
from experiments.rules.error_codes import SchemeCode, faults_of, normalised
from experiments.sentences import Sentence
from experiments.study.audit import record
from experiments.study.schemes import scheme_of
from experiments.uploads.reading import read_uploaded_table

# Faults up to which a similar name is looked for.
MOST_SUGGESTED = 20
ID, CODES, NOTE, REVISION, PREFIX = "recall_id", "codes", "note", "revision", "code_"
# What a table cannot hold; a recall with one of these is shown with a space in its place.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
# The number of the revision, then what marks its codes and what marks its note; r0 for what is not coded.
_SEEN = re.compile(r"r\d+(?:-([0-9a-f]{8})-([0-9a-f]{8}))?", re.IGNORECASE)
_SEPARATORS = re.compile(r"[;,|+\s]+")
_YES = frozenset({"1", "1.0", "true", "x", "yes"})
_NO = frozenset({"0", "0.0", "false", "no"})


@dataclass(frozen=True)
class SheetOutcome:
    """What an import did, in recalls."""

    added: int
    changed: int
    unchanged: int
    blank: int


@dataclass(frozen=True)
class _Line:
    line: int
    response: int
    codes: list[str]
    note: str | None
    seen: _Seen | None


@dataclass(frozen=True)
class _Seen:
    """The marks of the codes and of the note that a row had when it was exported; None where it was not coded."""

    codes: str | None
    note: str | None

    @classmethod
    def of(cls, coding: Coding | None) -> _Seen:
        return cls(None, None) if coding is None else cls(_mark(";".join(coding.codes)), _mark(coding.note))

    def is_left_by(self, line: _Line) -> bool:
        """Say whether nobody changed the row in the sheet; a sheet without notes leaves them."""
        marks = [] if line.note is None else [_mark(line.note), _mark(unguarded(line.note))]
        return self.codes == _mark(";".join(line.codes)) and (not marks or self.note in marks)

    def is_left_at(self, coding: Coding | None, *, with_note: bool) -> bool:
        """Say whether nobody changed the coding after the export, in what the sheet holds of it."""
        now = _Seen.of(coding)
        return self.codes == now.codes and (not with_note or self.note == now.note)


def export_sheet(queue: CodingQueue, *, excel: bool = False) -> bytes:
    """Return the queue in its order, with what is coded so far."""
    study = queue.study
    state = state_of(study)
    scheme = scheme_of(study)
    order = ordered(queue)
    texts = recalls(study, state, order)
    codings = {
        coding.response_id: coding
        for coding in Coding.objects.filter(response__trial__session__study=study, coder=queue.coder_id)
    }
    header = [ID, "stimulus", "recall", CODES, *(PREFIX + entry.code for entry in scheme), NOTE, REVISION]
    rows = []
    for key in order:
        coding = codings.get(key)
        codes = coding.codes if coding else []
        rows.append(
            [
                recall_id(state, key),
                _CONTROL.sub(" ", texts[key].stimulus),
                _CONTROL.sub(" ", texts[key].text),
                ";".join(codes),
                *((int(entry.code in codes) if coding else None) for entry in scheme),
                coding.note if coding else "",
                _revision(coding),
            ]
        )
    return csv_text(header, rows, excel=excel).encode("utf-8")


def import_sheet(queue: CodingQueue, content: bytes, *, name: str = "codings.csv", user: Any) -> SheetOutcome:
    """Take over the codings of a sheet (CSV or XLSX); rows without codes are left alone. All or nothing; audited.

    Either `codes` or the columns `code_<c>` suffice; where both are there they must say the same. A note is taken
    over where the sheet has a column `note`. Where it has the column `revision`, a row that nobody changed in the sheet
    leaves the coding as it is now, and one that was changed both in the sheet and after its export is a fault. Raises
    SheetFaults with all faults and their lines, CodingRefusal `frozen`.
    """
    # Before the transaction: while a file is read, nobody's answers wait for a lock.
    try:
        table = read_uploaded_table(content, name)
    except MaterialsFaults as unreadable:
        raise SheetFaults(
            [Fault(fault.line, fault.column, fault.message, fault.suggestion) for fault in unreadable.faults]
        ) from unreadable
    return _take_over(queue, table, name=name, user=user)


@transaction.atomic
def _take_over(queue: CodingQueue, table: Table, *, name: str, user: Any) -> SheetOutcome:
    """Store the codings of a table that was read; all or nothing."""
    study = queue.study
    state = locked_state(study)
    refuse_frozen(state)
    refuse_removed(queue)
    order = ordered(queue)
    in_queue = {recall_id(state, key): key for key in order}
    lines, blank = _read(table, scheme=scheme_of(study), in_queue=in_queue, in_study=ids_of(study, state))
    codings = {coding.response_id: coding for coding in Coding.objects.filter(response__in=order, coder=queue.coder_id)}
    added = changed = unchanged = 0
    faults: list[Fault] = []
    for line in lines:
        coding = codings.get(line.response)
        note = _note(line.note, "" if coding is None else coding.note)
        if coding is not None and coding.codes == line.codes and coding.note == note:
            unchanged += 1
            continue
        if line.seen is not None and line.seen.is_left_by(line):
            unchanged += 1
            continue
        if line.seen is not None and not line.seen.is_left_at(coding, with_note=line.note is not None):
            faults.append(_crossed(line, coding))
            continue
        store(coding, queue=queue, response=line.response, codes=line.codes, note=note)
        added, changed = (added + 1, changed) if coding is None else (added, changed + 1)
    if faults:
        raise SheetFaults(faults)
    if added or changed:
        file = _CONTROL.sub("", name)[:100]
        detail = f"{queue.pseudonym}, {file}: {added} added, {changed} changed, {unchanged} unchanged"
        record(study, action="codings imported", user=user, detail=detail)
    return SheetOutcome(added=added, changed=changed, unchanged=unchanged, blank=blank)


def _read(
    table: Table, *, scheme: Sequence[SchemeCode], in_queue: Mapping[str, int], in_study: Mapping[str, int]
) -> tuple[list[_Line], int]:
    """Return the coded lines of a sheet and how many are blank. Raises SheetFaults with all that is wrong."""
    columns, faults = _columns(table, scheme)
    if faults:
        raise SheetFaults(faults)
    lines: list[_Line] = []
    blank = 0
    seen: dict[str, int] = {}
    for row in table.rows:
        cells = {name: row.cells[place] for name, place in columns.items()}
        given = cells[ID].upper()
        if not given:
            message = Sentence("The row does not say which recall it is.")
            faults.append(Fault(row.line, ID, message, Sentence("Copy the name from the exported sheet.")))
            continue
        if given in seen:
            message = Sentence(
                "The recall '{name}' is in the sheet twice, first in line {line}.", name=given, line=seen[given]
            )
            faults.append(Fault(row.line, ID, message, Sentence("Keep one of the rows.")))
            continue
        seen[given] = row.line
        if given not in in_queue:
            faults.append(_unknown(row, given, in_queue=in_queue, in_study=in_study, n_before=len(faults)))
            continue
        codes, wrong = _codes(row, cells, scheme)
        faults += wrong
        exported, unread = _seen(row, cells.get(REVISION, ""))
        faults += unread
        note = cells.get(NOTE)
        try:
            note = None if note is None else checked_note(note)
        except CodingRefusal as refused:
            faults.append(Fault(row.line, NOTE, str(refused)))
        if codes is None:
            blank += 1
        elif not wrong:
            lines.append(_Line(row.line, in_queue[given], codes, note, exported))
    if faults:
        raise SheetFaults(faults)
    return lines, blank


def _columns(table: Table, scheme: Sequence[SchemeCode]) -> tuple[dict[str, int], list[Fault]]:
    """Return the places of the columns that count, under their names."""
    known = {name.casefold(): name for name in (ID, CODES, NOTE, REVISION, *(PREFIX + entry.code for entry in scheme))}
    columns: dict[str, int] = {}
    faults = []
    for place, name in enumerate(table.header):
        folded = name.casefold()
        if folded in known:
            columns[known[folded]] = place
        elif folded.startswith(PREFIX):
            message = Sentence("The study has no such code.")
            hint = Sentence("Possible names: {names}.", names=listed([entry.code for entry in scheme], shown=30))
            faults.append(Fault(table.header_line, name, message, hint))
    if ID not in columns:
        near = did_you_mean(ID, table.header) or Sentence("Start from the exported sheet.")
        message = Sentence("The column '{name}' is missing; it says which recall a row is about.", name=ID)
        faults.append(Fault(table.header_line, message=message, suggestion=near))
    if not any(name == CODES or name.startswith(PREFIX) for name in columns):
        message = Sentence(
            "The sheet needs a column '{name}', or one column for each code ('{prefix}…').", name=CODES, prefix=PREFIX
        )
        faults.append(Fault(table.header_line, message=message, suggestion=did_you_mean(CODES, table.header)))
    return columns, faults


def _codes(row: Row, cells: Mapping[str, str], scheme: Sequence[SchemeCode]) -> tuple[list[str] | None, list[Fault]]:
    """Return the codes of a row, None where it is blank, and what is wrong with them."""
    faults: list[Fault] = []
    ticked, marked = [], False
    by_folded = {entry.code.casefold(): entry.code for entry in scheme}
    for entry in scheme:
        column = PREFIX + entry.code
        cell = cells.get(column, "").casefold()
        if cell in _YES:
            ticked.append(entry.code)
        elif cell and cell not in _NO:
            message = Sentence("The cell contains '{cell}'.", cell=cells[column])
            faults.append(Fault(row.line, column, message, Sentence("Write 1 or 0, or leave it empty.")))
        marked = marked or bool(cell)
    written = [_code(part, by_folded) for part in _SEPARATORS.split(cells.get(CODES, "").strip("[](){} ")) if part]
    if faults:
        return [], faults
    if not written and not marked:
        return None, []
    # Columns of codes that nobody filled say nothing against the column `codes`, and the other way round.
    if written and marked and set(written) != set(ticked):
        given = {"name": CODES, "written": ";".join(written), "ticked": ";".join(ticked)}
        message = Sentence("'{name}' says {written}, but the columns of the codes say {ticked}.", **given)
        if not ticked:
            message = Sentence("'{name}' says {written}, but no column of a code has a 1.", **given)
        return [], [Fault(row.line, CODES, message, Sentence("Make them the same, or empty one of them."))]
    codes = written or ticked
    wrong = faults_of(codes, scheme)
    column = CODES if written or CODES in cells else ""
    return normalised(codes, scheme), [Fault(row.line, column, message) for message in wrong]


def _code(part: str, by_folded: Mapping[str, str]) -> str:
    # A spreadsheet makes the number 3 of the text 3, and may write it as 3.0.
    folded = part.casefold()
    if folded not in by_folded and folded.endswith(".0"):
        folded = folded[:-2]
    return by_folded.get(folded, part)


def _unknown(row: Row, given: str, *, in_queue: Mapping[str, int], in_study: Mapping[str, int], n_before: int) -> Fault:
    if given in in_study:
        message = Sentence("The recall '{name}' is not in this coder's queue.", name=given)
        return Fault(row.line, ID, message, Sentence("Delete the row."))
    message = Sentence(
        "There is no recall '{name}' to code in this study; it may have been withdrawn or excluded.", name=given
    )
    # Looking for a similar one among thousands takes its time, and a sheet of another study has none.
    near = did_you_mean(given, in_queue) if n_before < MOST_SUGGESTED else ""
    return Fault(row.line, ID, message, near or Sentence("Delete the row."))


def _note(given: str | None, now: str) -> str:
    """Return the note to store; the apostrophe that guards a cell against being run as a formula is taken off."""
    if given is None or given == now:
        return now
    return unguarded(given)


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _revision(coding: Coding | None) -> str:
    """Return the cell that says which state of a coding a row shows; a letter first, so that no spreadsheet counts."""
    seen = _Seen.of(coding)
    return "r0" if coding is None else f"r{coding.revision}-{seen.codes}-{seen.note}"


def _seen(row: Row, cell: str) -> tuple[_Seen | None, list[Fault]]:
    """Return what a row showed when it was exported; None in sheets that do not say."""
    if not cell:
        return None, []
    match = _SEEN.fullmatch(cell)
    if match is None:
        message = Sentence("The cell contains '{cell}', which is not a revision of an exported sheet.", cell=cell)
        return None, [Fault(row.line, REVISION, message, Sentence("Copy it from the exported sheet."))]
    codes, note = (mark and mark.lower() for mark in match.groups())
    return _Seen(codes, note), []


def _crossed(line: _Line, coding: Coding | None) -> Fault:
    if coding is None:
        message = Sentence(
            "The recall was changed in the sheet, and also on the page after the sheet was exported. On the page "
            "it is no longer coded."
        )
    else:
        message = Sentence(
            "The recall was changed in the sheet, and also on the page after the sheet was exported. On the page "
            "it now has {codes}.",
            codes=";".join(coding.codes),
        )
    return Fault(line.line, CODES, message, Sentence("Export the sheet again and make the change in the new one."))

"""Read untrusted files in a child process with limits on CPU time and memory.

A small file can unpack to a huge one, or take minutes to parse; in a thread of the web server it would delay
participants' answers. Therefore no byte of an upload is parsed in the web process, and no upload waits for others: if
all places are taken, `Busy` is answered with 503. CPU time is limited rather than elapsed time, so that a busy machine
accepts the same files as an idle one.
"""

from __future__ import annotations

import logging
import pickle
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from experiments.formats.csvtext import BrokenTable, Decoded
from experiments.formats.faults import Fault
from experiments.materials.from_files import Said
from experiments.materials.shapes import MaterialsFaults, Table
from experiments.uploads.materials import CheckedTable
from experiments.uploads.process import answer_to

# Of the processor: a workbook of 12,000 rows and 33 columns takes several on a small machine.
SECONDS = 20
MEGABYTES = 300
# A machine so busy that reading takes longer than this has no room for uploads.
WAIT_SECONDS = 120
# Files that a web process has read at the same time. Each holds a thread, of which there are at least four.
AT_ONCE = 2

logger = logging.getLogger(__name__)
_places = threading.BoundedSemaphore(AT_ONCE)


class Busy(Exception):
    """All places are taken by other files that are being read. Nothing was read or stored."""


class Unreadable(Exception):
    """The reading function broke on the file."""


class TooCostly(Unreadable):
    """The file takes more than the seconds or the memory that reading may take."""


def read_in_child(function: str, *arguments: Any, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> Any:
    """Return what a function of `experiments`, named as `module:name`, returns for these plain arguments.

    Raises what the function raises on purpose, TooCostly where it needs too much, Unreadable where it breaks, and Busy,
    at once, if all places are taken.
    """
    if not _places.acquire(blocking=False):
        raise Busy
    try:
        asked = pickle.dumps((function, arguments, translation.get_language(), seconds, megabytes))
        answered = answer_to(asked, wait_seconds=WAIT_SECONDS)
    finally:
        _places.release()
    if not answered:
        raise TooCostly
    outcome, value = pickle.loads(answered)  # noqa: S301 - from our own child
    if outcome == "raised":
        raise value
    if outcome == "broke":
        logger.error("Reading an uploaded file broke: %s", value)
        raise Unreadable
    return value


def read_uploaded_table(data: bytes, name: str) -> Table:
    """Return the table in an uploaded file. Raises MaterialsFaults, also where reading it takes too much, and Busy."""
    try:
        table: Table = read_in_child("experiments.materials.table:read_table", data, name)
    except Unreadable as error:
        raise MaterialsFaults([fault_of(error, step="materials")]) from error
    return table


def read_uploaded_design(
    data: bytes | Sequence[tuple[bytes, str]],
    name: str,
    *,
    paradigm: str,
    settings: Mapping[str, Any],
    procedure: Mapping[str, Any],
    carried: bool = False,
    repaired: bool = False,
    said: Said | None = None,
    kept: Mapping[str, Any] | None = None,
    incomplete: bool = False,
) -> CheckedTable:
    """Return what `uploads.materials.checked` says of an uploaded table. Raises as `read_uploaded_table`."""
    try:
        found: CheckedTable = read_in_child(
            "experiments.uploads.materials:checked",
            data, name, paradigm, dict(settings), dict(procedure), carried, repaired, said, dict(kept or {}),
            incomplete,
        )  # fmt: skip
    except Unreadable as error:
        raise MaterialsFaults([fault_of(error, step="materials")]) from error
    return found


def read_uploaded_text(data: bytes) -> Decoded:
    """Return the text of an uploaded file. Raises BrokenTable where it is none, and Busy."""
    try:
        read: Decoded = read_in_child("experiments.formats.csvtext:decoded", data)
    except Unreadable as error:
        raise BrokenTable(fault_of(error).message, line=1) from error
    return read


def read_uploaded_list(function: str, *arguments: Any) -> tuple[Any, list[Fault]]:
    """Return what a reader returns that gives its content and a list of faults. Raises Busy."""
    try:
        content, faults = read_in_child(function, *arguments)
    except Unreadable as error:
        return None, [fault_of(error)]
    return content, faults


def fault_of(error: Unreadable, *, step: str = "") -> Fault:
    """Return what to tell somebody whose file could not be read."""
    if not isinstance(error, TooCostly):
        return Fault(message=_("The platform cannot read the file. Nothing was stored."), step=step)
    return Fault(
        message=_("The file takes more than %(seconds)d seconds or %(megabytes)d MB to read. Nothing was stored.")
        % {"seconds": SECONDS, "megabytes": MEGABYTES},
        suggestion=_("Copy only the cells of the table into a new file, and save that file as CSV."),
        step=step,
    )

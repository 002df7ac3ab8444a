"""Read untrusted files in a child process with limits on CPU time and memory.

A small file can unpack to a huge one, or take minutes to parse; in a thread of the web server it would delay
participants' answers. The child has only the reading functions: no database, no key, no settings. CPU time is limited
rather than elapsed time, so that a busy machine accepts the same files as an idle one.
"""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from experiments.formats.faults import Fault
from experiments.materials.reading import read_materials
from experiments.materials.shapes import MaterialsFaults, Table
from experiments.materials.table import read_table

SECONDS = 5
MEGABYTES = 200
# A machine so busy that five seconds of the processor take longer than this has no room for uploads.
WAIT_SECONDS = 120
AT_ONCE = 2
# Python does not start on Windows without SYSTEMROOT.
PASSED_ON = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "TEMP")
SMALL = 256 * 1024

logger = logging.getLogger(__name__)
# By its path: as a module it would load its package first, and with it the models, before settings are there.
CHILD = Path(__file__).with_name("child.py")
_places = threading.BoundedSemaphore(AT_ONCE)


class Unreadable(Exception):
    """The reading function broke on the file."""


class TooCostly(Unreadable):
    """The file takes more than the seconds or the memory that reading may take."""


def read_in_child(function: str, *arguments: Any, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> Any:
    """Return what a function of `experiments`, named as `module:name`, returns for these plain arguments.

    Raises what the function raises on purpose, TooCostly where it needs too much, Unreadable where it breaks.
    """
    asked = pickle.dumps((function, arguments, translation.get_language(), seconds, megabytes))
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    with _places:
        child = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, str(CHILD)],
            env={**environment, "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            answered, _errors = child.communicate(asked, timeout=WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            answered = b""
        finally:
            if child.poll() is None:
                child.kill()
                child.communicate()
    if child.returncode or not answered:
        raise TooCostly
    outcome, value = pickle.loads(answered)  # noqa: S301 - from our own child
    if outcome == "raised":
        raise value
    if outcome == "broke":
        logger.error("Reading an uploaded file broke: %s", value)
        raise Unreadable
    return value


def read_uploaded_table(data: bytes, name: str) -> Table:
    """Return the table in an uploaded file. Raises MaterialsFaults, also where reading it takes too much."""
    return _read_uploaded("experiments.materials.table:read_table", read_table, data, name)


def read_uploaded_materials(data: bytes, name: str) -> Table:
    """Return the table in an uploaded file of materials, which another tool may have written. Raises as the other."""
    return _read_uploaded("experiments.materials.reading:read_materials", read_materials, data, name)


def _read_uploaded(function: str, read: Callable[[bytes, str], Table], data: bytes, name: str) -> Table:
    """Plain text of a few hundred kilobytes takes a fraction of a second, and is read here."""
    if len(data) <= SMALL and not data.startswith(b"PK"):
        return read(data, name)
    try:
        table: Table = read_in_child(function, data, name)
    except Unreadable as error:
        raise MaterialsFaults([fault_of(error, step="materials")]) from error
    return table


def fault_of(error: Unreadable, *, step: str = "") -> Fault:
    """Return what to tell somebody whose file could not be read."""
    if not isinstance(error, TooCostly):
        return Fault(message=_("The file cannot be read. Nothing was stored."), step=step)
    return Fault(
        message=_("Reading the file takes more than %(seconds)d seconds or %(megabytes)d MB. Nothing was stored.")
        % {"seconds": SECONDS, "megabytes": MEGABYTES},
        suggestion=_("Copy the cells of the table alone into a new file and save that as CSV."),
        step=step,
    )

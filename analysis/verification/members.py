"""Find and read what archives hold: tables in either layout and variant, JSON, the table behind a report."""

from __future__ import annotations

import codecs
import csv
import io
import json
import shlex
from pathlib import PurePosixPath
from typing import Any

from analysis.exports.cells import quoted
from analysis.verification.archives import MOST_REPORT_BYTES, Archive, UnreadableArchive
from experiments.formats.csvtext import unguarded


def candidates(archive: Archive, folder: str) -> list[str]:
    """Return the tables from which a report may come, where the archive does not say it: likely ones first."""
    tables = [name for name in archive.sizes if name.endswith(".csv") and PurePosixPath(name).name != "codebook.csv"]
    rerun = within(folder, "rerun.sh")
    if rerun in archive:
        words = shlex.split(archive.read(rerun, most=100_000).decode("utf-8", "replace"), comments=True)
        named = [words[at + 1] for at, word in enumerate(words[:-1]) if word == "--data"]
        return [name for name in named if name in archive.sizes]
    whole = [name for name in tables if not name.startswith(("reports/", "results/"))]
    own = [name for name in tables if folder and name == f"{folder}/pairs.csv"]
    return [*own, *sorted(whole, key=lambda name: not is_table(name, "trials"))]


def is_table(path: str, name: str) -> bool:
    """Return whether a path is that of a table of the export, in either layout.

    >>> is_table("trials.csv", "trials"), is_table("data/study-a_description-trials_data.csv", "trials")
    (True, True)
    """
    file = PurePosixPath(path)
    return str(file) == f"{name}.csv" or (
        file.parts[:1] == ("data",) and file.name.endswith(f"_description-{name}_data.csv")
    )


def plain_csv(content: bytes) -> bytes:
    """Return a table as the plain export writes it, given either variant.

    >>> plain_csv('\\ufeffitem,text\\r\\na,\\'=b\\r\\n'.encode())
    b'item,text\\r\\na,=b\\r\\n'
    """
    if not content.startswith(codecs.BOM_UTF8):
        return content
    rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    lines = (",".join(quoted(unguarded(cell)) for cell in row) for row in rows)
    return "".join(f"{line}\r\n" for line in lines).encode("utf-8")


def object_in(archive: Archive, name: str) -> dict[str, Any] | None:
    """Return the object in a JSON file; None where the archive has no such file. Raises UnreadableArchive."""
    if name not in archive:
        return None
    try:
        found = json.loads(archive.read(name, most=MOST_REPORT_BYTES).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnreadableArchive):
            raise
        raise UnreadableArchive(f"{archive.name}: {name} is no JSON that can be read.") from error
    if not isinstance(found, dict):
        raise UnreadableArchive(f"{archive.name}: {name} holds no object.")
    return found


def within(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name

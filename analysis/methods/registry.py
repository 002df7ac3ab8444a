"""The analyses that exist, with the parameters that each declares.

A method is one pure function plus a declaration. The admin builds its form, `manage.py analyse` its `--set`
options and the documentation its tables from that declaration.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.methods.declarations import Method, Progress, no_progress
from analysis.methods.report import BadInput, Report
from analysis.methods.versions import versions
from analysis.methods.wording import no_such


@dataclass(frozen=True)
class FileOnDisk:
    """A large text file that a command names: read from the disk where it is used, named with its hash in reports."""

    name: str
    path: Path

    @property
    def text(self) -> str:
        """The whole text, for uses that need it at once."""
        return self.path.read_text(encoding="utf-8-sig")

    def __str__(self) -> str:
        with self.path.open("rb") as file:
            return f"{self.name} (SHA-256 {hashlib.file_digest(file, 'sha256').hexdigest()[:12]}…)"


def read_parameters(method: Method, given: Mapping[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """Check and convert parameters against their declaration.

    Raises BadInput with all faults together: unknown names, missing ones, columns that the data lack (with the
    nearest name that exists), numbers that are none.
    """
    from analysis.methods import parameters

    return parameters.read(method.parameters, given, [str(name) for name in frame.columns])


def run(method: Method, frame: pd.DataFrame, given: Mapping[str, Any], progress: Progress = no_progress) -> Report:
    """Run a method on a frame: read its parameters, call it, and stamp the versions into the report."""
    from analysis.methods.rows.read_as import explained

    values = read_parameters(method, given, frame)
    progress(0.0, "reading the data")
    try:
        report = method.function(frame, progress=progress, **values)
    except BadInput as fault:
        raise explained(fault, frame, values) from fault
    return replace(report, params=values, versions={**versions(), **report.versions})


def analyses() -> dict[str, Method]:
    """Return every registered method by slug, in the order in which they are offered."""
    from analysis.methods.catalogue import ANALYSES

    return {method.slug: method for method in ANALYSES}


def method_named(slug: str) -> Method:
    """Return the method of that slug. Raises BadInput where there is none, naming those that exist."""
    methods = analyses()
    if slug not in methods:
        raise BadInput(no_such("method", slug, list(methods)))
    return methods[slug]

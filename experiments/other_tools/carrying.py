"""Carry a project of another tool over: its files in, the files of a study and a report out.

This is what the command and the page share. Uploads are read by `carried_upload` in a process with limits.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from experiments.formats.faults import Fault
from experiments.other_tools.pcibex.study import STUDY_FILE, study_files
from experiments.other_tools.projects import archive_files, project_in
from experiments.other_tools.reports import Entry, Report
from experiments.sentences import Sentence
from experiments.study_files import StudyDescription, StudyFileFaults, read_toml


@dataclass
class Carried:
    """A project as a study: files by their paths, the report, and the study described, or why there is none."""

    files: dict[str, bytes]
    report: Report
    described: StudyDescription | None = None
    faults: list[Fault] = field(default_factory=list)

    @property
    def entries(self) -> list[Entry]:
        """What became of every element, what needs a hand first."""
        return self.report.entries


def carried(files: Mapping[str, bytes], name: str, *, slug: str = "", title: str = "", language: str = "en") -> Carried:
    """Return a project of Ibex or PCIbex as a study. Raises ProjectFaults where there is no script or too much."""
    project = project_in(files.items(), name)
    made, report = study_files(project, slug=slug, title=title, language=language)
    found = Carried(made, report)
    with tempfile.TemporaryDirectory() as folder:
        for path, data in made.items():
            target = Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        try:
            found.described = read_toml(Path(folder) / STUDY_FILE)
        except StudyFileFaults as faults:
            found.faults = faults.faults
    if found.described is not None and not any(part.fields.get("paradigm") for part in found.described.parts):
        message = Sentence("No trial of the project could be read as a task.")
        advice = Sentence("Choose a paradigm, and add its materials by hand.")
        found.described, found.faults = None, [Fault(message=message, suggestion=advice)]
    return found


def carried_upload(data: bytes, name: str, slug: str, title: str, language: str) -> Carried:
    """Return an uploaded archive as a study. Raises ProjectFaults."""
    return carried(archive_files(data), name, slug=slug, title=title, language=language)


def told(found: Carried) -> str:
    """Return the report in one sentence.

    >>> told(Carried({}, Report()))
    '0 elements carried over, 0 changed, 0 not carried.'
    """
    report = found.report
    return Sentence(
        "{carried} elements carried over, {changed} changed, {left} not carried.",
        carried=len(report.of("carried")),
        changed=len(report.of("changed")),
        left=len(report.of("not carried")),
    )

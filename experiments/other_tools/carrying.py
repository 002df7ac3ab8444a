"""Carry a project of another tool over: its files in, the files of a study and a report out.

This is what the command and the page share. Uploads are read by `carried_upload` in a process with limits.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from experiments.formats.faults import Fault
from experiments.other_tools.pcibex.study import STUDY_FILE
from experiments.other_tools.projects import project_in, uploaded_files
from experiments.other_tools.reports import Entry, Report
from experiments.other_tools.screens.composing import Naming
from experiments.other_tools.tools import named, tool_of
from experiments.sentences import Sentence
from experiments.study_files import StudyDescription, StudyFileFaults, read_toml


@dataclass
class Carried:
    """A project as a study: files by their paths, the report, and the study described, or why there is none."""

    files: dict[str, bytes]
    report: Report
    described: StudyDescription | None = None
    faults: list[Fault] = field(default_factory=list)
    tool: str = ""

    @property
    def entries(self) -> list[Entry]:
        """What became of every element, what needs a hand first."""
        return self.report.entries


def carried(
    files: Mapping[str, bytes], name: str, *, tool: str = "", slug: str = "", title: str = "", language: str = "en"
) -> Carried:
    """Return a project of a tool, or of the one that its files tell, as a study.

    Raises ProjectFaults where it is of none of the tools, not of this one, or too large.
    """
    project = project_in(files.items(), name)
    of = named(tool, project) if tool else tool_of(project)
    made, report = of.read(project, Naming(slug, title, language))
    found = Carried(made, report, tool=of.label)
    with tempfile.TemporaryDirectory() as folder:
        for path, data in made.items():
            target = Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        try:
            found.described = read_toml(Path(folder) / STUDY_FILE)
        except StudyFileFaults as faults:
            found.faults = faults.faults
    tasks = found.described is not None and any(part.fields.get("paradigm") for part in found.described.parts)
    if not tasks and (found.described is not None or b"\nparadigm = " not in made[STUDY_FILE]):
        message = Sentence("None of the project's trials could be read as a task.")
        advice = Sentence("Choose a paradigm and add its materials yourself.")
        found.described, found.faults = None, [Fault(message=message, suggestion=advice)]
    return found


def carried_upload(data: bytes, name: str, slug: str, title: str, language: str, tool: str = "") -> Carried:
    """Return an uploaded archive or file of this name as a study. Raises ProjectFaults."""
    files = uploaded_files(data, name)
    return carried(files, stem_of(name), tool=tool, slug=slug, title=title, language=language)


def stem_of(name: str) -> str:
    """Return what a project is called that has its name from a file.

    >>> stem_of("flanker.study.json"), stem_of("dogs.zip"), stem_of(".zip")
    ('flanker', 'dogs', 'project')
    """
    bare = re.sub(r"(?:\.study)?\.json$|(?:\.opensesame)?\.tar\.gz$|\.[^.]*$", "", PurePosixPath(name).name, flags=re.I)
    return bare[:80] or "project"


def told(found: Carried) -> str:
    """Return the report in one sentence.

    >>> told(Carried({}, Report()))
    '0 elements imported, 0 changed, 0 not imported.'
    """
    report = found.report
    return Sentence(
        "{carried} elements imported, {changed} changed, {left} not imported.",
        carried=len(report.of("carried")),
        changed=len(report.of("changed")),
        left=len(report.of("not carried")),
    )

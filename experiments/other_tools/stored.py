"""Keep what became of the elements of a project with the study that was made of it: in its history."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from experiments.models import Study
from experiments.other_tools.carrying import Carried
from experiments.other_tools.pcibex.study import REPORT_FILE
from experiments.study.audit import record

IMPORTED = "imported from another tool"
LONGEST = 200_000


@dataclass
class Section:
    """One section of a stored report: its heading and its sentences."""

    heading: str
    sentences: list[str] = field(default_factory=list)


def record_import(study: Study, found: Carried, *, user: Any) -> None:
    """Write the report of an import into the history of the study."""
    record(study, action="imported from another tool", user=user, detail=found.files[REPORT_FILE].decode()[:LONGEST])


def stored_report(study: Study) -> str | None:
    """Return the report of the import from which a study was made, as Markdown; None of any other study."""
    entry = study.audit_entries.filter(action=IMPORTED).order_by("at", "pk").first()
    return entry.detail if entry else None


def sections_of(report: str) -> list[Section]:
    """Return the sections of a report.

    >>> sections_of("# A\\n\\n## Carried over (1)\\n\\n- main.js, line 1: x.")
    [Section(heading='Carried over (1)', sentences=['main.js, line 1: x.'])]
    """
    found: list[Section] = []
    for line in report.splitlines():
        if line.startswith("## "):
            found.append(Section(line.removeprefix("## ")))
        elif line.startswith("- ") and found:
            found[-1].sentences.append(line.removeprefix("- "))
    return found

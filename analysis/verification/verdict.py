"""What verifying found: of every report and of the whole, and the one line that says it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from analysis.methods.wording import counted
from analysis.verification.claims import Claims
from analysis.verification.numbers import Compared


@dataclass
class ReportVerdict:
    """What became of one report: its comparison, or `reason`, why it was not computed again."""

    path: str
    method: str
    standing: str = ""
    found: Compared = field(default_factory=Compared)
    reason: str = ""
    again: dict[str, Any] | None = None
    number: int = 0


@dataclass
class Verdict:
    """What verifying found. `wrong` holds everything that contradicts, `lacking` what could not be checked."""

    study: str = ""
    version: int | None = None
    files: int = 0
    files_as_listed: int = 0
    claims: Claims = field(default_factory=Claims)
    reports: list[ReportVerdict] = field(default_factory=list)
    papers: list[tuple[str, Compared]] = field(default_factory=list)
    fingerprints: dict[str, str] = field(default_factory=dict)
    opened_at: str = ""

    @property
    def compared(self) -> list[Compared]:
        return [*(report.found for report in self.reports), *(found for _, found in self.papers)]

    @property
    def numbers(self) -> int:
        return sum(found.numbers for found in self.compared)

    @property
    def same(self) -> int:
        return sum(found.same for found in self.compared)

    @property
    def unchecked(self) -> int:
        return sum(found.unchecked for found in self.compared)

    @property
    def wrong(self) -> list[str]:
        """Return all that contradicts, each with its place."""
        of_reports = [f"{one.path}: {said}" for one in self.reports for said in one.found.differing]
        return [
            *self.claims.wrong,
            *of_reports,
            *(f"{name}: {said}" for name, one in self.papers for said in one.differing),
        ]

    @property
    def lacking(self) -> list[str]:
        return [*self.claims.lacking, *(f"{one.path}: {one.reason}" for one in self.reports if one.reason)]

    @property
    def told(self) -> list[str]:
        of_reports = [f"{one.path}: {said}" for one in self.reports for said in one.found.told]
        return [*of_reports, *(f"{name}: {said}" for name, found in self.papers for said in found.told)]

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "study": self.study,
            "study_version": self.version,
            "verdict": self.sentence,
            "numbers": self.numbers,
            "reproduced": self.same,
            "not_computed": self.unchecked,
            "files": self.files,
            "files_as_listed": self.files_as_listed,
            "sha256": self.fingerprints,
            "reports": [
                {
                    "path": one.path,
                    "method": one.method,
                    "standing": one.standing,
                    "numbers": one.found.numbers,
                    "reproduced": one.found.same,
                    "not_computed": one.found.unchecked,
                }
                for one in self.reports
            ],
            "held": self.claims.held,
            "contradictions": self.wrong,
            "not_checked": self.lacking,
            "besides": self.told,
        }

    @property
    def sentence(self) -> str:
        """Return the verdict in one line."""
        told = [f"{self.same:,} of {self.numbers:,} numbers reproduced"]
        if self.unchecked:
            told.append(f"{self.unchecked:,} not computed here")
        if self.claims.plan_in_words:
            told.append(self.claims.plan_in_words)
        if self.wrong:
            told.append(f"{counted(len(self.wrong), 'contradiction')}")
        return "; ".join(told) + "."

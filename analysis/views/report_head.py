"""What stands above a report: how much of the data it rests on, and the factors whose levels can be put in order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.translation import gettext as _

from analysis.data.tables import TEXTS
from analysis.exports.reports import labels_of, words_of
from analysis.methods.report import Report
from analysis.models import AnalysisRun
from experiments.models import Study
from participants.models import Session
from participants.session.planned_exclusion import LEFT_OUT, people_have_answered

_SATISFIED = re.compile(r"Of ([\d,]+) rows?, ([\d,]+) satisfied ")
_ROWS = re.compile(r"Of ([\d,]+) rows?, ([\d,]+) (?:was|were) analysed(?:; left out were (.*))?\.")


@dataclass(frozen=True)
class Head:
    """What a report rests on. Numbers of people are there as long as the data are those of the report."""

    rows: str = ""
    left_out: str = ""
    finished: int = 0
    excluded: int = 0

    @property
    def analysed(self) -> int:
        return self.finished - self.excluded


def head_of(run: AnalysisRun, report: Report, *, is_current: bool) -> Head:
    """Return how much of the data a report rests on: rows as it says itself, people as they are now."""
    found = next((said for note in report.notes if (said := _ROWS.match(note))), None)
    satisfied = next((said for note in report.notes if (said := _SATISFIED.match(note))), None)
    # Of rows that satisfy a condition those are analysed that no rule leaves out.
    told = (satisfied or found, found or satisfied)
    rows = _("%(n)s of %(all)s rows") % {"n": told[1][2], "all": told[0][1]} if told[0] and told[1] else ""
    left_out = f"left out: {found[3]}" if found and found[3] else ""
    if not is_current or run.table == TEXTS:
        return Head(rows, left_out)
    sessions = Session.objects.filter(study=run.study, status=Session.Status.COMPLETE)
    if people_have_answered(run.study):
        sessions = sessions.filter(is_simulated=False)
    return Head(rows, left_out, sessions.count(), sessions.filter(LEFT_OUT).count())


@dataclass(frozen=True)
class Factor:
    """A factor of a report with its levels, each with what it is called, in the order in which they are shown."""

    name: str
    label: str
    levels: list[tuple[str, str]]


def factors_of(study: Study, report: Report) -> list[Factor]:
    """Return the factors that a report is about and that have levels to be put into an order."""
    words, labels = words_of(study), labels_of(study).within(report)
    return [
        Factor(name, words.name(name), [(level, words.level(name, level)) for level in levels])
        for name, levels in labels.levels.items()
        if len(levels) > 1
    ]

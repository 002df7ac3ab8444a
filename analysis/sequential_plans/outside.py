"""Warn about, and record, looks at a study's data outside its sequential plan."""

from __future__ import annotations

from analysis.data.tables import TEXTS
from analysis.exports.of_task import known_part
from analysis.models import AnalysisRun, SequentialLook
from analysis.sequential_plans.deciding import Deciding, deciding_of
from experiments.models import Study
from participants.session.planned_exclusion import people_have_answered

ACTION = "looked outside the sequential plan"


def is_undecided(study: Study) -> bool:
    """Say whether the study was opened with a sequential plan that has not stopped."""
    return study.is_frozen and deciding_of(study) is not None and stopping_look(study) is None


def stopping_look(study: Study) -> SequentialLook | None:
    """Return the look at which the sequential plan of a study stopped."""
    return next((look for look in SequentialLook.objects.filter(study=study) if look.stops), None)


def would_unblind(study: Study, table: str) -> bool:
    """Say whether an analysis of this table shows what a sequential plan is to keep from everybody."""
    return table != TEXTS and is_undecided(study) and people_have_answered(study)


def warnings_of(run: AnalysisRun) -> list[str]:
    """Return what the report of a run says of the sequential plan of its study, where it is none of its looks."""
    study, deciding = run.study, deciding_of(run.study)
    if deciding is None or not study.is_frozen or run.table == TEXTS or not people_have_answered(study):
        return []
    stopped = stopping_look(study)
    if stopped is None:
        made = SequentialLook.objects.filter(study=study).exclude(decision="").count()
        return [
            f"This analysis looked at the data outside the sequential plan of the study, of which {made} of "
            f"{len(deciding.plan.looks)} looks were made. The plan does not protect its p values from that, and what "
            f"was seen here must not decide whether the study goes on. Say in the paper that it was seen."
        ]
    if is_of(deciding, run):
        return [
            f"The sequential plan of the study stopped at look {stopped.number}, with {stopped.people} people. Its "
            f"report has the values that are corrected for the looks; those of this report are not."
        ]
    return []


def is_of(deciding: Deciding, run: AnalysisRun) -> bool:
    """Say whether a run is of the method, table and task that decide when the study stops."""
    same = (deciding.method, deciding.table, deciding.part)
    return (run.method, run.table, known_part(run.study, run.part)) == same

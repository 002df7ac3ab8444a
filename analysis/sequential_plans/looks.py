"""Make the looks of a sequential plan: once their participants have finished, only once, blind until the plan stops.

A look has a row from the moment at which its number of people has finished; that there is one for each number is a
constraint of the database, so two workers cannot make a look twice. `analysis.runs.looks` claims it like a run. What it
computes stays in the process that computed it, but for p and the decision: only the look that stops the study leaves a
report.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils import timezone

from analysis.methods.sequential.boundaries import Look, boundaries
from analysis.models import AnalysisRun, SequentialLook
from analysis.sequential_plans.deciding import deciding_of
from experiments.models import Study
from experiments.study.audit import record
from experiments.study.lifecycle import pause
from participants.watching.finished import finished_people

Status, Decision = SequentialLook.Status, SequentialLook.Decision


def due_studies() -> list[Study]:
    """Return the studies that people have met and whose sequential plan has not stopped."""
    planned = Study.objects.exclude(status=Study.Status.DRAFT).annotate(text=Cast("plan", TextField()))
    stopped = SequentialLook.objects.filter(decision__in=(Decision.FOUND, Decision.ENDED)).values("study")
    return list(planned.filter(text__contains='"sequential"').exclude(pk__in=stopped))


def begin_due() -> int:
    """Begin every look whose people are there, and return how many were begun."""
    return sum(begin_next(study) is not None for study in due_studies())


def begin_next(study: Study) -> SequentialLook | None:
    """Begin the next look of a study where its people are there and the one before is made.

    Called by two workers at once it is begun by one of them.
    """
    deciding = deciding_of(study)
    made = list(SequentialLook.objects.filter(study=study))
    if deciding is None or any(not look.decision or look.stops for look in made):
        return None
    plan, number = deciding.plan, len(made) + 1
    if number > len(plan.looks) or finished_people(study).count() < plan.looks[number - 1]:
        return None
    looks = boundaries(plan.shares, spending=plan.spending, alpha=plan.alpha, gamma=plan.gamma)
    return _begun(study, number, plan.looks[number - 1], looks[number - 1], is_last=number == len(plan.looks))


def end_now(study: Study, user: Any) -> SequentialLook | None:
    """Begin the last look of a closed study with the people who are there; it has all that is left of α.

    Returns None where the plan has stopped, a look is being made, or nobody finished since the look before.
    """
    deciding = deciding_of(study)
    made = list(SequentialLook.objects.filter(study=study))
    people = finished_people(study).count()
    if deciding is None or study.status != Study.Status.CLOSED or any(not look.decision or look.stops for look in made):
        return None
    plan = deciding.plan
    least = made[-1].people if made else 0
    if people <= least or people >= plan.looks[-1]:
        return None
    shares = [*(look.share for look in made), people / plan.looks[-1]]
    look = boundaries(shares, spending=plan.spending, alpha=plan.alpha, gamma=plan.gamma)[-1]
    begun = _begun(study, len(made) + 1, people, look, is_last=True)
    if begun is not None:
        record(study, action="last look asked for", user=user, detail=f"Look {begun.number}, {people} people.")
    return begun


def _begun(study: Study, number: int, people: int, look: Look, *, is_last: bool) -> SequentialLook | None:
    try:
        with transaction.atomic():
            return SequentialLook.objects.create(
                study=study, number=number, people=people, share=look.share, spent=look.spent,
                boundary=look.boundary, level=look.level, is_last=is_last,
            )  # fmt: skip
    except IntegrityError:  # another worker was first
        return None


def decide(study: Study, look: SequentialLook, outcome: Mapping[str, Any], *, error: str) -> None:
    """Write down what follows from a look, and pause the study where the plan stops; `error` says why none was tested.

    `outcome` is as `analysis.computing.of_look` gives it.
    """
    is_tested = not error
    look.p = outcome["p"] if is_tested else None
    look.error = error
    look.lists = outcome.get("lists", {})
    look.decision = decision_on(look)
    look.status, look.made_at, look.heartbeat_at = Status.DONE, timezone.now(), None
    if look.stops and is_tested:
        look.run = _stored_report(study, outcome)
    look.save()
    deciding = deciding_of(study)
    total = len(deciding.plan.looks) if deciding else look.number
    detail = f"Look {look.number} of {total}, {look.people} people: {look.get_decision_display()}."
    record(study, action="sequential look made", user=None, detail=detail)
    if look.stops and study.status == Study.Status.OPEN:
        pause(study, None)


def decision_on(look: SequentialLook) -> str:
    """Return what follows from a look: its p against its level, both two-sided."""
    if look.p is not None and look.p <= look.level:
        return Decision.FOUND
    if look.is_last:
        return Decision.ENDED
    return Decision.CONTINUES if look.p is not None else Decision.UNTESTED


def _stored_report(study: Study, outcome: Mapping[str, Any]) -> AnalysisRun:
    """Store the report of the look that stopped the study, as a finished run that the pages show."""
    deciding = deciding_of(study)
    assert deciding is not None  # the plan of a study that was opened stays  # noqa: S101
    now = timezone.now()
    return AnalysisRun.objects.create(
        study=study,
        part=deciding.part or study.task.name,
        method=deciding.method,
        params=outcome["params"],
        table=deciding.table,
        status=AnalysisRun.Status.DONE,
        progress=1,
        report=outcome["report"],
        data_hash=outcome["data_hash"],
        data_stamp=outcome["stamp"],
        code_version=outcome["code_version"],
        started_at=now,
        finished_at=now,
    )

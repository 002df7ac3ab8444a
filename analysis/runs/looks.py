"""The looks of a sequential plan: begun when their people are there, made once, and blind until the plan stops.

A look has a row from the moment at which its number of people has finished; that there is one for each number is a
constraint of the database, so two workers cannot make a look twice. It is claimed like a run. What it computes stays in
the process that computed it, but for p and the decision: only the look that stops the study leaves a report.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from analysis.data.frames import people_data
from analysis.exports.of_task import through_task
from analysis.exports.reports import report_json
from analysis.methods import registry
from analysis.methods.declarations import Progress
from analysis.methods.report import BadInput
from analysis.methods.sequential.boundaries import Look, boundaries
from analysis.methods.sequential.decided import MadeLook, stopped_report, tested
from analysis.models import AnalysisRun, SequentialLook
from analysis.runs.claims import execute_here
from analysis.runs.code_version import code_version
from analysis.runs.deciding import deciding_of
from analysis.runs.life import BEAT_SECONDS, MAX_ATTEMPTS, STALE_AFTER, checked_params
from analysis.runs.outcomes import Outcome, failure_sentence, outcome_of
from experiments.models import Study
from experiments.study.audit import record
from experiments.study.editing import locked
from experiments.study.lifecycle import pause
from participants.models import Participant
from participants.watching.finished import finished_people, first_people, people_per_list, pseudonyms_of

logger = logging.getLogger(__name__)
Status, Decision = SequentialLook.Status, SequentialLook.Decision
TOO_FEW = "too-few"


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


def sweep() -> list[int]:
    """Queue looks again that lost their worker, begin those that are due, and return the keys of those that wait."""
    return_to_queue(SequentialLook.objects.filter(status=Status.RUNNING, heartbeat_at__lt=timezone.now() - STALE_AFTER))
    begin_due()
    return waiting()


def waiting() -> list[int]:
    """Return the keys of looks that wait for a worker."""
    return list(SequentialLook.objects.filter(status=Status.QUEUED).order_by("pk").values_list("pk", flat=True))


def return_to_queue(lost: Any) -> None:
    """Queue looks again that lost their worker; one that lost it too often has no test."""
    for look in lost:
        if look.attempts >= MAX_ATTEMPTS:
            ClaimedLook(look.pk, look.attempts).conclude({"kind": "lost", "times": look.attempts})
            continue
        logger.warning("Look %s of %s lost its worker and is queued again", look.number, look.study_id)
        SequentialLook.objects.filter(pk=look.pk, status=Status.RUNNING, attempts=look.attempts).update(
            status=Status.QUEUED, heartbeat_at=None
        )


@dataclass(frozen=True)
class ClaimedLook:
    """A look that a worker holds (see `analysis.runs.claims`)."""

    look_id: int
    attempt: int

    @property
    def name(self) -> str:
        return f"look-{self.look_id}"

    def compute(self, progress: Progress) -> Outcome:
        return outcome_of(lambda: _computed(self.look_id, progress), name=f"Look {self.look_id}")

    def beat(self, *, progress: float | None = None, note: str = "") -> bool:
        return bool(self._held().update(heartbeat_at=timezone.now()))

    def give_back(self) -> None:
        self._held().update(status=Status.QUEUED, attempts=F("attempts") - 1, heartbeat_at=None)

    def conclude(self, outcome: Outcome) -> None:
        """Write the decision down and pause the study where the plan stops, both or neither."""
        look = SequentialLook.objects.select_related("study").get(pk=self.look_id)
        with transaction.atomic():
            study = locked(look.study)
            if not self._held().exists():
                return
            if outcome["kind"] == "cancelled":
                self.give_back()
            elif outcome["kind"] == TOO_FEW:
                # Somebody withdrew or was left out meanwhile: the look is begun again when its people are there.
                self._held().delete()
            elif outcome["kind"] == "done" and not _are_there(study, outcome["participants"]):
                self.give_back()
            else:
                self._decide(study, look, outcome)

    def _decide(self, study: Study, look: SequentialLook, outcome: Outcome) -> None:
        is_tested = outcome["kind"] == "done"
        look.p = outcome["p"] if is_tested else None
        look.error = "" if is_tested else failure_sentence(outcome)
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

    def _held(self) -> Any:
        return SequentialLook.objects.filter(pk=self.look_id, status=Status.RUNNING, attempts=self.attempt)


def decision_on(look: SequentialLook) -> str:
    """Return what follows from a look: its p against its level, both two-sided."""
    if look.p is not None and look.p <= look.level:
        return Decision.FOUND
    if look.is_last:
        return Decision.ENDED
    return Decision.CONTINUES if look.p is not None else Decision.UNTESTED


def claimed(look_id: int) -> ClaimedLook | None:
    """Take a waiting look, or return None where somebody else was first."""
    free = SequentialLook.objects.filter(pk=look_id, status=Status.QUEUED)
    if not free.update(status=Status.RUNNING, attempts=F("attempts") + 1, heartbeat_at=timezone.now()):
        return None
    return ClaimedLook(look_id, SequentialLook.objects.values_list("attempts", flat=True).get(pk=look_id))


def execute(look_id: int) -> bool:
    """Claim and compute a look in this process. Returns False where there was nothing to claim."""
    look = claimed(look_id)
    if look is not None:
        execute_here(look, beat_seconds=BEAT_SECONDS)
    return look is not None


def _computed(look_id: int, progress: Progress) -> Outcome:
    """Run the planned analysis on exactly the people of a look; the report leaves this only where the plan stops."""
    look = SequentialLook.objects.select_related("study").get(pk=look_id)
    study, deciding = look.study, deciding_of(look.study)
    if deciding is None:
        raise BadInput("The plan of the study has no sequential plan any more.")
    sessions = first_people(study, look.people)
    if len(sessions) < look.people:
        return {"kind": TOO_FEW}
    people = pseudonyms_of(sessions)
    seen = through_task(study, deciding.part)
    params = checked_params(seen, method=deciding.method, params=deciding.params, table=deciding.table)
    data = people_data(seen, deciding.table, people)
    lists = people_per_list(sessions)
    report = registry.run(registry.method_named(deciding.method), data.frame, params, progress)
    look.p = tested(report, deciding.plan.effect).p
    found: Outcome = {"kind": "done", "p": look.p, "lists": lists, "participants": people}
    look.decision = decision_on(look)
    if not look.stops:
        return found
    earlier = SequentialLook.objects.filter(study=study, number__lt=look.number)
    report = stopped_report(
        report,
        plan=deciding.plan,
        made=[_as_made(one) for one in (*earlier, look)],
        found=look.decision == Decision.FOUND,
        ended_early=look.people < deciding.plan.looks[-1] and look.is_last,
    )
    return {
        **found,
        "report": report_json(report),
        "params": params,
        "data_hash": data.data_hash,
        "stamp": data.stamp,
    }


def _as_made(look: SequentialLook) -> MadeLook:
    boundary = Look(share=look.share, spent=look.spent, boundary=look.boundary, level=look.level)
    return MadeLook(boundary, look.people, look.p, str(look.get_decision_display()))


def _are_there(study: Study, people: list[str]) -> bool:
    """Say whether nobody withdrew while a look was computed; if somebody did, it is computed again."""
    there = Participant.objects.filter(study=study, pseudonym__in=people).count()
    return there == len(people)


def _stored_report(study: Study, outcome: Outcome) -> AnalysisRun:
    """Store the report of the look that stopped the study, as a finished run that the pages show."""
    deciding = deciding_of(study)
    assert deciding is not None  # the plan of a study that was opened stays  # noqa: S101
    report = json.loads(outcome["report"])
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
        code_version=code_version(str(report["method"])),
        started_at=now,
        finished_at=now,
    )

"""Request, follow and cancel simulations, and remove simulated participants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.study.access import studies_for
from experiments.study.audit import record
from experiments.study.refusals import LifecycleRefusal
from participants.models import BrowserError, EventBatch, Participant, Response, Session, Simulation, Trial
from participants.models.leases import free_at
from participants.session.starting import why_closed

UNFINISHED = (Simulation.Status.QUEUED, Simulation.Status.RUNNING)
MOST = 1000


@dataclass(frozen=True)
class Filling:
    """How far the simulations are that go on at the moment."""

    done: int
    total: int
    studies: int


def simulated_are_shown(study: Study, *, asked: str | None) -> bool:
    """Return whether simulated sessions are asked for (`real` or `simulated`); by themselves where only those exist."""
    if asked in ("real", "simulated"):
        return asked == "simulated"
    sessions = Session.objects.filter(study=study)
    return not sessions.filter(is_simulated=False).exists() and sessions.filter(is_simulated=True).exists()


def kinds_of(study: Study) -> dict[str, int]:
    """Return how many sessions are real and how many simulated."""
    return Session.objects.filter(study=study).aggregate(
        real=Count("pk", filter=Q(is_simulated=False)), simulated=Count("pk", filter=Q(is_simulated=True))
    )


def ask_for_simulation(study: Study, *, participants: int, seed: int, dropout: float, user: Any) -> Simulation:
    """Ask for simulated participants where somebody can take part and none are. Raises LifecycleRefusal."""
    if why_closed(study) is not None:
        raise LifecycleRefusal(_("Nobody can take part at the moment. First open the study, or resume it."))
    if unfinished(study) is not None:
        raise LifecycleRefusal(_("Simulated participants are taking part already. Wait until they have finished."))
    return request_simulation(study, participants=participants, seed=seed, dropout=dropout, user=user)


def request_simulation(study: Study, *, participants: int, seed: int, dropout: float, user: Any) -> Simulation:
    """Ask for simulated participants; the worker lets them take part."""
    with transaction.atomic():
        made = Simulation.objects.create(
            study=study, participants=participants, seed=seed, dropout=dropout, requested_by=user
        )
        detail = f"Participants: {participants}; seed: {seed}; dropout: {dropout:g}."
        record(study, action="simulation asked for", user=user, detail=detail)
    return made


def waiting() -> list[int]:
    """Return the keys of simulations that no worker is running, the oldest first."""
    return list(Simulation.objects.filter(free_at(timezone.now()), status__in=UNFINISHED).values_list("pk", flat=True))


def unfinished(study: Study) -> Simulation | None:
    """Return the simulation of the study that goes on or waits."""
    return Simulation.objects.filter(study=study, status__in=UNFINISHED).first()


def latest(study: Study) -> Simulation | None:
    """Return the simulation that goes on or waits, or the last one."""
    return unfinished(study) or Simulation.objects.filter(study=study).last()


def cancel(study: Study, *, user: Any) -> int:
    """Cancel what goes on and what waits; who has taken part stays. Returns how many were cancelled."""
    with transaction.atomic():
        cancelled = Simulation.objects.filter(study=study, status__in=UNFINISHED).update(
            status=Simulation.Status.CANCELLED, finished_at=timezone.now()
        )
        if cancelled:
            record(study, action="simulation cancelled", user=user)
    return cancelled


def simulated(study: Study) -> QuerySet[Participant]:
    """Return the simulated participants of a study."""
    return Participant.objects.filter(study=study, is_simulated=True)


def remove_simulated(study: Study, *, user: Any) -> int:
    """Erase every simulated participant with everything that hangs on them, and return how many there were.

    Nobody is behind them, so neither a tombstone nor a line in the journal of erasures is left: an audit entry says it.
    """
    with transaction.atomic():
        cancel(study, user=user)
        number = erase_simulated(simulated(study))
        if number:
            record(study, action="simulated participants removed", user=user, detail=f"Participants: {number}.")
    return number


@transaction.atomic
def erase_simulated(participants: QuerySet[Participant]) -> int:
    """Erase some of the simulated participants with everything that hangs on them; return how many there were."""
    sessions = Session.objects.filter(participant__in=participants, is_simulated=True)
    list(sessions.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    # In bulk and from the leaves up, as in a withdrawal.
    EventBatch.objects.filter(trial__session__in=sessions).delete()
    Response.objects.filter(trial__session__in=sessions).delete()
    Trial.objects.filter(session__in=sessions).delete()
    BrowserError.objects.filter(session__in=sessions).delete()
    number = participants.count()
    participants.delete()
    return number


def filling(user: Any) -> Filling | None:
    """Return how far the simulations in a person's studies are; None where none goes on.

    Those that have ended since the first of them was asked for count, so that the number does not fall back.
    """
    mine = Simulation.objects.filter(study__in=studies_for(user))
    first = mine.filter(status__in=UNFINISHED).first()
    if first is None:
        return None
    rows = list(
        mine.filter(Q(status__in=UNFINISHED) | Q(finished_at__gte=first.requested_at)).values_list(
            "done", "participants", "study"
        )
    )
    return Filling(sum(row[0] for row in rows), sum(row[1] for row in rows), len({row[2] for row in rows}))

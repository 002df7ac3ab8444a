"""Run a simulation in slices of some seconds, so that analyses are not blocked and it can be cancelled at any time."""

from __future__ import annotations

import logging
import secrets
import time
from datetime import timedelta

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from participants.models import Simulation
from participants.models.leases import free_at
from participants.session.starting import why_closed
from participants.simulation import SimulationFailure, Summary, VirtualVisitor, numbers_from, served
from participants.watching.simulations import erase_simulated, simulated

logger = logging.getLogger(__name__)
SLICE_SECONDS = 4.0
CLAIM_SECONDS = 120


def carry_out_some(simulation_id: int, *, seconds: float = SLICE_SECONDS) -> bool:
    """Claim a simulation and let participants take part for `seconds`. Returns False where there was none to claim.

    Numbers, and with them answers, are those that one call of the command `simulate` would give.
    """
    if not _claim(simulation_id):
        return False
    simulation = Simulation.objects.select_related("study").get(pk=simulation_id)
    try:
        _slice(simulation, until=time.monotonic() + seconds)
    except SimulationFailure as failure:
        logger.warning("A simulation of %s failed: %s", simulation.study.slug, failure)
        closed = why_closed(simulation.study)
        reason = _("The study is not open any more.") if closed is not None else str(failure)
        _end(simulation, Simulation.Status.FAILED, error=reason)
    except Exception:
        # Tried again, it would fail again, and leave half a session each time.
        reference = secrets.token_hex(4)
        logger.exception("A simulation of %s ended unexpectedly, reference %s", simulation.study.slug, reference)
        reason = _(
            "The simulation ended with an unexpected error. Please tell the people who run the server and give "
            "them the reference %(reference)s."
        ) % {"reference": reference}
        _end(simulation, Simulation.Status.FAILED, error=reason)
    finally:
        Simulation.objects.filter(pk=simulation_id).update(claimed_until=None)
    return True


def _claim(simulation_id: int) -> bool:
    now = timezone.now()
    return bool(
        Simulation.objects.filter(
            free_at(now), pk=simulation_id, status__in=(Simulation.Status.QUEUED, Simulation.Status.RUNNING)
        ).update(status=Simulation.Status.RUNNING, claimed_until=now + timedelta(seconds=CLAIM_SECONDS))
    )


def _slice(simulation: Simulation, *, until: float) -> None:
    study, summary = simulation.study, Summary()
    with served() as address:
        while True:
            simulation.refresh_from_db(fields=["status", "done"])
            if not simulation.is_unfinished:  # cancelled meanwhile
                return
            if simulation.done >= simulation.participants:
                _end(simulation, Simulation.Status.DONE)
                return
            visitor = VirtualVisitor(
                study, number=numbers_from(study), seed=simulation.seed, base_url=address, summary=summary
            )
            visitor.take_part(drops_out=visitor.network.random() < simulation.dropout)
            goes_on = Simulation.objects.filter(pk=simulation.pk, status=Simulation.Status.RUNNING).update(
                done=F("done") + 1, claimed_until=timezone.now() + timedelta(seconds=CLAIM_SECONDS)
            )
            if not goes_on:  # cancelled, or all of them removed, while this one was taking part
                erase_simulated(simulated(study).filter(pseudonym=summary.pseudonyms[-1]))
                return
            # After one at least: a machine that is busy goes on too.
            if time.monotonic() >= until:
                return


def _end(simulation: Simulation, status: str, *, error: str = "") -> None:
    # What was cancelled meanwhile stays cancelled.
    Simulation.objects.filter(pk=simulation.pk, status=Simulation.Status.RUNNING).update(
        status=status, error=error, finished_at=timezone.now()
    )

"""Select finished sessions that count: real participants, excluded neither by hand nor by a rule, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.db.models import QuerySet

from experiments.models import Study
from participants.models import Session
from participants.session.planned_exclusion import ANALYSED, judge_finished


def finished_people(study: Study) -> QuerySet[Session]:
    """Return finished sessions of real participants that are not excluded, in order of completion."""
    judge_finished(study)
    finished = Session.objects.filter(ANALYSED, study=study, is_simulated=False)
    return finished.order_by("finished_at", "pk")


def first_people(study: Study, number: int) -> list[Session]:
    """Return the first `number` of these sessions, or all if there are fewer."""
    return list(finished_people(study).select_related("participant", "list")[:number])


def pseudonyms_of(sessions: Sequence[Session]) -> list[str]:
    """Return the pseudonyms of the participants of sessions, in their order."""
    return [session.participant.pseudonym for session in sessions]


def people_per_list(sessions: Sequence[Session]) -> dict[str, int]:
    """Return how many people had each list, the lists by name; those without a list are not counted."""
    return dict(sorted(Counter(str(session.list) for session in sessions if session.list is not None).items()))

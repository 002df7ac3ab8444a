"""Mask recruitment ids for display, and erase those of a study on request, when nobody has to be paid any more."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from experiments.models import Study
from experiments.study.audit import record
from participants.erasure.journal import remember
from participants.models import Erasure, Participant, RecruitmentIdentity


def masked(external_id: str) -> str:
    """Return an id with all but its ends hidden.

    >>> masked("5f3c2a9be1"), masked("abc")
    ('5f…e1', '…')
    """
    return f"{external_id[:2]}…{external_id[-2:]}" if len(external_id) >= 8 else "…"


@transaction.atomic
def erase_identities(study: Study, *, user: Any) -> int:
    """Erase all recruitment ids of a study and return how many there were. The data stay, under their pseudonyms."""
    remember(Participant.objects.filter(recruitment__study=study), kind=Erasure.Kind.IDENTITY)
    number, _rows = RecruitmentIdentity.objects.filter(study=study).delete()
    if number:
        record(study, action="recruitment ids erased", user=user, detail=f"{number} ids")
    return number

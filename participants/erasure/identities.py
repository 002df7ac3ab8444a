"""Mask recruitment ids for display, and erase those of a study on request, when nobody has to be paid any more."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from experiments.models import Study
from experiments.study.audit import record
from participants.erasure.journal import remember
from participants.models import (
    Erasure,
    Participant,
    Payment,
    ProviderSubmission,
    RecruitmentAccount,
    RecruitmentIdentity,
)


def masked(external_id: str) -> str:
    """Return an id with all but its ends hidden.

    >>> masked("5f3c2a9be1"), masked("abc")
    ('5f…e1', '…')
    """
    return f"{external_id[:2]}…{external_id[-2:]}" if len(external_id) >= 8 else "…"


def forget_submissions(study: Study) -> None:
    """Erase what was read from recruitment services, whose accounts are read no more. The ledger keeps hashes of
    submissions and amounts, so that nobody is paid again; nothing in it leads to a person or to data.
    """
    ProviderSubmission.objects.filter(study=study).delete()
    Payment.objects.filter(study=study).update(submission_sealed="", message="")
    RecruitmentAccount.objects.filter(study=study).update(is_over=True, wish={}, wished_at=None)


@transaction.atomic
def erase_identities(study: Study, *, user: Any) -> int:
    """Erase all recruitment ids of a study and return how many there were. The data stay, under their pseudonyms."""
    remember(Participant.objects.filter(recruitment__study=study), kind=Erasure.Kind.IDENTITY)
    number, _rows = RecruitmentIdentity.objects.filter(study=study).delete()
    forget_submissions(study)
    if number:
        record(study, action="recruitment ids erased", user=user, detail=f"{number} ids")
    return number

"""Keep what was read of submissions, and free at once the places of people who gave the study up.

A submission is stored with its sealed id. The hash of its person is stored only as long as a session here belongs to
the same person, so that nothing more is kept of somebody who withdrew.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from participants.models import ProviderSubmission, RecruitmentAccount, RecruitmentIdentity, Session
from participants.recruiting.ledger import GIVEN_UP, Seen
from participants.sealing import keyed_digest, seal

AT_ONCE = 500


def keep_seen(account: RecruitmentAccount, seen: Sequence[Seen]) -> None:
    """Store submissions as they were seen, and free the places of those who returned the study or ran out of time."""
    now = timezone.now()
    stored = ProviderSubmission.objects.filter(account=account)
    before = {hashed: (status, person) for hashed, status, person in stored.values_list(*_COLUMNS)}
    here = set(RecruitmentIdentity.objects.filter(study=account.study_id).values_list("external_id_hash", flat=True))
    changed, given_up = [], []
    for one in seen:
        hashed, status = keyed_digest(one.submission), one.status[:30]
        person = known if (known := keyed_digest(one.person)) in here else ""
        if not one.submission or before.get(hashed) == (status, person):
            continue
        changed.append(
            ProviderSubmission(
                study_id=account.study_id,
                account=account,
                submission_hash=hashed,
                submission_sealed=seal(one.submission),
                person_hash=person,
                status=status,
                code=one.code,
                seen_at=now,
            )
        )
        if person and status in GIVEN_UP:
            given_up.append(person)
    with transaction.atomic():
        ProviderSubmission.objects.bulk_create(
            changed,
            batch_size=AT_ONCE,
            update_conflicts=True,
            unique_fields=["account", "submission_hash"],
            update_fields=["status", "code", "person_hash", "seen_at"],
        )
        for start in range(0, len(given_up), AT_ONCE):
            _free_places(account, given_up[start : start + AT_ONCE])
    RecruitmentAccount.objects.filter(pk=account.pk).update(read_at=now)


_COLUMNS = ("submission_hash", "status", "person_hash")


def _free_places(account: RecruitmentAccount, hashes: Sequence[str]) -> None:
    """A person who comes back all the same takes up the place again, like everybody who comes back late."""
    Session.objects.filter(
        study_id=account.study_id,
        status=Session.Status.RUNNING,
        is_simulated=False,
        participant__recruitment__external_id_hash__in=hashes,
    ).update(given_up_at=timezone.now())

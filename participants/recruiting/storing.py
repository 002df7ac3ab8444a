"""The ledger's rows in the database, for one worker that has the lease of an account."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from participants.models import Payment, ProviderSubmission, RecruitmentAccount
from participants.recruiting.ledger import REPEATABLE, Event, Kind, NotPossible, Row, Seen, State, after
from participants.recruiting.reading import keep_seen

# Longer than a request takes; whoever has it renews it before each.
LEASE = timedelta(minutes=2)
LONGEST_SAID = 300
SHOWN = (State.PREPARED, State.SENT, State.UNKNOWN, State.MISSING)


# So long a worker is at one account at a time; the rest is for the next minute, and others are served.
SECONDS = 30.0


class StoredRows:
    """The store of `carrying_out` for one account, for some seconds."""

    def __init__(self, account: RecruitmentAccount) -> None:
        self.account, self.worker = account, uuid.uuid4().hex
        self.end = time.monotonic() + SECONDS

    def now(self) -> datetime:
        return timezone.now()

    def is_mine(self) -> bool:
        return time.monotonic() <= self.end and self.account.claim(self.worker, LEASE)

    def let_go(self) -> None:
        self.account.let_go(self.worker)

    def rows(self) -> list[Row]:
        stored = Payment.objects.filter(
            Q(total__confirmed_at__isnull=False) | Q(sent_at__isnull=False),
            account=self.account,
            state__in=[state.value for state in SHOWN],
        ).select_related("total")
        return [row_of(one) for one in stored.exclude(submission_sealed="").order_by("pk")]

    def send(self, rows: Sequence[Row], *, reference: str = "", before: Mapping[str, int] | None = None) -> list[Row]:
        attempt, now = uuid.uuid4().hex, timezone.now()
        try:
            # All of them or, where one cannot be, none.
            with transaction.atomic():
                for row in rows:
                    prepared = Payment.objects.filter(pk=row.key, state=State.PREPARED.value)
                    prepared.filter(total__confirmed_at__isnull=False).update(
                        state=after(row, Event.SENDING).value,
                        sent_at=now,
                        before=(before or {}).get(row.submission, 0),
                        reference=reference,
                        is_accepted=False,
                        attempt=attempt,
                        changed_at=now,
                    )
        except IntegrityError:
            return []
        return [row_of(one) for one in Payment.objects.filter(attempt=attempt).select_related("total").order_by("pk")]

    def note(self, row: Row, event: Event, said: str = "") -> bool:
        try:
            state = after(row, event)
        except NotPossible:
            return False
        changes: dict[str, Any] = {
            "state": state.value,
            "said": "".join(mark if mark.isprintable() else " " for mark in said[:LONGEST_SAID]),
            "changed_at": timezone.now(),
        }
        if event is Event.ACCEPTED:
            changes["is_accepted"] = True
        if event is Event.NOT_TAKEN:
            changes["sent_at"] = None
        unchanged = Payment.objects.filter(pk=row.key, state=row.state.value, sent_at=row.sent_at)
        return bool(unchanged.update(**changes))

    def keep(self, seen: Sequence[Seen]) -> None:
        keep_seen(self.account, seen)


def hold_after_restore() -> int:
    """Hold what a restored backup would send: it may have been paid after the backup was made. Return how many rows.

    What can be repeated goes on, and what was sent is read back; the rest is for the owner to look at.
    """
    waiting = Payment.objects.filter(state=State.PREPARED.value, total__confirmed_at__isnull=False)
    said = "Held since a backup was restored: perhaps it was paid after the backup was made."
    return waiting.exclude(kind__in=[kind.value for kind in REPEATABLE]).update(state=State.REFUSED.value, said=said)


def row_of(stored: Payment, submission: str | None = None) -> Row:
    """Return a stored row as the ledger knows it, with the provider's id of the submission or what stands for it."""
    return Row(
        key=stored.pk,
        kind=Kind(stored.kind),
        submission=stored.submission if submission is None else submission,
        purpose=stored.purpose,
        amount=stored.amount,
        state=State(stored.state),
        message=stored.message,
        category=stored.category,
        sent_at=stored.sent_at,
        before=stored.before,
        reference=stored.reference,
        is_accepted=stored.is_accepted,
        is_confirmed=stored.total.confirmed_at is not None,
    )


def submissions_of(account: RecruitmentAccount) -> dict[str, ProviderSubmission]:
    """Return the submissions of an account by the hash of the person."""
    return {one.person_hash: one for one in ProviderSubmission.objects.filter(account=account).order_by("pk")}

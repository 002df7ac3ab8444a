"""The worker's duty: do what was asked for on pages, send what was confirmed, read back, once a minute."""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import Any

from django.db.models import F, Q
from django.utils import timezone, translation

from participants.models import Payment, RecruitmentAccount
from participants.models.leases import free_at
from participants.recruiting.carrying_out import carry_out, read_back
from participants.recruiting.providers.base import Draft, NoAnswer, NotTaken, Provider, Refused, StudyThere
from participants.recruiting.providers.known import provider_of
from participants.recruiting.storing import StoredRows

logger = logging.getLogger(__name__)
ROUND_SECONDS = 40.0
# While people take part, submissions are read this often.
READ_EVERY = timedelta(minutes=5)
PAUSE = timedelta(seconds=50)
LONGEST_SAID = 300
CREATE, TEST, READ, PLACES, TRANSITION = "create", "test", "read", "places", "transition"
DONE = {
    TEST: "The account was opened.",
    READ: "The submissions were read.",
    CREATE: "The draft is there.",
    PLACES: "The number of places was changed.",
    TRANSITION: "The study was changed.",
}


def work_some() -> None:
    """Look after every account that has something to do, those that waited longest first."""
    end = time.monotonic() + ROUND_SECONDS
    now = timezone.now()
    rested = Q(tried_at=None) | Q(tried_at__lt=now - PAUSE) | Q(wished_at__gt=F("tried_at"))
    accounts = RecruitmentAccount.objects.filter(free_at(now), rested, is_over=False).select_related("study")
    for account in accounts.order_by(F("tried_at").asc(nulls_first=True), "pk"):
        if time.monotonic() >= end:
            return
        if has_something_to_do(account):
            work_on(account)


def has_something_to_do(account: RecruitmentAccount) -> bool:
    """Return whether somebody asked for something, rows are not settled, or people are taking part."""
    if account.wish:
        return True
    unsettled = [state.value for state in (Payment.State.PREPARED, Payment.State.SENT, Payment.State.UNKNOWN)]
    if account.payments.filter(state__in=unsettled, total__confirmed_at__isnull=False).exists():
        return True
    is_old = account.read_at is None or account.read_at < timezone.now() - READ_EVERY
    return account.provider_status == "ACTIVE" and is_old


def work_on(account: RecruitmentAccount) -> None:
    """Do for one account what there is to do, under its lease."""
    store = StoredRows(account)
    if not store.is_mine():
        return
    account.refresh_from_db()
    with translation.override("en"):
        try:
            provider = provider_of(account)
            if account.wish:
                _grant(account, provider, store)
            said = carry_out(store, provider, account.provider_study)
            if said:
                _say(account, said, has_failed=True)
            is_old = account.read_at is None or account.read_at < timezone.now() - READ_EVERY
            if account.provider_study and account.provider_status == "ACTIVE" and is_old and not said:
                _note_study(account, provider.study(account.provider_study))
                read_back(store, provider, account.provider_study)
        except (NotTaken, NoAnswer, Refused) as problem:
            _say(account, str(problem), has_failed=True)
        except Exception:
            # One account cannot stop the others.
            logger.exception("The recruitment account %s could not be looked after", account.pk)
            _say(account, "This did not work. The log of the server says why.", has_failed=True)
        finally:
            store.let_go()


def _grant(account: RecruitmentAccount, provider: Provider, store: StoredRows) -> None:
    """Do what somebody asked for; what the provider refuses is not asked again, what it did not take is."""
    wish: dict[str, Any] = account.wish
    action = wish.get("action")
    try:
        said = DONE.get(str(action), "")
        if action == TEST:
            said = f"{said} {provider.test()}".strip()
        elif action == READ:
            if account.provider_study:
                _note_study(account, provider.study(account.provider_study))
                read_back(store, provider, account.provider_study)
        elif action == CREATE:
            draft = Draft(**wish["draft"])
            # Asked for twice, or after an answer that was lost, the draft is found by its key.
            _note_study(account, provider.find_draft(draft.key) or provider.create_draft(draft))
        elif action == TRANSITION:
            there = provider.study(account.provider_study)
            is_done = there.status == wish.get("status")
            _note_study(account, there if is_done else provider.transition(account.provider_study, wish["to"]))
        elif action == PLACES:
            _note_study(account, provider.set_places(account.provider_study, int(wish["places"])))
    except Refused as problem:
        _say(account, str(problem), has_failed=True)
    else:
        _say(account, said, has_failed=False)
    _forget_wish(account)


def _forget_wish(account: RecruitmentAccount) -> None:
    """Somebody may have asked for something else meanwhile."""
    same = RecruitmentAccount.objects.filter(pk=account.pk, wished_at=account.wished_at)
    same.update(wish={}, wished_at=None)


def _note_study(account: RecruitmentAccount, there: StudyThere) -> None:
    account.provider_study, account.provider_status = there.id, there.status
    account.places, account.places_taken = max(there.places, 0), max(there.taken, 0)
    account.reward, account.currency = max(there.reward, 0), there.currency
    account.save(update_fields=["provider_study", "provider_status", "places", "places_taken", "reward", "currency"])


def _say(account: RecruitmentAccount, said: str, *, has_failed: bool) -> None:
    shown = "".join(mark if mark.isprintable() else " " for mark in said[:LONGEST_SAID])
    RecruitmentAccount.objects.filter(pk=account.pk).update(said=shown, has_failed=has_failed)

"""Sign and send what was stored: the oldest waiting event of each hook first, again and again until it was delivered.

A duty of the worker. One worker at a time sends for a hook (a lease), so its events arrive in the order in which they
were stored. An event whose answer was lost is sent again with the same id and the same bytes.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import random
import time
import uuid
from datetime import timedelta

from django.conf import settings
from django.db.models import F
from django.utils import timezone, translation

from experiments.study.audit import record
from participants.hooks import reaching
from participants.models import Hook, HookEvent
from participants.models.leases import free_at

logger = logging.getLogger(__name__)
# Longer than one attempt takes; whoever holds a hook takes it anew for each event.
LEASE = timedelta(seconds=60)
# How long one round may take, and how many events it sends to one hook; the rest is for the next minute.
ROUND_SECONDS = 25.0
MOST_IN_A_ROUND = 100
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=6)
TRIED_FOR = timedelta(days=3)
GONE = 410
LONGEST_SHOWN = 300
_chance = random.SystemRandom()


def send_some() -> None:
    """Send what waits, to each hook in order, for some seconds at most."""
    end = time.monotonic() + ROUND_SECONDS
    now = timezone.now()
    ready = Hook.objects.filter(
        free_at(now), is_active=True, events__state=HookEvent.State.WAITING, events__next_attempt_at__lte=now
    ).distinct()
    for hook in ready.order_by(F("tried_at").asc(nulls_first=True), "pk"):
        if time.monotonic() >= end:
            return
        send_to(hook, end=end)


def send_to(hook: Hook, *, end: float) -> None:
    """Send the waiting events of a hook in order, up to the first that fails; nothing if another worker does."""
    worker = uuid.uuid4().hex
    try:
        for _number in range(MOST_IN_A_ROUND):
            if time.monotonic() >= end or not hook.claim(worker, LEASE, is_active=True) or not _send_next(hook):
                return
    finally:
        hook.let_go(worker)


def _send_next(hook: Hook) -> bool:
    """Try the oldest waiting event of a hook once; return whether the next one may follow."""
    event = hook.events.filter(state=HookEvent.State.WAITING).first()
    if event is None or event.next_attempt_at > timezone.now():
        return False
    # The secret may have been changed since the hook was read.
    hook.refresh_from_db()
    body = event.body.encode("utf-8")
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Lectern",
        "Lectern-Event": event.kind,
        "Lectern-Delivery": str(event.delivery),
        "Lectern-Signature": signature(hook, body, at=int(time.time())),
    }
    status, said = None, ""
    # Sentences are stored in English and shown as they are, like the answers of receivers.
    with translation.override("en"):
        try:
            answer = reaching.post(hook.address, body, headers, private=settings.HOOKS_MAY_REACH_PRIVATE_ADDRESSES)
            status, said = answer.status, answer.text
        except reaching.Unreachable as problem:
            said = str(problem)
        except Exception:
            # Counted as a failure, so that one receiver cannot stop the others.
            logger.exception("An event of %s could not be sent", hook.study_slug)
            said = "The event could not be sent. The log of the server says why."
    _note(hook, event, status, said)
    return status is not None and 200 <= status < 300


def _note(hook: Hook, event: HookEvent, status: int | None, said: str) -> None:
    now = timezone.now()
    attempts = event.attempts + 1
    shown = "".join(mark if mark.isprintable() else " " for mark in said[:LONGEST_SHOWN])
    changes: dict[str, object] = {"attempts": attempts, "status": status, "answer": shown}
    if status is not None and 200 <= status < 300:
        changes |= {"state": HookEvent.State.SENT, "sent_at": now}
    elif status == GONE:
        Hook.objects.filter(pk=hook.pk).update(is_active=False, off_because=str(GONE))
        if hook.study is not None:
            record(hook.study, action="hook switched off", user=None, detail="The receiver answered 410.")
    else:
        following = now + wait_after(attempts)
        changes |= {"next_attempt_at": following}
        if following > event.queued_at + TRIED_FOR:
            changes |= {"state": HookEvent.State.GIVEN_UP}
    # Nothing where somebody erased or replayed it meanwhile.
    HookEvent.objects.filter(pk=event.pk, state=HookEvent.State.WAITING, queued_at=event.queued_at).update(**changes)


def wait_after(attempts: int) -> timedelta:
    """Return how long to wait after so many failed attempts: twice as long each time, up to hours, and by chance up to
    a quarter longer, so that receivers that were away are not asked by everybody at once.
    """
    wait: timedelta = min(FIRST_WAIT * 2.0 ** min(attempts - 1, 20), LONGEST_WAIT)
    return wait * (1 + _chance.random() / 4)


def signature(hook: Hook, body: bytes, *, at: int) -> str:
    """Return the header that proves who sent the body and when: `t=<seconds>,v1=<hex>`.

    After a rotation both secrets sign for a day, each with its own `v1`.
    """
    secrets = [hook.secret]
    if hook.previous_secret and hook.both_sign_until and hook.both_sign_until > timezone.now():
        secrets.append(hook.previous_secret)
    return ",".join([f"t={at}", *(f"v1={signed(secret, body, at=at)}" for secret in secrets)])


def signed(secret: str, body: bytes, *, at: int) -> str:
    """Return the HMAC-SHA256 of `<seconds>.<body>` as hexadecimal digits.

    >>> signed("secret", b"{}", at=1)[:12]
    '1122767b1931'
    """
    return hmac.new(secret.encode(), b"%d." % at + body, hashlib.sha256).hexdigest()

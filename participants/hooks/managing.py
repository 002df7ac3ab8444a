"""What people do with the hooks of a study on its page; each change leaves an entry in the history, without secrets."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from datetime import timedelta
from secrets import token_urlsafe
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.study.audit import record
from experiments.study.refusals import LifecycleRefusal
from participants.hooks.happened import Happened
from participants.hooks.reaching import Unreachable, address_of, is_allowed
from participants.hooks.storing import add_events
from participants.models import Hook, HookEvent

MOST_HOOKS = 10
BOTH_SIGN_FOR = timedelta(hours=24)
# What somebody chooses; tests are asked for one by one.
CHOICES = [(kind.value, kind.label) for kind in HookEvent.Kind if kind != HookEvent.Kind.TEST]


def checked_address(text: str) -> str:
    """Return an address to which events may be sent. Raises LifecycleRefusal with a sentence for any other."""
    private = settings.HOOKS_MAY_REACH_PRIVATE_ADDRESSES
    try:
        host = address_of(text, private=private).host
    except Unreachable as fault:
        raise LifecycleRefusal(str(fault)) from None
    try:
        allowed = is_allowed(ipaddress.ip_address(host), private=private)
    except ValueError:
        allowed = private or (host != "localhost" and not host.endswith(".localhost"))
    if not allowed:
        raise LifecycleRefusal(
            _("%(host)s is inside this network or reserved. Events are sent to public addresses only.") % {"host": host}
        )
    return text


def add_hook(study: Study, *, address: str, kinds: Collection[str], user: Any) -> Hook:
    """Add a hook with a secret of its own; what happened before is no news. Raises LifecycleRefusal."""
    checked_address(address)
    if not kinds:
        raise LifecycleRefusal(_("Choose at least one kind of event."))
    now = timezone.now()
    hook = Hook(
        study_id=study.pk,
        study_slug=str(study.slug),
        address=address,
        kinds={kind: now.isoformat() for kind in kinds},
        looked_at=now,
        created_at=now,
        created_by=user,
    )
    hook.secret = new_secret()
    try:
        with transaction.atomic():
            # The row of the study is locked, so that two forms sent at once do not add one too many.
            Study.objects.select_for_update().get(pk=study.pk)
            if Hook.objects.filter(study_id=study.pk).count() >= MOST_HOOKS:
                raise LifecycleRefusal(_("A study has %(n)d hooks at most.") % {"n": MOST_HOOKS})
            hook.save()
            _record(hook, action="hook added", user=user, detail=", ".join(sorted(kinds)))
    except IntegrityError:
        raise LifecycleRefusal(_("The study has a hook with this address. Its events can be changed there.")) from None
    return hook


@transaction.atomic
def choose_kinds(hook: Hook, kinds: Collection[str], *, user: Any) -> None:
    """Store which events are sent. What was chosen before goes on; what is new counts from now. Raises LifecycleRefusal
    without any.
    """
    if not kinds:
        raise LifecycleRefusal(_("Choose at least one kind of event, or switch the hook off."))
    hook = _locked(hook)
    now = timezone.now().isoformat()
    chosen = {kind: hook.kinds.get(kind, now) for kind in kinds}
    if chosen != hook.kinds:
        hook.kinds = chosen
        hook.save(update_fields=["kinds"])
        _record(hook, action="hook changed", user=user, detail=", ".join(sorted(kinds)))


@transaction.atomic
def rotate_secret(hook: Hook, *, user: Any) -> Hook:
    """Give a hook a new secret and return it; for a day the old one signs, too."""
    hook = _locked(hook)
    hook.previous_secret_sealed, hook.secret = hook.secret_sealed, new_secret()
    hook.both_sign_until = timezone.now() + BOTH_SIGN_FOR
    hook.save(update_fields=["previous_secret_sealed", "secret_sealed", "both_sign_until"])
    _record(hook, action="hook got a new secret", user=user)
    return hook


@transaction.atomic
def switch(hook: Hook, *, on: bool, user: Any) -> None:
    """Switch a hook on or off. What happens while it is off is not stored; what waits is sent once it is on again."""
    hook = _locked(hook)
    if hook.is_active == on:
        return
    hook.is_active, hook.off_because = on, ""
    if on:
        now = timezone.now()
        hook.kinds = {kind: now.isoformat() for kind in hook.kinds}
        hook.looked_at = now
        hook.events.filter(state=HookEvent.State.WAITING).update(next_attempt_at=now, queued_at=now, attempts=0)
    hook.save(update_fields=["is_active", "off_because", "kinds", "looked_at"])
    _record(hook, action="hook switched on" if on else "hook switched off", user=user)


def send_test(hook: Hook) -> None:
    """Store a test, which a worker sends like everything else."""
    now = timezone.now()
    # Pressed again within a second it is one test.
    add_events(hook, [Happened(HookEvent.Kind.TEST, f"test-{now:%Y%m%dT%H%M%S}", now)])


def replay(hook: Hook, *, event: int | None, user: Any) -> int:
    """Send a delivered or given-up event again, or with None all that were given up. Returns how many there are."""
    done = hook.events.exclude(state=HookEvent.State.WAITING)
    chosen = done.filter(state=HookEvent.State.GIVEN_UP) if event is None else done.filter(pk=event)
    now = timezone.now()
    with transaction.atomic():
        number = chosen.update(
            state=HookEvent.State.WAITING, attempts=0, queued_at=now, next_attempt_at=now, sent_at=None
        )
        if number:
            _record(hook, action="hook events sent again", user=user, detail=f"Events: {number}.")
    return number


@transaction.atomic
def delete_hook(hook: Hook, *, user: Any) -> None:
    """Delete a hook with its events; what waits is not sent."""
    _record(hook, action="hook deleted", user=user)
    hook.delete()


def new_secret() -> str:
    """Return a secret of 256 bits."""
    return token_urlsafe(32)


def _locked(hook: Hook) -> Hook:
    return Hook.objects.select_for_update().get(pk=hook.pk)


def _record(hook: Hook, *, action: str, user: Any, detail: str = "") -> None:
    """Addresses may hold what only their receivers should know, so that the history names the host alone."""
    host = address_of(hook.address, private=True).host
    if hook.study is not None:
        record(hook.study, action=action, user=user, detail=f"{host}: {detail}" if detail else host)

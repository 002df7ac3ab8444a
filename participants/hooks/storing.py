"""Store what happened for every hook that asked for it, before anything is sent. A duty of the worker."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.module_loading import import_string

from experiments.models import AuditEntry, Study
from participants.hooks.happened import Happened
from participants.models import Hook, HookEvent

# A transaction may commit minutes after the time that it wrote; the clocks of two machines differ by less.
MARGIN = timedelta(hours=1)
# What was delivered or given up is shown for this long. The quota's stay: by their key they are told once.
KEPT = timedelta(days=30)
AT_ONCE = 500


def store_some() -> None:
    """Store what is new for all active hooks; each event once, however many workers look."""
    for hooks in _by_study(Hook.objects.filter(is_active=True, study__isnull=False).select_related("study")):
        store_for(hooks)
    _store_last_events()
    old = HookEvent.objects.exclude(state=HookEvent.State.WAITING).exclude(kind=HookEvent.Kind.QUOTA)
    old.filter(queued_at__lt=timezone.now() - KEPT).delete()


def store_for(hooks: list[Hook]) -> None:
    """Store what is new in the study that these hooks share."""
    study = hooks[0].study
    if study is None:
        return
    now = timezone.now()
    since = min(hook.looked_at for hook in hooks) - MARGIN
    sources = map(import_string, settings.HOOK_SOURCES)
    found = sorted((one for source in sources for one in source(study, since)), key=lambda one: one.at)
    for hook in hooks:
        news = [one for one in found if is_news_for(hook, one)]
        if news:
            # Quotas may be older than what was looked for.
            lately = Q(created_at__gte=since) | Q(kind=HookEvent.Kind.QUOTA)
            known = set(hook.events.filter(lately).values_list("kind", "key"))
            add_events(hook, [one for one in news if (one.kind, one.key) not in known])
    Hook.objects.filter(pk__in=[hook.pk for hook in hooks]).update(looked_at=now)


def is_news_for(hook: Hook, one: Happened) -> bool:
    """Return whether the hook asked for it before it happened."""
    since = parse_datetime(hook.kinds.get(one.kind) or "")
    return since is not None and one.at >= since


def add_events(hook: Hook, news: Iterable[Happened]) -> None:
    """Store events that wait to be sent; what is stored already stays as it is."""
    now = timezone.now()
    made = [_event(hook, one, now) for one in news]
    HookEvent.objects.bulk_create(made, batch_size=AT_ONCE, ignore_conflicts=True)


def _event(hook: Hook, one: Happened, now: datetime) -> HookEvent:
    delivery = uuid.uuid4()
    body = {"id": str(delivery), "kind": one.kind, "study": hook.study_slug, "at": one.at.isoformat(), "data": one.data}
    return HookEvent(
        hook=hook,
        session_id=one.session,
        delivery=delivery,
        kind=one.kind,
        key=one.key,
        body=json.dumps(body, ensure_ascii=False),
        queued_at=now,
        next_attempt_at=now,
        created_at=now,
    )


def _store_last_events() -> None:
    """Of a study that is gone one more event is sent; then its hooks go, too."""
    kind = HookEvent.Kind.DELETED
    for hook in Hook.objects.filter(study=None):
        if hook.is_active and kind in hook.kinds and not hook.events.filter(kind=kind).exists():
            entry = AuditEntry.objects.filter(study=None, study_slug=hook.study_slug, action="deleted").first()
            add_events(hook, [Happened(kind, "deleted", entry.at if entry else timezone.now())])
        elif not (hook.is_active and hook.events.filter(state=HookEvent.State.WAITING).exists()):
            hook.delete()


def _by_study(hooks: Iterable[Hook]) -> list[list[Hook]]:
    grouped: dict[Study | None, list[Hook]] = {}
    for hook in hooks:
        grouped.setdefault(hook.study, []).append(hook)
    return list(grouped.values())

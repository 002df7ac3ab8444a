"""What happens in a study that a hook may send. Payloads name people by pseudonyms alone and carry no answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from experiments.models import AuditEntry, Study
from experiments.rules.sources import sources_of
from participants.erasure.whole_studies import ACTION as ALL_ERASED
from participants.models import HookEvent, Session, Tombstone
from participants.session.assignment import valid_sessions

Kind = HookEvent.Kind
LIFE = {
    "opened": Kind.OPENED,
    "opened again": Kind.OPENED,
    "closed": Kind.CLOSED,
    "paused": Kind.PAUSED,
    "resumed": Kind.RESUMED,
    ALL_ERASED: Kind.ERASED,
}


@dataclass(frozen=True)
class Happened:
    """An event: its kind, the key under which it is stored once for each hook, when it was, and what is sent of it."""

    kind: str
    key: str
    at: datetime
    data: Mapping[str, Any] = field(default_factory=dict)
    session: int | None = None


def happened_in(study: Study, since: datetime) -> Iterator[Happened]:
    """Yield what happened in a study since a time, in no order; what is known already may be among it."""
    yield from _in_its_life(study, since)
    yield from _ended_sessions(study, since)
    yield from _erased(study, since)
    yield from _quota(study)


def _in_its_life(study: Study, since: datetime) -> Iterator[Happened]:
    for entry in AuditEntry.objects.filter(study=study, action__in=LIFE, at__gte=since).order_by("pk"):
        data = {"version": study.version} if entry.action != ALL_ERASED else {"reason": "all"}
        yield Happened(LIFE[entry.action], f"history-{entry.pk}", entry.at, data)


def _ended_sessions(study: Study, since: datetime) -> Iterator[Happened]:
    ended = Session.objects.filter(study=study, is_simulated=False, finished_at__gte=since).exclude(
        status=Session.Status.RUNNING
    )
    kinds = {source.name: source.kind for source in sources_of(study.sources)}
    columns = ("pk", "participant__pseudonym", "outcome", "source", "finished_at")
    for pk, pseudonym, outcome, source, at in ended.order_by("finished_at", "pk").values_list(*columns).iterator():
        data = {"participant": pseudonym, "outcome": outcome, "source_kind": kinds.get(source, "")}
        yield Happened(Kind.ENDED, f"session-{pk}-{outcome}", at, data, pk)


def _erased(study: Study, since: datetime) -> Iterator[Happened]:
    for tombstone in Tombstone.objects.filter(study=study, at__gte=since):
        yield Happened(Kind.ERASED, f"withdrawal-{tombstone.pk}", tombstone.at, {"reason": "withdrawn"})


def _quota(study: Study) -> Iterator[Happened]:
    """A quota is told once for each number; it was reached when the last of its places was taken."""
    if study.quota and study.status == Study.Status.OPEN:
        valid = valid_sessions(study, simulated=False, now=timezone.now()).order_by("started_at", "pk")
        for at in valid.values_list("started_at", flat=True)[study.quota - 1 : study.quota]:
            yield Happened(Kind.QUOTA, f"quota-{study.quota}", at, {"quota": study.quota})

"""Health checks: is the server alive, and is everything ready that it needs."""

from __future__ import annotations

import time

from django.conf import settings
from django.core.cache import cache as shared_cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from experiments.started_by import command
from participants.models import Session, WriteProbe
from participants.sealing import opened

_BROKER_SECONDS = 2
_WRITABLE_SECONDS = 5.0
_writable = {"until": 0.0}
WARNINGS = {
    "broker": "The broker that CELERY_BROKER_URL names is away: answers are stored, analyses wait.",
    "cache": "The cache that CACHE_URL names is away: answers are stored, people with a second factor cannot log in.",
}


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer if the web server is alive; nothing else is checked."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether answers can be stored: the database takes a row, migrations are applied, the key of codes is the one.

    503 where they cannot. Broker and shared cache are needed for analyses and log-ins alone: where one is away, the
    answer has `warnings`.
    """
    checks = {"database": _database(), "migrations": _migrations()}
    # What is not there or not yet made cannot be written or read.
    checks["writing"] = _writing() if set(checks.values()) == {"ok"} else "unknown"
    checks["codes"] = _codes() if checks["migrations"] == "ok" else "unknown"
    ready = all(state == "ok" for state in checks.values())
    answer: dict[str, str | list[str]] = {"status": "ok" if ready else "not ready", **checks, "broker": _broker()}
    if checks["migrations"] == "ok" and (cache := _cache()) != "ok":
        answer["cache"] = cache
    if warnings := [sentence for name, sentence in WARNINGS.items() if answer.get(name) == "unreachable"]:
        answer["warnings"] = warnings
    return JsonResponse(answer, status=200 if ready else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unreachable"
    return "ok"


def _migrations() -> str:
    try:
        executor = MigrationExecutor(connection)
        outstanding = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "unknown"
    return f"{len(outstanding)} outstanding; run {command('migrate')}" if outstanding else "ok"


def _writing() -> str:
    """Write one row and commit it. Asked again within seconds it keeps its answer, so that asking costs little."""
    now = time.monotonic()
    if now < _writable["until"]:
        return "ok"
    try:
        WriteProbe.objects.update_or_create(pk=1, defaults={"written_at": timezone.now()})
    except DatabaseError:
        return "nothing can be stored"
    _writable["until"] = now + _WRITABLE_SECONDS
    return "ok"


def _codes() -> str:
    """Whether this platform's key opens what was sealed last."""
    try:
        last = Session.objects.order_by("-pk").values_list("token_sealed", flat=True).first()
    except DatabaseError:
        return "unknown"
    return "ok" if last is None or opened(last) else "CODES_KEY is not the key with which codes were sealed"


def _broker() -> str:
    """An embedded worker has a broker of its own; any other must take a connection."""
    if settings.EMBEDDED_WORKER:
        return "ok"
    from kombu.exceptions import KombuError, OperationalError  # without a broker no process needs them

    app = import_string(settings.TASKS_APPLICATION)
    # A Redis that takes the connection and then says nothing would be waited for without an end.
    url = settings.CELERY_BROKER_URL
    limits = ("socket_connect_timeout", "socket_timeout") if url.startswith("redis") else ()
    limited = {"connect_timeout": _BROKER_SECONDS, "transport_options": dict.fromkeys(limits, _BROKER_SECONDS)}
    try:
        with app.connection_for_write(url=url, **limited) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0.1, timeout=_BROKER_SECONDS)
    except (KombuError, OperationalError, OSError):
        return "unreachable"
    return "ok"


def _cache() -> str:
    """Whether the shared cache answers; a table of the database does where the database does."""
    try:
        shared_cache.get("readyz")
    except Exception:  # noqa: BLE001 - every kind of cache has errors of its own
        return "unreachable"
    return "ok"

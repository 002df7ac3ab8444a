"""Append-only audit log of changes to studies and accounts."""

from __future__ import annotations

from typing import Any

from experiments.models import AuditEntry, Study


def record_of_account(account: Any, *, action: str, user: Any, detail: str = "") -> AuditEntry:
    """Add an entry about an account: who logged in, whose role or password was changed, by whom (`user`)."""
    return record_of_platform(action=action, user=user, detail=f"{account.get_username()}. {detail}".strip(" ."))


def record_of_platform(*, action: str, user: Any, detail: str = "") -> AuditEntry:
    """Add an entry that belongs to no study; only administrators see it."""
    known = user if user is not None and user.is_authenticated else None
    return AuditEntry.objects.create(study=None, user=known, action=action[:60], detail=detail)


def record(study: Study, *, action: str, user: Any, detail: str = "") -> AuditEntry:
    """Add an entry. `user` is None or anonymous where a command acted; the slug outlives the study."""
    known = user if user is not None and user.is_authenticated else None
    return AuditEntry.objects.create(study=study, study_slug=study.slug, user=known, action=action[:60], detail=detail)

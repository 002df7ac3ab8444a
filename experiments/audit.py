"""The record of who did what to a study. Rows are only ever added."""

from __future__ import annotations

from typing import Any

from experiments.models import AuditEntry, Study


def record(study: Study, *, action: str, user: Any, detail: str = "") -> AuditEntry:
    """Add an entry. `user` is None or anonymous where a command acted; the slug outlives the study."""
    known = user if user is not None and user.is_authenticated else None
    return AuditEntry.objects.create(study=study, study_slug=study.slug, user=known, action=action[:60], detail=detail)

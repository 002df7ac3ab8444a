"""Facts about a study that participants may know before they start."""

from __future__ import annotations

import statistics
from typing import Any

from django.utils import timezone

from experiments.models import Study
from experiments.paradigms import paradigm_behind
from experiments.procedure.durations import told_minutes
from experiments.procedure.texts import current_text, text_pages
from participants.models import Session
from participants.session.assignment import valid_sessions
from participants.session.starting import why_closed
from participants.session.supervision import is_supervised

MEASURED_FROM = 10
_MEASURED_OVER = 500


def state_of(study: Study) -> str:
    """Return draft, closed, paused, full or open. Looking does not lock: the start itself decides."""
    refusal = why_closed(study)
    if refusal:
        return {"not-open": "draft"}.get(refusal.code, refusal.code)
    if study.quota is not None:
        taken = valid_sessions(study, simulated=False, now=timezone.now()).count()
        if taken >= study.quota:
            return "full"
    return "open"


def measured_minutes(study: Study) -> int | None:
    """Return the median duration of real complete sessions in minutes once there are ten, else None."""
    times = Session.objects.filter(
        study=study, status=Session.Status.COMPLETE, is_simulated=False, is_excluded=False, finished_at__isnull=False
    ).order_by("-pk")
    seconds = [
        (finished - started).total_seconds()
        for started, finished in times.values_list("started_at", "finished_at")[:_MEASURED_OVER]
        if finished is not None
    ]
    return max(1, round(statistics.median(seconds) / 60)) if len(seconds) >= MEASURED_FROM else None


def requirements(study: Study) -> list[str]:
    """Return what the tasks of the study need of a computer, as the check page knows it."""
    needed = (paradigm_behind(task.paradigm).requirements_of(task.settings) for task in study.tasks)
    return list(dict.fromkeys(name for names in needed for name in names))


def text_blocks(study: Study, kind: str, minutes: int | None = None) -> list[dict[str, Any]]:
    """Return the blocks of a text that is shown on one page, whatever pages it was written in."""
    return [block for page in text_pages(study, kind, minutes) for block in page]


def study_facts(study: Study) -> dict[str, Any]:
    """Return what a participant's client needs before a session starts."""
    consent = current_text(study, "consent")
    minutes = told_minutes(study)
    return {
        "slug": study.slug,
        "title": study.title,
        "language": study.participants_language,
        "languages": study.all_languages,
        "estimated_minutes": minutes,
        "measured_minutes": measured_minutes(study),
        "responsible": study.responsible,
        "contact": study.contact,
        "state": state_of(study),
        "consent": {
            "version": consent.version if consent else 0,
            "blocks": text_blocks(study, "consent", minutes),
            "required": consent.required_boxes if consent else [],
            "optional": consent.optional_boxes if consent else [],
            "data_protection": study.data_protection_note,
        },
        "welcome": {"blocks": text_blocks(study, "welcome", minutes)},
        "requirements": requirements(study),
        "supervised": is_supervised(study),
    }

"""Celery task for periodic maintenance of participants' data."""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import import_string

from participants.erasure.upkeep import look_after

app = import_string(settings.TASKS_APPLICATION)


@app.task(name="participants.look_after")
def look_after_participants() -> None:
    """Finish erasing, and keep what studies said about retention."""
    look_after()

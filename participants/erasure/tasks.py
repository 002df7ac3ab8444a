"""The Celery task of the participants: what has to be done whether or not anybody asks for it."""

from __future__ import annotations

from celery import shared_task

from participants.erasure.upkeep import look_after


@shared_task(name="participants.look_after")
def look_after_participants() -> None:
    """Finish erasing, and keep what studies said about retention."""
    look_after()

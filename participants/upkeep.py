"""What the worker does every minute beside analyses: finish erasing, and keep what studies said about retention."""

from __future__ import annotations

from participants.retention import keep_promises
from participants.traces import clear

EVERY_SECONDS = 60.0


def look_after() -> None:
    """Do what is due; harmless to call at any time and from several processes."""
    keep_promises()
    clear()

"""The events that came with the answers of one session."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from participants.models import EventBatch, Session


def events_by_trial(session: Session | int) -> dict[int, list[Any]]:
    """Return all events of each trial that has any, in the order of their batches, by the trial's key."""
    events: dict[int, list[Any]] = defaultdict(list)
    batches = EventBatch.objects.filter(trial__session=session).order_by("trial_id", "sequence")
    for trial, batch in batches.values_list("trial_id", "events"):
        events[trial].extend(batch)
    return dict(events)

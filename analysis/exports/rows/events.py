"""The rows of `events.csv`: one row for every event that a browser recorded, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.exports.cells import Cells, cell
from analysis.exports.stored import stored_events, stored_sessions, stored_trials
from experiments.models import Study


def event_rows(study: Study) -> Iterator[Cells]:
    """Yield the cells of `events.csv`, in the order of `codebook.people.EVENT_COLUMNS`."""
    for session, trials in stored_trials(stored_sessions(study)):
        events = stored_events(trials)
        for trial in trials:
            for batch, recorded in events.get(trial.pk, ()):
                for index, event in enumerate(recorded):
                    yield (
                        study.slug,
                        session.participant,
                        session.pk,
                        trial.position,
                        batch,
                        index,
                        cell(_first(event, "type", "kind")),
                        cell(_first(event, "t_ms", "t", "time_ms")),
                        cell(event),
                    )


def _first(event: dict[str, Any], *names: str) -> Any:
    return next((event[name] for name in names if name in event), None)

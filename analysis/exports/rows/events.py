"""The rows of `events.csv`: one row for every event that a browser recorded, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.exports.cells import Cells, cell
from analysis.exports.stored import Wanted, stored_batches
from experiments.models import Study


def event_rows(study: Study, only: Wanted | None = None) -> Iterator[Cells]:
    """Yield the cells of `events.csv`, in the order of `codebook.people.EVENT_COLUMNS`.

    `only` are the sessions that are wanted; None means all of them.
    """
    for participant, session, position, batch, recorded in stored_batches(study, only):
        for index, event in enumerate(recorded):
            yield (
                study.slug,
                participant,
                session,
                position,
                batch,
                index,
                cell(_first(event, "type", "kind")),
                cell(_first(event, "t_ms", "t", "time_ms")),
                cell(event),
            )


def _first(event: dict[str, Any], *names: str) -> Any:
    return next((event[name] for name in names if name in event), None)

"""Who codes what: queues in an order of each coder's own, and what a coder sees of a recall.

A coder sees an opaque name, the stimulus and the recall, and nothing of condition, participant, list or arithmetic.

    queue = create_queue(study, coder=somebody, user=request.user, share=0.2, is_second=True)
    view = next_item(queue)                # the first that is not coded, or None
    view = item(queue, recall_id)          # any
    views = items(queue, start=0, count=20)  # a window, in the queue's order; for fetching ahead
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from analysis.coding.differences import Mark
from analysis.coding.suggestions import Suggestion
from analysis.models import CodingQueue
from experiments.models import Study


@dataclass(frozen=True)
class ItemView:
    """One recall as its coder sees it. `position` counts from 1 in the queue's order.

    `revision` is 0 where it is not coded; it goes back into `saving.save` for the optimistic check.
    """

    recall_id: str
    position: int
    total: int
    stimulus: str
    recall: str
    stimulus_marks: tuple[Mark, ...]
    recall_marks: tuple[Mark, ...]
    suggestion: Suggestion | None
    codes: tuple[str, ...]
    note: str
    seconds: float
    revision: int
    can_undo: bool

    @property
    def is_coded(self) -> bool:
        return self.revision > 0

    def as_json(self) -> dict[str, Any]:
        """Return the view as plain values for an endpoint."""
        raise NotImplementedError


@dataclass(frozen=True)
class Progress:
    """How far a coder is. `seconds` over all items; `pace_seconds` the median per coded item, None before five."""

    coded: int
    total: int
    seconds: float
    pace_seconds: float | None
    last_at: datetime | None


def create_queue(
    study: Study, *, coder: Any, user: Any, share: float = 1.0, is_second: bool = False, seed: int | None = None
) -> CodingQueue:
    """Give somebody a queue; audited. Share 0–1 of the recalls: the same ones for every queue of the same share.

    Raises CodingRefusal `queue` where the coder has one, may not code, the share is not in (0, 1], or the paradigm has
    nothing to code; `frozen`.
    """
    raise NotImplementedError


def change_share(queue: CodingQueue, *, share: float, user: Any) -> CodingQueue:
    """Change how much of the recalls a coder gets; what is coded stays in the queue. Raises CodingRefusal."""
    raise NotImplementedError


def remove_queue(queue: CodingQueue, *, user: Any) -> int:
    """Take a queue away with its codings and return how many those were; audited. Raises CodingRefusal `frozen`."""
    raise NotImplementedError


def set_fillers(study: Study, *, with_fillers: bool, user: Any) -> None:
    """Say whether fillers are coded too. Raises CodingRefusal `frozen`."""
    raise NotImplementedError


def queue_for(study: Study, coder: Any) -> CodingQueue | None:
    """Return the queue of a coder, or None."""
    raise NotImplementedError


def ordered(queue: CodingQueue) -> list[int]:
    """Return the responses of a queue in its order: random, fixed by the seed, and kept when more arrive."""
    raise NotImplementedError


def next_item(queue: CodingQueue, *, after: str | None = None) -> ItemView | None:
    """Return the first recall that is not coded, after the one called `after` and then from the start; or None."""
    raise NotImplementedError


def item(queue: CodingQueue, recall_id: str) -> ItemView:
    """Return one recall of the queue. Raises CodingRefusal `unknown`."""
    raise NotImplementedError


def items(queue: CodingQueue, *, start: int = 0, count: int = 20) -> list[ItemView]:
    """Return a window of the queue in its order."""
    raise NotImplementedError


def progress(queue: CodingQueue) -> Progress:
    """Return how far a coder is."""
    raise NotImplementedError

"""Coders' queues: assign recalls to coders, each in an individual order.

A coder sees an opaque name, the stimulus and the recall, and nothing of condition, participant, list or arithmetic.

    queue = create_queue(study, coder=somebody, user=request.user, share=0.2, is_second=True)
    view = next_item(queue)                  # the first that is not coded, or None
    view = item(queue, recall_id)            # any
    views = items(queue, start=0, count=20)  # a window, in the queue's order; for fetching ahead
"""

from __future__ import annotations

import hashlib
import math
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet

from analysis.coding.recalls import coded_responses, is_coded, locked_state, recall_id, refuse_frozen, state_of
from analysis.coding.refusals import CodingRefusal
from analysis.coding.seen import Seen, Viewer
from analysis.models import Coding, CodingQueue, CodingState
from experiments.models import Study
from experiments.sentences import Sentence
from experiments.study.access import can_code
from experiments.study.audit import record

# Fewer codings than this say nothing about a coder's pace.
PACE_FROM = 5


@dataclass(frozen=True)
class ItemView(Seen):
    """One recall as its coder sees it. `position` counts from 1 in the queue's order.

    `revision` is 0 where it is not coded; it goes back into `saving.save` for the optimistic check.
    """

    position: int
    total: int
    codes: tuple[str, ...]
    note: str
    seconds: float
    revision: int

    @property
    def is_coded(self) -> bool:
        return self.revision > 0


@dataclass(frozen=True)
class Progress:
    """How far a coder is. `seconds` over all items; `pace_seconds` the median per coded item, None before five."""

    coded: int
    total: int
    seconds: float
    pace_seconds: float | None
    last_at: datetime | None

    @property
    def left(self) -> int:
        return self.total - self.coded


@transaction.atomic
def create_queue(
    study: Study, *, coder: Any, user: Any, share: float = 1.0, is_second: bool = False, seed: int | None = None
) -> CodingQueue:
    """Give somebody a queue; audited. Share 0–1 of the recalls: the same ones for every queue of the same share.

    Raises CodingRefusal `queue` where the coder has one, is no member of the study, the share is not above 0 and at
    most 1, or the paradigm has nothing to code; `frozen`.
    """
    if not is_coded(study):
        raise CodingRefusal("queue", Sentence("Studies of this paradigm have nothing to code."))
    if not can_code(coder, study):
        raise CodingRefusal(
            "queue", Sentence("{coder} is not in the study; add them as a coder first.", coder=str(coder))
        )
    _check_share(share)
    state = locked_state(study)
    refuse_frozen(state)
    queues = CodingQueue.objects.filter(study=study)
    if queues.filter(coder=coder).exists():
        raise CodingRefusal("queue", Sentence("{coder} has a queue in this study already.", coder=str(coder)))
    # A number is never given twice, so that a pseudonym in an old export stays who it was.
    last = max(queues.aggregate(Max("number"))["number__max"] or 0, state.last_number)
    queue = CodingQueue.objects.create(
        study=study,
        coder=coder,
        number=last + 1,
        seed=secrets.randbits(62) if seed is None else seed,
        share=share,
        is_second=is_second,
    )
    CodingState.objects.filter(pk=state.pk).update(last_number=last + 1)
    record(study, action="coder added", user=user, detail=f"{coder} as {queue.pseudonym}, share {share:g}")
    return queue


@transaction.atomic
def change_share(queue: CodingQueue, *, share: float, user: Any) -> CodingQueue:
    """Change how much of the recalls a coder gets; what is coded stays in the queue. Raises CodingRefusal."""
    _check_share(share)
    refuse_frozen(locked_state(queue.study))
    before = queue.share
    if share != before:
        queue.share = share
        queue.save(update_fields=["share"])
        record(queue.study, action="share changed", user=user, detail=f"{queue.pseudonym}: {before:g} → {share:g}")
    return queue


@transaction.atomic
def remove_queue(queue: CodingQueue, *, user: Any) -> int:
    """Take a queue away with its codings and return how many those were; audited. Raises CodingRefusal `frozen`."""
    study = queue.study
    refuse_frozen(locked_state(study))
    codings = codings_of(queue)
    count = codings.count()
    codings.delete()
    pseudonym = queue.pseudonym
    record(study, action="coder removed", user=user, detail=f"{queue.coder} ({pseudonym}) with {count} codings")
    queue.delete()
    return count


def codings_of(queue: CodingQueue) -> QuerySet[Coding]:
    """Return everything that a coder has coded in all tasks of the study; it goes with the queue."""
    return Coding.objects.filter(response__trial__session__study=queue.study_id, coder=queue.coder_id)


@transaction.atomic
def set_fillers(study: Study, *, with_fillers: bool, user: Any) -> None:
    """Say whether fillers are coded too. Raises CodingRefusal `frozen`."""
    state = locked_state(study)
    refuse_frozen(state)
    if state.with_fillers != with_fillers:
        CodingState.objects.filter(pk=state.pk).update(with_fillers=with_fillers)
        record(study, action="coding of fillers changed", user=user, detail="coded" if with_fillers else "not coded")


def queue_for(study: Study, coder: Any) -> CodingQueue | None:
    """Return the queue of a coder, or None."""
    return next((queue for queue in queues_of(study) if queue.coder_id == coder.pk), None)


def queues_of(study: Study) -> list[CodingQueue]:
    """Return the queues of a study by their numbers. What each holds is of the task through which the study is seen."""
    queues = list(CodingQueue.objects.filter(study=study).select_related("coder").order_by("number"))
    for queue in queues:
        queue.study = study
    return queues


def ordered(queue: CodingQueue) -> list[int]:
    """Return the responses of a queue in its order: random, fixed by the seed, and kept when more arrive."""
    return in_order(responses_of(queue, state_of(queue.study)), seed=queue.seed)


def responses_of(queue: CodingQueue, state: CodingState) -> Collection[int]:
    """Return the responses of a queue: its share of what is coded, and what its coder has coded anyway."""
    responses = list(coded_responses(queue.study, state).order_by().values_list("pk", flat=True))
    if queue.share >= 1:
        return responses
    chosen = set(shared(responses, salt=state.salt, share=queue.share))
    chosen.update(codings_of(queue).filter(response__in=responses).values_list("response_id", flat=True))
    return chosen


def in_order(responses: Collection[int], *, seed: int) -> list[int]:
    """Return keys in an order that the seed alone decides; further keys do not change that of the others.

    >>> order = in_order([1, 2, 3, 4], seed=7)
    >>> order, [key for key in in_order([1, 2, 3, 4, 5], seed=7) if key != 5] == order
    ([4, 3, 2, 1], True)
    """
    return sorted(responses, key=lambda key: hashlib.sha256(f"{seed}:{key}".encode()).digest())


def shared(responses: Sequence[int], *, salt: str, share: float) -> list[int]:
    """Return a share of the keys, rounded up: the same for every coder, and a smaller share within a larger one.

    >>> small, large = shared(range(100), salt="x", share=0.2), shared(range(100), salt="x", share=0.5)
    >>> len(small), len(large), set(small) <= set(large)
    (20, 50, True)
    """
    count = math.ceil(round(share * len(responses), 9))
    ranked = sorted(responses, key=lambda key: hashlib.sha256(f"share:{salt}:{key}".encode()).digest())
    return ranked[:count]


def next_item(queue: CodingQueue, *, after: str | None = None) -> ItemView | None:
    """Return the first recall that is not coded, after the one called `after` and then from the start; or None."""
    order = ordered(queue)
    coded = set(codings_of(queue).values_list("response_id", flat=True))
    start = 0
    if after is not None:
        state = state_of(queue.study)
        start = next((place + 1 for place, key in enumerate(order) if recall_id(state, key) == after), 0)
    for place in [*range(start, len(order)), *range(start)]:
        if order[place] not in coded:
            return _views(queue, order, [place])[0]
    return None


def item(queue: CodingQueue, recall_id: str) -> ItemView:
    """Return one recall of the queue. Raises CodingRefusal `unknown`."""
    order = ordered(queue)
    return _views(queue, order, [order.index(response_of(queue, recall_id))])[0]


def items(queue: CodingQueue, *, start: int = 0, count: int = 20) -> list[ItemView]:
    """Return a window of the queue in its order."""
    order = ordered(queue)
    return _views(queue, order, range(max(start, 0), min(max(start, 0) + count, len(order))))


def response_of(queue: CodingQueue, name: str) -> int:
    """Return the response that a recall of the queue belongs to. Raises CodingRefusal `unknown`."""
    state = state_of(queue.study)
    for key in responses_of(queue, state):
        if recall_id(state, key) == name:
            return key
    raise unknown_recall(name)


def refuse_removed(queue: CodingQueue) -> None:
    """Read the share of a queue again, under the lock of its study. Raises CodingRefusal `unknown` where it is gone."""
    try:
        queue.refresh_from_db(fields=["share"])
    except CodingQueue.DoesNotExist:
        message = Sentence(
            "This coder was removed from the study meanwhile, so there is nothing to code. Nothing was changed."
        )
        raise CodingRefusal("unknown", message) from None


def unknown_recall(name: str) -> CodingRefusal:
    """Return the refusal for a name that no recall to code has."""
    return CodingRefusal(
        "unknown",
        Sentence(
            "There is no recall '{name}' here to code. It was withdrawn or excluded, or a simulated participant wrote "
            "it and people have answered since. Nothing was changed.",
            name=name,
        ),
    )


def progress(queue: CodingQueue) -> Progress:
    """Return how far a coder is."""
    order = set(responses_of(queue, state_of(queue.study)))
    rows = [row for row in codings_of(queue).values_list("response_id", "seconds", "changed_at") if row[0] in order]
    timed = [seconds for _, seconds, _ in rows if seconds > 0]
    return Progress(
        coded=len(rows),
        total=len(order),
        seconds=math.fsum(timed),
        pace_seconds=median(timed) if len(timed) >= PACE_FROM else None,
        last_at=max((at for _, _, at in rows), default=None),
    )


def _views(queue: CodingQueue, order: Sequence[int], places: Sequence[int]) -> list[ItemView]:
    keys = [order[place] for place in places]
    texts = Viewer(queue.study, state_of(queue.study)).texts(keys)
    codings = {coding.response_id: coding for coding in Coding.objects.filter(response__in=keys, coder=queue.coder_id)}
    views = []
    for place, key in zip(places, keys, strict=True):
        coding = codings.get(key)
        views.append(
            ItemView(
                **vars(texts[key]),
                position=place + 1,
                total=len(order),
                codes=tuple(coding.codes) if coding else (),
                note=coding.note if coding else "",
                seconds=coding.seconds if coding else 0.0,
                revision=coding.revision if coding else 0,
            )
        )
    return views


def _check_share(share: float) -> None:
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= 1:
        raise CodingRefusal("queue", Sentence("The share must be above 0 and at most 1, not {share!r}.", share=share))

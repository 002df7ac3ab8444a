"""Tell people at a break how they did since the last one; take practice that they do not need out of a session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from django.db import transaction

from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Paradigm
from experiments.procedure.feedback import SKIPS, UNTIL, result_of
from participants.models import Session, Trial
from participants.refusals import no_feedback, not_all_there
from participants.session.rows import locked_session_row


class Told(NamedTuple):
    """A trial that a break is about: its place in the session and what came of it, `payload` None without an answer."""

    position: int
    phase: str
    plugin: str
    params: Mapping[str, Any]
    payload: Mapping[str, Any] | None
    rt_ms: float | None


def block_feedback(session: Session, position: int) -> dict[str, Any]:
    """Return what the break at a position says: `right`, `mean_ms`, `again`, and the positions that it `skips`.

    Where a practice was good enough, its further rounds are deleted; asking again gives the same answer. Raises Refusal
    `no-feedback` where it says nothing, and `not-ready` while answers that it tells of are still on their way.
    """
    with transaction.atomic():
        if locked_session_row(session) is None:
            raise no_feedback()
        rows = Trial.objects.filter(session=session, position__lte=position).order_by("-position")
        columns = ("position", "phase", "plugin", "params", "private", "response__payload", "response__rt_ms")
        found = list(rows.values_list(*columns, "part_id", "part__paradigm"))
        if not found or found[0][0] != position:
            raise no_feedback()
        _, _, _, params, private, _, _, part, paradigm = found[0]
        trials = [
            Told(at, phase, plugin, {**shown, **hidden}, payload, rt_ms)
            for at, phase, plugin, shown, hidden, payload, rt_ms, of, _ in found[1:]
            if of == part
        ]
        told = feedback_of(paradigm_behind(paradigm), params, private, reversed(trials))
        skipped = range(position + 1, position + 1 + private.get(SKIPS, 0)) if told["again"] is False else range(0)
        Trial.objects.filter(session=session, position__in=skipped, response=None).delete()
    return {**told, "skips": list(skipped)}


def feedback_of(
    paradigm: Paradigm, params: Mapping[str, Any], private: Mapping[str, Any], before: Iterable[Told]
) -> dict[str, Any]:
    """Return what a break says of the trials of its task before it, given in their order: since the last break, or
    since the phase began; of all of them at its end.

    Raises Refusal as `block_feedback`.
    """
    if "feedback" not in params:
        raise no_feedback()
    until = private.get(UNTIL)
    phase = "main" if until is None else "practice"
    trials: list[Told] = []
    for trial in before:
        if trial.phase == "break" and not params.get("is_end"):
            trials = []
        elif trial.phase == phase:
            trials.append(trial)
    if any(trial.payload is None for trial in trials):
        raise not_all_there()
    answered = [(one.plugin, one.params, one.payload) for one in trials if one.payload is not None]
    times = [one.rt_ms for one in trials if one.payload is not None]
    may_repeat = bool(private.get(SKIPS))
    return asdict(result_of(paradigm, answered, times, said=params["feedback"], until=until, may_repeat=may_repeat))

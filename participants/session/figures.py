"""Keep what pages and tables say of finished sessions, so that they do not read the answers each time.

Figures are stored in the transaction that ends a session. Those of sessions that ended before there were figures, or by
other settings, are made by the worker, some every minute; a page makes a few of them and says how many are to come, and
an export makes those that it needs, without storing them.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from experiments.models import Part, Study
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Measure
from experiments.rules.exclusion_rules import Verdict
from experiments.rules.exclusion_verdict import quality_of_task
from participants.models import Session, SessionFigures
from participants.session.answered import A_MINUTE, A_PAGE, AT_ONCE, AnsweredTrial, JudgedTrials, judged_trials
from participants.session.rows import with_parts

logger = logging.getLogger(__name__)
# Rises when figures are made in another way, so that those that are stored are made again.
FORM = 2
_FIELDS = [field.name for field in SessionFigures._meta.concrete_fields if not field.primary_key]


def stamp_of(study: Study) -> str:
    """Return a text that changes with everything but answers from which figures are made."""
    parts = [
        [
            *(part.pk, part.name, part.paradigm, part.settings, [one.name for one in measures_of(part)]),
            *([part.pool] if part.pool else []),
        ]
        for part in sorted(study.ordered_parts, key=lambda part: part.pk)
    ]
    rules = study.plan.get("exclusion_rules", [])
    stated = json.dumps([FORM, parts, rules, study.shown_questions, study.packages], sort_keys=True, default=str)
    return hashlib.sha256(stated.encode("utf-8", "surrogatepass")).hexdigest()


def measures_of(part: Part) -> Sequence[Measure]:
    """Return the quality measures that the paradigm of a part declares."""
    return paradigm_behind(part.paradigm).quality_measures()


def figures_of(study: Study, judged: JudgedTrials, *, stamp: str) -> SessionFigures:
    """Return the figures of one session, not stored."""
    answered = [trial for trial in judged.trials if trial.response is not None]
    main = [trial for trial in answered if trial.phase == "main"]
    times = [trial.rt_ms for trial in main if trial.rt_ms is not None]
    quality, is_flagged = _quality(study, answered)
    counted = Counter(
        (trial.part, bool(trial.is_filler), judged.verdict.session or judged.verdict.trials.get(trial.position, ""))
        for trial in main
    )
    return SessionFigures(
        session_id=judged.session,
        stamp=stamp,
        trials=len(judged.trials),
        answered=len(answered),
        interrupted=sum(bool(trial.interrupted) for trial in answered),
        away=sum(bool(trial.focus_losses) for trial in answered),
        focus_losses=sum(trial.focus_losses or 0 for trial in answered),
        opened=sum(trial.opened_at is not None for trial in judged.trials),
        event_batches=sum(trial.event_batches or 0 for trial in answered),
        last_trial=max((trial.pk for trial in judged.trials), default=None),
        last_response=max((trial.response for trial in answered if trial.response is not None), default=None),
        translated=sum(bool(trial.translated) for trial in answered),
        out_of_view=sum(bool(trial.out_of_view) for trial in answered),
        slept=sum(trial.page_slept_ms is not None for trial in answered),
        median_rt_ms=median(times) if times else None,
        last_result_at=max((trial.received_at for trial in answered if trial.received_at), default=None),
        is_flagged=is_flagged,
        parts=_parts(answered),
        quality=quality,
        counted=[[*of, number] for of, number in counted.items()],
        ruled_out=judged.verdict.session,
        ruled_out_trials=_positions(judged.verdict),
    )


def _positions(verdict: Verdict) -> dict[str, list[int]]:
    by_reason: dict[str, list[int]] = defaultdict(list)
    for position, reason in verdict.trials.items():
        by_reason[reason].append(position)
    return by_reason


def _parts(answered: Sequence[AnsweredTrial]) -> dict[str, dict[str, Any]]:
    numbers = Counter(trial.part for trial in answered)
    times: dict[int, list[float]] = defaultdict(list)
    for trial in answered:
        if trial.phase == "main" and trial.rt_ms is not None:
            times[trial.part].append(trial.rt_ms)
    return {
        str(part): {
            "answered": number,
            "times": len(times[part]),
            "median_ms": median(times[part]) if times[part] else None,
        }
        for part, number in numbers.items()
    }


def _quality(study: Study, answered: Sequence[AnsweredTrial]) -> tuple[dict[str, Any], bool]:
    """Return the quality measures of every task by its key, those of every pool by its name, and whether one of a task
    is below a threshold.
    """
    quality: dict[str, Any] = {}
    is_flagged = False
    for task in study.tasks:
        paradigm = paradigm_behind(task.paradigm)
        values = quality[str(task.pk)] = quality_of_task([task.pk], paradigm, answered)
        of_task = any(trial.part == task.pk and trial.plugin in paradigm.responses for trial in answered)
        if of_task and paradigm.has_quality_flags:
            is_flagged |= bool(paradigm.session_flags(values, paradigm.complete_settings(task.settings)))
    for name, tasks in study.pools.items():
        quality[name] = quality_of_task([task.pk for task in tasks], paradigm_behind(tasks[0].paradigm), answered)
    return quality, is_flagged


def keep_at_end(session: Session, judged: JudgedTrials) -> None:
    """Store the figures of a session that ends, in the transaction that ends it.

    Where they cannot be made or stored, as a paradigm has a fault, the session ends all the same; they are made when
    they are asked for.
    """
    study = with_parts(session.study)
    try:
        with transaction.atomic():
            figures_of(study, judged, stamp=stamp_of(study)).save(force_insert=True)
    except Exception:
        logger.exception("No figures of session %s could be kept at its end", session.pk)


def figures_by_session(study: Study, sessions: Sequence[int]) -> dict[int, SessionFigures]:
    """Return the figures of sessions by their key; of unfinished ones, and where they are missing, they are made."""
    stamp = stamp_of(study)
    found = {one.session_id: one for one in SessionFigures.objects.filter(session__in=sessions, stamp=stamp)}
    return found | _made(study, [pk for pk in sessions if pk not in found], stamp=stamp)


def verdicts_by_session(study: Study, sessions: Sequence[int]) -> dict[int, Verdict]:
    """Return the verdicts on finished sessions that are kept, by their key; of others, nothing."""
    stored = SessionFigures.objects.filter(session__in=sessions, stamp=stamp_of(study)).order_by()
    return {
        session: Verdict(ruled_out, {place: reason for reason, places in trials.items() for place in places})
        for session, ruled_out, trials in stored.values_list("session", "ruled_out", "ruled_out_trials")
    }


def counted_by_session(study: Study, sessions: Sequence[int]) -> dict[int, list[Any]]:
    """Return what is counted of the answers of finished sessions, by their key."""
    stamp = stamp_of(study)
    stored = SessionFigures.objects.filter(session__in=sessions, stamp=stamp).values_list("session", "counted")
    found: dict[int, list[Any]] = dict(stored)
    missing = _made(study, [pk for pk in sessions if pk not in found], stamp=stamp)
    return found | {pk: one.counted for pk, one in missing.items()}


def _made(study: Study, sessions: Sequence[int], *, stamp: str) -> dict[int, SessionFigures]:
    """Make the figures of sessions; those that were not finished are not judged by the rules of the plan."""
    complete = Session.objects.filter(pk__in=sessions, status=Session.Status.COMPLETE)
    finished = list(complete.order_by("pk").values_list("pk", flat=True)) if sessions else []
    others = sorted(set(sessions).difference(finished))
    judged = chain(judged_trials(study, finished), judged_trials(study, others, rules=()))
    return {one.session: figures_of(study, one, stamp=stamp) for one in judged}


def without_figures(study: Study) -> QuerySet[Session]:
    """Return the finished sessions of a study whose figures are missing or made by other settings."""
    finished = Session.objects.filter(study=study, status=Session.Status.COMPLETE)
    return finished.exclude(figures__stamp=stamp_of(study))


def kept_figures(study: Study, *, simulated: bool) -> QuerySet[SessionFigures]:
    """Return what is kept of the finished sessions, of simulated or of real ones.

    Figures that are missing, or were made by other settings, are not among them: `figures_for_page` says how many.
    """
    return SessionFigures.objects.filter(
        session__study=study,
        session__is_simulated=simulated,
        session__status=Session.Status.COMPLETE,
        stamp=stamp_of(study),
    )


def keep_missing_figures(study: Study, *, most: int | None = None) -> int:
    """Make and store the figures of finished sessions that have none, of so many at most; return of how many."""
    missing = list(without_figures(study).order_by("pk").values_list("pk", flat=True)[:most])
    for start in range(0, len(missing), AT_ONCE):
        _keep(study, missing[start : start + AT_ONCE])
    return len(missing)


@dataclass(frozen=True)
class ToCome:
    """How many finished sessions have no figures yet, of how many."""

    sessions: int
    of: int


def figures_for_page(study: Study, *, simulated: bool) -> ToCome | None:
    """Make some of the figures that are missing; return how many are to come, or None where all are there.

    What is left is made by the worker: a page costs the same however many sessions an upgrade found.
    """
    made = _kept_if_possible(study, most=A_PAGE)
    if made is not None and made < A_PAGE:
        return None
    left = without_figures(study).filter(is_simulated=simulated).count()
    finished = Session.objects.filter(study=study, is_simulated=simulated, status=Session.Status.COMPLETE)
    return ToCome(left, finished.count()) if left else None


def keep_some_figures() -> None:
    """Make figures of sessions that ended before there were any, or by other settings; the worker calls it.

    A few every minute. A study whose figures cannot be made keeps no other waiting.
    """
    left = A_MINUTE
    for study in _studies_without_figures():
        left -= _kept_if_possible(study, most=left) or 0
        if left <= 0:
            return


def _kept_if_possible(study: Study, *, most: int) -> int | None:
    """Make and store missing figures; return of how many, or None where a paradigm has a fault."""
    try:
        return keep_missing_figures(study, most=most)
    except DatabaseError:
        raise
    except Exception:
        logger.exception("No figures of %s could be made", study.slug)
        return None


def _studies_without_figures() -> Iterator[Study]:
    """Yield the studies with finished sessions that have no figures, then those with figures by other settings."""
    without = Session.objects.filter(status=Session.Status.COMPLETE, figures=None).values("study")
    seen = list(Study.objects.filter(pk__in=without).order_by("pk"))
    yield from seen
    stamps: dict[int, set[str]] = defaultdict(set)
    for pk, stamp in SessionFigures.objects.order_by().values_list("session__study", "stamp").distinct():
        stamps[pk].add(stamp)
    for study in Study.objects.filter(pk__in=stamps).exclude(pk__in=[one.pk for one in seen]).order_by("pk"):
        if stamps[study.pk] != {stamp_of(study)}:
            yield study


def rebuild_figures(study: Study) -> Iterator[int]:
    """Make the figures of all finished sessions anew; yield after each bundle how many are done."""
    finished = Session.objects.filter(study=study, status=Session.Status.COMPLETE).order_by("pk")
    keys = list(finished.values_list("pk", flat=True))
    for start in range(0, len(keys), AT_ONCE):
        _keep(study, keys[start : start + AT_ONCE])
        yield min(start + AT_ONCE, len(keys))


def _keep(study: Study, sessions: Sequence[int]) -> None:
    made = _made(study, sessions, stamp=stamp_of(study))
    with transaction.atomic():  # held for the storing alone; who withdrew meanwhile gets no figures
        there = Session.objects.select_for_update(no_key=True).filter(pk__in=made).order_by("pk")
        SessionFigures.objects.bulk_create(
            [made[pk] for pk in there.values_list("pk", flat=True)],
            update_conflicts=True,
            unique_fields=["session"],
            update_fields=_FIELDS,
        )

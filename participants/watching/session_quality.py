"""Quality measures of sessions, and flags for values below the thresholds of the study."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache

from experiments.models import Part, Study
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Paradigm
from experiments.procedure.sessions import complete_settings
from experiments.sentences import Sentence
from participants.models import Response, Session

# One entry for each study: the cache also counts requests, and must not be filled with sessions.
KEPT_FOR_SECONDS = 3600

Answered = list[tuple[str, Mapping[str, Any], Mapping[str, Any]]]


@dataclass(frozen=True)
class QualityFact:
    """One quality measure of a session with its description."""

    name: str
    value: Any
    unit: str
    description: str


def quality_of(session: Session) -> list[QualityFact]:
    """Return the quality measures that the paradigms declare, for one session; none before anything was answered.

    Of several tasks, the names begin with that of the task, as in `participants.csv`.
    """
    facts = []
    for task, paradigm in _tasks(session.study):
        declared = paradigm.quality_measures()
        answered = _answered(task, paradigm, [session.pk]).get(session.pk)
        if declared and answered:
            values = paradigm.quality(answered)
            before = f"{task.name}_" if session.study.has_several_tasks else ""
            facts += [
                QualityFact(before + one.name, values.get(one.name), one.unit, one.description) for one in declared
            ]
    return facts


def flags_of(session: Session) -> list[str]:
    """Return one sentence for each quality measure of a complete session below the study's threshold."""
    sentences = flagged_among(session.study, [session.pk] if session.status == Session.Status.COMPLETE else [])
    return list(sentences)


def flagged_sessions(study: Study, *, simulated: bool) -> dict[str, list[int]]:
    """Return sentence → complete sessions of which it holds, by primary key, for simulated or for real ones alone.

    The answers of a complete session never change, so results are cached for an hour; reloading a page reads only the
    answers of newly finished sessions.
    """
    if not any(paradigm.has_quality_flags for _task, paradigm in _tasks(study)):
        return {}
    complete = Session.objects.filter(study=study, status=Session.Status.COMPLETE, is_simulated=simulated)
    sessions = list(complete.order_by("pk").values_list("pk", "started_at"))
    stated = json.dumps(
        [study.slug, *([task.name, task.paradigm, task.settings] for task in study.tasks)], sort_keys=True, default=str
    )
    name = f"quality-flags:{study.pk}:{simulated}:{hashlib.sha256(stated.encode()).hexdigest()}"
    known: dict[tuple[int, datetime], list[str]] = cache.get(name) or {}
    new = [session for session in sessions if session not in known]
    if new or len(known) > len(sessions):
        found: dict[int, list[str]] = defaultdict(list)
        for sentence, flagged in flagged_among(study, [pk for pk, _started_at in new]).items():
            for pk in flagged:
                found[pk].append(sentence)
        known = {session: known.get(session, found.get(session[0], [])) for session in sessions}
        cache.set(name, known, timeout=KEPT_FOR_SECONDS)
    by_sentence: dict[str, list[int]] = defaultdict(list)
    for session in sessions:
        for sentence in known[session]:
            by_sentence[sentence].append(session[0])
    return dict(by_sentence)


def flagged_among(study: Study, sessions: Sequence[int]) -> dict[str, list[int]]:
    """Return sentence → those of the sessions of which it holds; of several tasks, it begins with the task's name."""
    flagged: dict[str, list[int]] = defaultdict(list)
    has_several = study.has_several_tasks
    for task, paradigm in _tasks(study):
        if not paradigm.has_quality_flags:
            continue  # spares reading every response to a task whose paradigm flags nobody
        settings = complete_settings(paradigm, task.settings)
        for session, answered in _answered(task, paradigm, sessions).items():
            for sentence in paradigm.quality_flags(paradigm.quality(answered), settings):
                said = Sentence("{task}: {flag}", task=task.label, flag=sentence) if has_several else sentence
                flagged[said].append(session)
    return dict(flagged)


def _tasks(study: Study) -> list[tuple[Part, Paradigm]]:
    return [(task, paradigm_behind(task.paradigm)) for task in study.tasks]


def _answered(task: Part, paradigm: Paradigm, sessions: Sequence[int]) -> dict[int, Answered]:
    """Return session → (plugin, params, payload) of its answers to the trials of a task, in order.

    `params` holds the private part of each trial too: which choice is right stands there.
    """
    rows = (
        Response.objects.filter(
            trial__session__in=sessions, trial__part=task, trial__plugin__in=list(paradigm.responses)
        )
        .order_by("trial__session", "trial__position")
        .values_list("trial__session", "trial__plugin", "trial__params", "trial__private", "payload")
    )
    found: dict[int, Answered] = defaultdict(list)
    for session, plugin, params, private, payload in rows.iterator():
        found[session].append((plugin, {**params, **private}, payload))
    return found

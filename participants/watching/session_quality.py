"""Quality measures of sessions, and flags for values below the thresholds of the study."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.models import Part, Study
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence
from participants.models import Response, Session
from participants.session.figures import kept_figures

ROWS_AT_ONCE = 1_000

Answered = list[tuple[str, Mapping[str, Any], Mapping[str, Any]]]


@dataclass(frozen=True)
class QualityFact:
    """One quality measure of a session: its column, the label of its task where there are several, its description."""

    name: str
    measure: str
    task: str
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
            several = session.study.has_several_tasks
            facts += [
                QualityFact(
                    name=f"{task.name}_{one.name}" if several else one.name,
                    measure=one.name,
                    task=task.label if several else "",
                    value=values.get(one.name),
                    unit=one.unit,
                    description=one.description,
                )
                for one in declared
            ]
    return facts


def flags_of(session: Session) -> list[str]:
    """Return one sentence for each quality measure of a complete session below the study's threshold."""
    sentences = flagged_among(session.study, [session.pk] if session.status == Session.Status.COMPLETE else [])
    return list(sentences)


def flagged_sessions(study: Study, *, simulated: bool) -> dict[str, list[int]]:
    """Return sentence → complete sessions of which it holds, by primary key, for simulated or for real ones alone.

    Sessions whose figures are not there yet are left out, here and in all that is counted from figures.
    """
    tasks = [(task, paradigm) for task, paradigm in _tasks(study) if paradigm.has_quality_flags]
    if not tasks:
        return {}
    settings = {task.pk: paradigm.complete_settings(task.settings) for task, paradigm in tasks}
    flagged: dict[str, list[int]] = defaultdict(list)
    rows = kept_figures(study, simulated=simulated).filter(is_flagged=True).order_by("session")
    for session, quality, parts in rows.values_list("session", "quality", "parts").iterator(chunk_size=ROWS_AT_ONCE):
        for task, paradigm in tasks:
            if str(task.pk) in parts:
                for sentence in paradigm.session_flags(quality[str(task.pk)], settings[task.pk]):
                    flagged[_said(study, task, sentence)].append(session)
    return dict(flagged)


def _said(study: Study, task: Part, flag: str) -> str:
    return Sentence("{task}: {flag}", task=task.label, flag=flag) if study.has_several_tasks else flag


def flagged_among(study: Study, sessions: Sequence[int]) -> dict[str, list[int]]:
    """Return sentence → those of the sessions of which it holds; of several tasks, it begins with the task's name."""
    flagged: dict[str, list[int]] = defaultdict(list)
    for task, paradigm in _tasks(study):
        if not paradigm.has_quality_flags:
            continue  # spares reading every response to a task whose paradigm flags nobody
        settings = paradigm.complete_settings(task.settings)
        for session, answered in _answered(task, paradigm, sessions).items():
            for sentence in paradigm.session_flags(paradigm.quality(answered), settings):
                flagged[_said(study, task, sentence)].append(session)
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

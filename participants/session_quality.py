"""The quality of sessions as their paradigm measures it, and what of it falls below what the study asks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.models import Study
from experiments.paradigms.base import Paradigm
from experiments.procedure import complete_settings
from participants.models import Response, Session
from participants.planning import paradigm_of

Answered = list[tuple[str, Mapping[str, Any], Mapping[str, Any]]]


@dataclass(frozen=True)
class QualityFact:
    """One quality measure of a session with its description."""

    name: str
    value: Any
    unit: str
    description: str


def quality_of(session: Session) -> list[QualityFact]:
    """Return the quality measures that the paradigm declares, for one session; none before anything was answered."""
    paradigm = paradigm_of(session.study)
    declared = paradigm.quality_measures()
    answered = _answered(paradigm, [session.pk]).get(session.pk)
    if not declared or not answered:
        return []
    values = paradigm.quality(answered)
    return [
        QualityFact(measure.name, values.get(measure.name), measure.unit, measure.description) for measure in declared
    ]


def flags_of(session: Session) -> list[str]:
    """Return what in the quality of a complete session falls below the settings of its study, as sentences."""
    sentences = flagged_among(session.study, [session.pk] if session.status == Session.Status.COMPLETE else [])
    return list(sentences)


def flagged_sessions(study: Study, *, simulated: bool) -> dict[str, list[int]]:
    """Return sentence → complete sessions of which it holds, by primary key, for simulated or for real ones alone."""
    complete = Session.objects.filter(study=study, status=Session.Status.COMPLETE, is_simulated=simulated)
    return flagged_among(study, complete.values_list("pk", flat=True))


def flagged_among(study: Study, sessions: Sequence[int] | Any) -> dict[str, list[int]]:
    """Return sentence → those of the sessions of which it holds."""
    paradigm = paradigm_of(study)
    if not paradigm.has_quality_flags:
        return {}  # spares reading every response of a study whose paradigm flags nobody
    settings = complete_settings(paradigm, study.settings)
    flagged: dict[str, list[int]] = defaultdict(list)
    for session, answered in _answered(paradigm, sessions).items():
        for sentence in paradigm.quality_flags(paradigm.quality(answered), settings):
            flagged[sentence].append(session)
    return dict(flagged)


def _answered(paradigm: Paradigm, sessions: Sequence[int] | Any) -> dict[int, Answered]:
    """Return session → (plugin, params, payload) of its answers in order, those of the paradigm's plugins."""
    rows = (
        Response.objects.filter(trial__session__in=sessions, trial__plugin__in=list(paradigm.responses))
        .order_by("trial__session", "trial__position")
        .values_list("trial__session", "trial__plugin", "trial__params", "payload")
    )
    found: dict[int, Answered] = defaultdict(list)
    for session, plugin, params, payload in rows.iterator():
        found[session].append((plugin, params, payload))
    return found

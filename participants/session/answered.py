"""Read the trials of sessions with their answers, and judge them by the exclusion rules of the plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from experiments.models import Study
from experiments.paradigms import paradigm_behind
from experiments.rules.exclusion_rules import Verdict
from experiments.rules.exclusion_verdict import expected, verdict_on
from participants.models import EventBatch, Session, Trial

# Sessions that are read at once: what is held does not grow with their number.
AT_ONCE = 50
# Of how many finished sessions a page or a start makes figures or verdicts that are missing, about a third of a second;
# and the worker in a minute, a second or two of its time.
A_PAGE, A_MINUTE = 100, 500


class AnsweredTrial(NamedTuple):
    """A trial with its response; `response` is None without one. `params` holds what the browser must not learn too."""

    pk: int
    position: int
    phase: str
    plugin: str
    params: dict[str, Any]
    stimulus: int | None
    payload: dict[str, Any] | None
    rt_ms: float | None
    interrupted: bool | None
    focus_losses: int | None
    part: int
    response: int | None
    translated: bool | None
    received_at: datetime | None
    opened_at: datetime | None
    event_batches: int | None
    out_of_view: int | None
    page_slept_ms: float | None
    is_filler: bool | None


class JudgedTrials(NamedTuple):
    """The trials of one session in order, and what the rules of the plan say of it."""

    session: int
    trials: list[AnsweredTrial]
    verdict: Verdict


_ASKED = (
    "pk", "position", "phase", "plugin", "params", "stimulus_id", "response__payload", "response__rt_ms",
    "response__interrupted", "response__focus_losses", "part_id", "response__pk", "response__translated",
    "response__received_at", "opened_at", "response__event_batches", "response__out_of_view",
    "response__page_slept_ms", "stimulus__item__is_filler",
    "stimulus__item__is_practice", "stimulus__item__attributes", "stimulus__attributes", "private", "session_id",
)  # fmt: skip


def judged_trials(
    study: Study, sessions: Sequence[int], *, rules: Sequence[Mapping[str, Any]] | None = None
) -> Iterator[JudgedTrials]:
    """Yield sessions of a study in the order given, judged by the rules of its plan or by others."""
    rules = study.plan.get("exclusion_rules", []) if rules is None else rules
    for start in range(0, len(sessions), AT_ONCE):
        chunk = sessions[start : start + AT_ONCE]
        rows = Trial.objects.filter(session__in=chunk).order_by("session_id", "position").values_list(*_ASKED)
        found = {session: list(of_session) for session, of_session in groupby(rows, key=lambda row: row[-1])}
        yield from (_judged(study, session, found.get(session, []), rules) for session in chunk)


def _judged(
    study: Study, session: int, rows: list[tuple[Any, ...]], rules: Sequence[Mapping[str, Any]]
) -> JudgedTrials:
    trials: list[AnsweredTrial] = []
    targets: dict[int | None, bool] = {}
    attention: dict[int | None, str] = {}
    for *cells, is_practice, of_item, of_text, private, _session in rows:
        trial = AnsweredTrial(*cells)
        # What the browser must not learn, such as which answer is right, belongs to what is judged.
        trials.append(trial._replace(params={**trial.params, **private}))
        targets[trial.stimulus] = not trial.is_filler and not is_practice
        attention[trial.stimulus] = expected({**(of_item or {}), **(of_text or {})})
    if not rules:
        return JudgedTrials(session, trials, Verdict())
    events = events_by_trial(session)
    parts = study.ordered_parts
    paradigms = {part.pk: paradigm_behind(part.paradigm) for part in parts}
    measured = {
        trial.pk: paradigms[trial.part].measure(trial.params, trial.payload, events.get(trial.pk, []))
        for trial in trials
        if trial.payload is not None and trial.plugin in paradigms[trial.part].responses
    }
    verdict = verdict_on(
        trials,
        rules=rules,
        paradigms=paradigms,
        measured=measured,
        targets=targets,
        attention=attention,
        questions=study.shown_questions,
        tasks={part.pk: study.pool_of(part) or part.name for part in parts},
    )
    return JudgedTrials(session, trials, verdict)


def events_by_trial(session: Session | int) -> dict[int, list[Any]]:
    """Return all events of each trial that has any, in the order of their batches, by the trial's key."""
    events: dict[int, list[Any]] = defaultdict(list)
    batches = EventBatch.objects.filter(trial__session=session).order_by("trial_id", "sequence")
    for trial, batch in batches.values_list("trial_id", "events"):
        events[trial].extend(batch)
    return dict(events)

"""Read stored sessions in chunks, so that memory use does not grow with the number of trials.

Nothing here goes through model instances, and nothing takes the database's write lock, so that participants can answer
while an export runs.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from django.db import connection, transaction
from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet, TextField
from django.db.models.functions import Cast

from analysis.exports.cells import Remembered
from analysis.methods.rows.people import UNFINISHED
from experiments.models import Stimulus, StimulusList, Study
from participants.models import EventBatch, Response, Session, SessionFigures, SessionList, Trial

SESSIONS_AT_ONCE = 25
ROWS_AT_ONCE = 500
Thing = TypeVar("Thing")
# Sessions that are wanted: their keys, or a query for them.
Wanted = Collection[int] | QuerySet[Session]
# JSON is asked for as text and parsed here: that takes a third of the time of the field's own conversion.
_parsed = json.JSONDecoder().raw_decode


def _parsed_together(texts: Iterable[str]) -> list[Any]:
    """Parse JSON texts as one, so that keys which they share are made once."""
    values: list[Any] = _parsed(f"[{','.join(texts)}]", 0)[0]
    return values


class StoredSession(NamedTuple):
    """One session without anything that could lead back to a person: no token, no recruitment id."""

    pk: int
    participant: str
    list: str
    seed: int
    status: str
    study_version: int
    language: str
    is_simulated: bool
    consent_version: int
    consent_given_at: datetime
    consent_choices: dict[str, Any]
    started_at: datetime
    last_seen_at: datetime
    finished_at: datetime | None
    client: dict[str, Any]
    is_excluded: bool
    exclusion_reason: str
    returned_late: bool
    group: str
    order: str
    outcome: str
    source: str
    skipped: str
    skipped_because: str

    @property
    def is_left_out(self) -> bool:
        """Whether analyses leave the session out: a researcher excluded it, or it was not finished."""
        return self.is_excluded or self.status != Session.Status.COMPLETE

    @property
    def reason(self) -> str:
        """Why analyses leave the session out."""
        return left_out_because(self.status, self.is_excluded, self.exclusion_reason)


def left_out_because(status: str, is_excluded: bool, exclusion_reason: str) -> str:
    """Return why analyses leave a session out; empty where they do not, but for the rules of the plan."""
    if is_excluded:
        return exclusion_reason
    return "" if status == Session.Status.COMPLETE else UNFINISHED


class StoredTrial(NamedTuple):
    """One trial with its response, as far as it has one (`response` is None where it has none).

    `params` holds what the browser got and what it must not learn, such as the right answer to a question.
    """

    pk: int
    session: int
    position: int
    phase: str
    plugin: str
    params: dict[str, Any]
    stimulus: int | None
    was_opened: bool
    response: int | None
    payload: dict[str, Any] | None
    rt_ms: float | None
    onset_ms: float | None
    clock: str | None
    interrupted: bool | None
    attempts: int | None
    focus_losses: int | None
    event_batches: int | None
    onset_error_ms: float | None
    out_of_view: int | None
    draft_restored: bool | None
    page_slept_ms: float | None
    part: int


class StoredStimulus(NamedTuple):
    """One stimulus with its item and the levels of its condition; `attributes` are those of item and text."""

    pk: int
    item: str
    item_set: str
    is_filler: bool
    is_practice: bool
    attributes: dict[str, Any]
    levels: dict[str, Any] | None
    text: str
    extra: dict[str, Any]


@contextmanager
def snapshot() -> Iterator[None]:
    """Let everything read inside see one state of the database, without keeping anybody from writing.

    Inside a transaction of the caller's, that transaction's view holds.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # Django's own transactions would take SQLite's write lock at once; a deferred one only reads.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("COMMIT")
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield


def stored_sessions(study: Study, only: Wanted | None = None) -> Iterator[StoredSession]:
    """Yield the sessions of a study in the order in which they started; with `only`, those of them that are wanted."""
    lists = {stimulus_list.pk: stimulus_list.name for stimulus_list in StimulusList.objects.filter(part__study=study)}
    sessions = Session.objects.filter(study=study)
    rows = (
        # A query for rows is one for their keys here.
        (sessions if only is None else sessions.filter(pk__in=only))  # type: ignore[misc]
        .order_by("pk")
        .values_list("pk", "participant__pseudonym", "list_id", *StoredSession._fields[3:])
    )
    for row in rows.iterator(chunk_size=ROWS_AT_ONCE):
        yield StoredSession(row[0], row[1], lists.get(row[2], ""), *row[3:])


def in_bundles(things: Iterable[Thing], size: int) -> Iterator[list[Thing]]:
    """Yield things in bundles of a size, the last one of what remains.

    >>> list(in_bundles("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    remaining = iter(things)
    while bundle := list(islice(remaining, size)):
        yield bundle


def further_lists(study: Study) -> dict[int, dict[int, str]]:
    """Return the lists of further tasks: session to (task to name of the list); nothing in a study of one task."""
    if not study.has_several_tasks:
        return {}
    return _by_session(study, SessionList.objects.filter(session__study=study).values_list("session", "list"))


def lists_of_tasks(study: Study) -> dict[int, dict[int, str]]:
    """Return all lists of sessions: session to (task to name of the list); nothing in a study of one task."""
    if not study.has_several_tasks:
        return {}
    first = Session.objects.filter(study=study, list__isnull=False).order_by("pk").values_list("pk", "list")
    found, further = _by_session(study, first), further_lists(study)
    for pk, lists in further.items():
        found[pk] = found.get(pk, {}) | lists
    return found


def _by_session(study: Study, rows: QuerySet[Any]) -> dict[int, dict[int, str]]:
    """Return the names of lists, by session and task, of rows of a session and a list."""
    lists = {one.pk: (one.part_id, one.name) for one in StimulusList.objects.filter(part__study=study)}
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for session, stimulus_list in rows.iterator(chunk_size=ROWS_AT_ONCE):
        part, name = lists[stimulus_list]
        found[session][part] = name
    return found


def translated_trials(study: Study) -> dict[int, int]:
    """Return session → answered trials whose page had been translated, for sessions that have any."""
    kept = SessionFigures.objects.filter(session__study=study, translated__gt=0)
    others = Session.objects.filter(study=study, figures=None)
    marked = Response.objects.filter(trial__session__in=others, translated=True).order_by()
    counted = marked.values_list("trial__session").annotate(number=Count("pk"))
    return dict(kept.values_list("session", "translated")) | dict(counted)


# What is asked for of a trial: what `StoredTrial` holds, and at the end what the browser must not learn.
_ASKED = (
    "pk", "session_id", "position", "phase", "plugin", "params_text", "stimulus_id", "was_opened",
    "response__id", "payload_text", *(f"response__{name}" for name in StoredTrial._fields[10:21]), "part_id",
    "private_text",
)  # fmt: skip


def _query_of(sessions: Sequence[int], plugin: str) -> tuple[str, tuple[Any, ...]]:
    """Return the SQL that asks for the trials of sessions in order, and its parameters."""
    query = (
        Trial.objects.filter(session__in=sessions, **({"plugin": plugin} if plugin else {}))
        .order_by("session_id", "position")
        .annotate(
            params_text=Cast("params", TextField()),
            private_text=Cast("private", TextField()),
            payload_text=Cast("response__payload", TextField()),
            was_opened=ExpressionWrapper(Q(opened_at__isnull=False), output_field=BooleanField()),
        )
        .values_list(*_ASKED)
    )
    return query.query.sql_with_params()


def stored_trials(
    sessions: Iterable[StoredSession], *, plugin: str = ""
) -> Iterator[tuple[StoredSession, list[StoredTrial]]]:
    """Yield every session with its trials in order; with `plugin`, with those that it shows."""
    # What a trial shows comes in session after session; nothing may change what it gets from here.
    parsed: Remembered[tuple[str, str], dict[str, Any]] = Remembered(
        lambda texts: {**_parsed(texts[0], 0)[0], **_parsed(texts[1], 0)[0]}
    )
    made = tuple.__new__  # `_make` without looking at the length again
    for chunk in in_bundles(sessions, SESSIONS_AT_ONCE * (1 if not plugin else 10)):
        # Asked for without Django's conversion of every cell, as nothing here needs one but truth values.
        with connection.cursor() as cursor:
            cursor.execute(*_query_of([session.pk for session in chunk], plugin))
            rows = cursor.fetchall()
        of_session = {pk: list(of_one) for pk, of_one in groupby(rows, key=itemgetter(1))}
        del rows
        for session in chunk:
            # One session after the other: what is parsed is used while the processor still has it at hand.
            own, trials = of_session.pop(session.pk, ()), []
            payloads = _parsed_together(["null" if row[9] is None else row[9] for row in own])
            for row, payload in zip(own, payloads, strict=True):
                cells = list(row)
                cells[5] = parsed[row[5], cells.pop()]
                cells[7] = bool(row[7])
                cells[9] = payload
                if row[13] is not None:
                    cells[13] = bool(row[13])
                trials.append(made(StoredTrial, cells))
            yield session, trials


def stored_events(trials: Sequence[StoredTrial]) -> dict[int, list[tuple[int, list[dict[str, Any]]]]]:
    """Return the event batches of trials: trial to (batch number, events) in order. Asks only for those that exist."""
    wanted = [trial.pk for trial in trials if trial.event_batches]
    batches: dict[int, list[tuple[int, list[dict[str, Any]]]]] = defaultdict(list)
    for start in range(0, len(wanted), 500):
        rows = EventBatch.objects.filter(trial__in=wanted[start : start + 500]).order_by("trial_id", "sequence")
        for trial, sequence, events in rows.values_list("trial_id", "sequence", "events"):
            batches[trial].append((sequence, events))
    return batches


def stored_batches(
    study: Study, only: Wanted | None = None
) -> Iterator[tuple[str, int, int, int, list[dict[str, Any]]]]:
    """Yield pseudonym, session, position, number and events of every batch that an answer announced, in order.

    `only` are the sessions that are wanted; None means all of them.
    """
    if not EventBatch.objects.filter(trial__session__study=study).exists():
        return
    wanted = Session.objects.filter(study=study)
    if only is not None:
        wanted = wanted.filter(pk__in=only)  # type: ignore[misc]  # a query for rows is one for their keys here
    sessions = wanted.order_by("pk").values_list("pk", "participant__pseudonym")
    for bundle in in_bundles(sessions.iterator(chunk_size=ROWS_AT_ONCE), SESSIONS_AT_ONCE):
        names = dict(bundle)
        batches = EventBatch.objects.filter(trial__session__in=list(names), trial__response__event_batches__gt=0)
        in_order = batches.order_by("trial__session_id", "trial__position", "sequence")
        for session, *batch in in_order.values_list("trial__session_id", "trial__position", "sequence", "events"):
            yield (names[session], session, *batch)


def stimuli_of(study: Study) -> QuerySet[Stimulus]:
    """Return the stimuli of a study, or of the task through which it is seen."""
    return Stimulus.objects.filter(
        Q(item__part__in=study.current_tasks) if study.chosen_task else Q(item__part__study=study)
    )


def stored_stimuli(study: Study) -> dict[int, StoredStimulus]:
    """Return the stimuli of a study by their key, in the order of the materials."""
    stimuli = stimuli_of(study).order_by("item__part__position", "item__position", "condition__position", "pk")
    of_item = ("item__code", "item__item_set", "item__is_filler", "item__is_practice", "item__attributes")
    rows = stimuli.values_list("pk", *of_item, "condition__levels", "text", "extra", "attributes")
    found = [(StoredStimulus(*row), own) for *row, own in rows]
    return {one.pk: one._replace(attributes={**one.attributes, **own}) for one, own in found}

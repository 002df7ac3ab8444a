"""Exports are made while they are sent: memory does not grow with the number of rows."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from config.api import limits
from experiments.models import Study
from participants.models import Participant, Response, Session, Trial
from tests.api.conftest import Program

MEGABYTE = 1024 * 1024


def multiply(study: Study, times: int) -> None:
    """Give the study so many more finished sessions, each like the first one."""
    pattern = Session.objects.filter(study=study, status="complete").first()
    trials = list(pattern.trials.select_related("response").order_by("position"))
    for start in range(0, times, 500):
        numbers = range(start, min(start + 500, times))
        people = Participant.objects.bulk_create(
            Participant(study=study, pseudonym=f"M{n:07d}", withdrawal_code_hash=f"m{n}", withdrawal_code_sealed="")
            for n in numbers
        )
        sessions: list[Session] = []
        for person in people:
            session = (
                Session.objects.get(pk=pattern.pk)
                if not sessions
                else Session(
                    **{
                        f.attname: getattr(pattern, f.attname)
                        for f in Session._meta.concrete_fields
                        if f.attname != "id"
                    }
                )
            )
            session.pk, session.participant = None, person
            session.token_hash = session.start_key_hash = session.resume_code_hash = f"m{person.pk}"
            sessions.append(session)
        sessions = Session.objects.bulk_create(sessions)
        made = Trial.objects.bulk_create(
            Trial(**_fields(trial, session=session.pk)) for session in sessions for trial in trials
        )
        Response.objects.bulk_create(
            Response(**{**_fields(trials[place % len(trials)].response), "trial_id": trial.pk})
            for place, trial in enumerate(made)
        )


def _fields(row: Any, session: int | None = None) -> dict[str, Any]:
    found = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields if f.attname != "id"}
    return {**found, "session_id": session} if session is not None else found


def peak_of(program: Program, name: str) -> tuple[int, int]:
    """Return how much memory a stream took at most beyond what was taken before, and how many rows it had."""
    answer = program.get(f"studies/small-study/exports/{name}")
    assert answer.streaming
    tracemalloc.start()
    lines = sum(piece.count(b"\n") for piece in answer.streaming_content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, lines


@pytest.mark.django_db
def test_a_stream_of_ten_times_the_rows_takes_no_more_memory(study: Study, program: Program) -> None:
    multiply(study, 30)
    few, rows = peak_of(program, "trials.csv")
    Session.objects.filter(participant__pseudonym__startswith="M").delete()
    Participant.objects.filter(pseudonym__startswith="M").delete()
    multiply(study, 300)
    many, all_rows = peak_of(program, "trials.csv")
    assert all_rows > 7 * rows
    assert many < few + 2 * MEGABYTE, (few, many)


@pytest.mark.full("memory that grows so slowly with an export that only a million rows show it")
@pytest.mark.django_db
def test_a_million_rows_take_less_than_150_megabytes(study: Study, program: Program, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits.FileThrottle, "limit", 10**9)
    per_session = Trial.objects.filter(session=Session.objects.filter(study=study, status="complete").first()).count()
    multiply(study, 1_000_000 // per_session + 1)
    peak, rows = peak_of(program, "trials.csv")
    assert rows > 1_000_000
    assert peak < 150 * MEGABYTE, peak

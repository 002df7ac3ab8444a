"""Statements that are made once read the same as the query sets that they are made of."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from experiments.paradigms import paradigm_named
from participants.intake.payloads import payload_faults
from participants.models import Session, Trial
from participants.prepared import Prepared, insert_rows, update_row
from tests import needs
from tests.participants.studies import Browser, payload_for

COLUMNS = ("session_id", "part_id", "position", "phase", "plugin", "params", "private", "stimulus_id")


def trials_at(session: int, positions: list[int]) -> QuerySet[Trial, Any]:
    # The positions come first in the SQL and last in the call.
    trials = Trial.objects.filter(position__in=positions).filter(session_id=session)
    return trials.order_by("position").values_list("position", "plugin", "params", "opened_at")


@pytest.mark.parametrize("number", [1, 2, 3, 5, 8])
def test_a_prepared_statement_reads_what_its_query_set_reads(browser: Browser, number: int) -> None:
    browser.send({"kind": "opened", "sequence": 0})
    session = Session.objects.get().pk
    positions = list(range(number))
    prepared = Prepared(trials_at)
    for _ in range(2):
        assert [tuple(row) for row in prepared(session, many=positions)] == list(trials_at(session, positions))


def test_without_values_nothing_is_read(browser: Browser) -> None:
    session = Session.objects.get().pk
    with CaptureQueriesContext(connection) as captured:
        assert Prepared(trials_at)(session, many=[]) == []
    assert len(captured) == 0


def test_the_values_of_one_call_do_not_stay_for_the_next(browser: Browser) -> None:
    session = Session.objects.get().pk
    prepared = Prepared(trials_at)
    assert [row[0] for row in prepared(session, many=[1, 2])] == [1, 2]
    assert [row[0] for row in prepared(session, many=[3, 4])] == [3, 4]
    assert prepared(session + 1, many=[3, 4]) == []


def test_a_query_set_with_a_value_of_its_own_is_refused(db: None) -> None:
    prepared = Prepared(lambda session: Session.objects.filter(pk=session, status="running").values_list("pk"))
    with pytest.raises(ValueError, match="every value once"):
        prepared(1)


def test_rows_are_inserted_as_they_are(browser: Browser) -> None:
    session = Session.objects.get()
    texts = [r"\N", "a\tb\nc\r\n", r"C:\temp\new", "", 'said "ü"\u2028']
    rows: list[tuple[Any, ...]] = [
        (session.pk, session.study.task.pk, 1_000 + position, text, "", {"text": text, "of": [position]}, {}, None)
        for position, text in enumerate(texts)
    ]
    insert_rows(Trial, COLUMNS, rows)
    stored = Trial.objects.filter(position__gte=1_000).order_by("position")
    assert list(stored.values_list(*COLUMNS)) == rows


def test_what_one_library_does_not_take_is_stored_by_the_other(browser: Browser) -> None:
    session = Session.objects.get()
    params = [{"seed": 2**70}, {"names": {"ü": None}}, {1: "one"}]
    rows: list[tuple[Any, ...]] = [
        (session.pk, session.study.task.pk, 1_000 + position, "main", "", each, {}, None)
        for position, each in enumerate(params)
    ]
    insert_rows(Trial, COLUMNS, rows)
    stored = Trial.objects.filter(position__gte=1_000).order_by("position").values_list("params", flat=True)
    assert list(stored) == [{"seed": 2**70}, {"names": {"ü": None}}, {"1": "one"}]


def test_fields_of_a_row_are_changed_as_by_saving_it(browser: Browser) -> None:
    session = Session.objects.get()
    names = ("client", "lease_until", "returned_late", "outcome")
    moment = datetime(2026, 11, 25, 9, 30, 15, 250_000, tzinfo=UTC)
    given: dict[str, object] = dict(zip(names, ({"width": 1280, "said": "ü"}, moment, True, "completed"), strict=True))
    emptied: dict[str, object] = {"lease_until": None, "client": {}}
    for values in (given, emptied):
        for name, value in values.items():
            setattr(session, name, value)
        session.language = "not among them"
        update_row(session, tuple(values))
        stored = Session.objects.get()
        assert {name: getattr(stored, name) for name in values} == values
        assert stored.language != session.language


def test_a_row_that_is_gone_is_not_changed_silently(browser: Browser) -> None:
    session = Session.objects.get()
    session.pk += 1
    with pytest.raises(DatabaseError, match="no Session"):
        update_row(session, ("client",))


def test_a_row_that_is_there_already_is_refused_with_all_that_came_with_it(browser: Browser) -> None:
    session = Session.objects.get()
    task = session.study.task.pk
    rows: list[tuple[Any, ...]] = [(session.pk, task, position, "main", "", {}, {}, None) for position in (1_000, 0)]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Trial, COLUMNS, rows)
    assert not Trial.objects.filter(position=1_000).exists()


def test_a_payload_is_judged_by_the_parameters_of_its_own_trial(browser: Browser) -> None:
    paradigm = paradigm_named("magnitude-estimation")
    modulus, target = (
        next(trial for trial in browser.trials if trial["params"].get("kind") == kind) for kind in ("modulus", "target")
    )

    def faults(shown: dict[str, Any], answered: dict[str, Any]) -> list[str]:
        payload = payload_for(answered)
        return payload_faults(paradigm, plugin=shown["plugin"], params=shown["params"], private={}, payload=payload)

    for _ in range(2):
        assert faults(modulus, modulus) == faults(target, target) == []
        assert faults(target, modulus)
        assert faults(modulus, target)


@needs.only_postgresql  # SQLite keeps every statement by its text
def test_the_database_keeps_a_statement_for_its_connection(browser: Browser) -> None:
    session = Session.objects.get()
    prepared = Prepared(lambda session: Trial.objects.filter(session_id=session).order_by().values_list("opened_at"))
    for _ in range(3):
        assert prepared(session.pk)
        update_row(session, ("last_seen_at",))
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        kept = "\n".join(statement for (statement,) in cursor.fetchall())
    assert 'SELECT "participants_trial"."opened_at"' in kept
    assert 'UPDATE "participants_session"' in kept

"""Who queues for a study does not wait for the disk on behalf of those before; nobody hears of what is not on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from participants.models import BrowserError, Session
from participants.session import starting
from participants.session.queueing import queueing_transaction
from tests import needs
from tests.participants.studies import Browser, open_study

pytestmark = [
    pytest.mark.django_db(transaction=True),
    needs.only_postgresql,  # SQLite has one writer at a time
]


@pytest.fixture(autouse=True)
def _waiting_for_the_disk() -> Iterator[None]:
    """A database for tests alone may do without; the connection of this test does as those of a server do."""
    connection.cursor().execute("SET synchronous_commit TO on")
    yield
    connection.cursor().execute("RESET synchronous_commit")


def answer(sql: str, *values: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        (found,) = cursor.fetchone()
    return found


def test_a_start_commits_without_the_disk_and_is_on_it_before_anybody_hears_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[str, str]] = []
    new_session = starting._new_session

    def watched(*given: Any, **named: Any) -> Session:
        session = new_session(*given, **named)
        written = answer("SELECT pg_current_wal_insert_lsn()::text")
        seen.append((answer("SELECT current_setting('synchronous_commit')"), written))
        return session

    monkeypatch.setattr(starting, "_new_session", watched)
    assert Browser(open_study()).start().status_code == 201
    ((within, written),) = seen
    assert within == "off"
    assert answer("SELECT current_setting('synchronous_commit')") == "on"
    assert answer("SELECT pg_current_wal_flush_lsn() > %s::pg_lsn", written)


def test_what_is_refused_within_leaves_nothing() -> None:
    study = open_study()
    errors = BrowserError.objects.filter(study=study)

    def come_in_vain() -> None:
        with queueing_transaction():
            BrowserError.objects.create(study=study, message="in vain")
            assert errors.count() == 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        come_in_vain()
    assert not errors.exists()


def test_within_another_transaction_that_one_says_when_the_disk_is_waited_for() -> None:
    with transaction.atomic(), queueing_transaction():
        assert answer("SELECT current_setting('synchronous_commit')") == "on"


def test_any_role_may_ask_for_the_confirmation() -> None:
    """The platform's role is seldom the owner of the database server."""
    assert answer(
        "SELECT has_function_privilege('public', p.oid, 'execute') FROM pg_proc p "
        "WHERE proname = 'pg_logical_emit_message' AND 'text'::regtype = p.proargtypes[2]"
    )

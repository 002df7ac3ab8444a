"""A transaction for which others wait in line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def queueing_transaction() -> Iterator[None]:
    """Run a transaction that lets go of its locks before its commit is on the disk; it is there when this ends.

    PostgreSQL holds the locks of a transaction until the disk has confirmed its commit. Where everybody waits for the
    same row, as a class that presses Start does, each would wait for the disk once for each who is before them. So this
    one commits without waiting, and then writes a message of no meaning whose commit does wait: what comes before it in
    the log is on the disk with it, and many who wait at the same time share one confirmation. Who reads what is not yet
    on the disk commits later in the same log, so nothing that is kept depends on what is lost.

    Raises OperationalError where the database ends before it has confirmed: whoever asked is told to ask again. Within
    another transaction, and on SQLite, this is `transaction.atomic()`.
    """
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit TO off")
        yield
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_logical_emit_message(true, 'lectern', '')")

"""Transactions that hold a contended lock: release it before the commit has reached the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def queueing_transaction() -> Iterator[None]:
    """Run a transaction that releases its locks before its commit is on disk; it is on disk when this context ends.

    PostgreSQL holds the locks of a transaction until its commit has been flushed to disk. If many transactions wait for
    the same row, as when a class presses Start, their flushes add up. So this transaction commits asynchronously, and
    then commits an empty log message synchronously: everything before it in the log is flushed with it, and many
    waiting transactions share one flush. Transactions that read data not yet flushed commit later in the same log, so
    nothing that is kept depends on data that are lost.

    Raises OperationalError if the database stops before it has confirmed; the client is told to retry. Within
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

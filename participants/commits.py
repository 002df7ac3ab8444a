"""Transactions under a lock that many wait for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connections, transaction


@contextmanager
def briefly_locked() -> Iterator[None]:
    """Run in a transaction whose locks are free before it is on disk; end when it is on disk.

    PostgreSQL keeps a row locked until the commit has been written to disk, so that a class that presses Start at once
    would wait for one writing to disk after the other. Here the commit itself does not wait. What does is a message in
    the log of the database after it, which is on disk no earlier than all that was committed before, and everybody who
    has just committed waits for the same writing. A server that dies in between has answered nobody.

    Within another transaction, and on SQLite, this is `transaction.atomic`.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    waits_afterwards = connection.vendor == "postgresql" and not connection.in_atomic_block
    with transaction.atomic():
        if waits_afterwards:
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL synchronous_commit TO off")
        yield
    if waits_afterwards:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_logical_emit_message(true, 'lectern', '')")

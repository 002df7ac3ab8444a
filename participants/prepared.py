"""Prepared statements: build the SQL of frequent queries and inserts once.

Django compiles the SQL of a query set on every evaluation, which takes several times as long as reading a few rows.
Storing a result reads four times, with the same queries but different values. Likewise, many rows of a table are
inserted by one short statement instead of one whose length grows with the rows.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import JSONField, Model, QuerySet
from django.db.models.sql.subqueries import InsertQuery


@dataclass(frozen=True)
class _Statement:
    """SQL, the positions of its parameters, and the converters of its columns."""

    sql: str
    order: tuple[int, ...]
    convert: Callable[[list[tuple[Any, ...]]], list[Any]]


class Prepared(threading.local):
    """A query set of `values_list` as a function of values, whose SQL every thread makes once.

    `make` gets single values and, where there are any, several for an `__in`; each must be a number or a text that its
    column holds as it is, or a moment. With `select_for_update` it may be called within a transaction only.

    `Prepared(lambda session, positions: Trial.objects.filter(session_id=session, position__in=positions)
    .values_list("pk", "position"))` is then called as `trials_at(session.pk, many=[3, 4])`.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Any]]) -> None:
        self._make = make
        self._statements: dict[tuple[int, int], _Statement] = {}

    def __call__(self, *values: Any, many: Sequence[Any] | None = None) -> list[Any]:
        """Return the rows for these values. `many` may contain duplicates."""
        if many is not None:
            if not many:
                return []
            # Filled up to a power of two with what is there already, so that few statements serve all lengths.
            filled = [*many, *[many[-1]] * ((1 << (len(many) - 1).bit_length()) - len(many))]
        else:
            filled = []
        shape = (len(values), len(filled))
        statement = self._statements.get(shape)
        given = [*values, *filled]
        if statement is None:
            statement = self._statements[shape] = self._prepare(given, single=len(values))
        connection = connections[DEFAULT_DB_ALIAS]
        adapted = [_adapted(value, connection) for value in given]
        with _cursor(connection) as cursor:
            cursor.execute(statement.sql, [adapted[place] for place in statement.order])
            return statement.convert(cursor.fetchall())

    def _prepare(self, given: Sequence[Any], *, single: int) -> _Statement:
        marks = [_mark(value, number) for number, value in enumerate(given)]
        several = [marks[single:]] if len(marks) > single else []
        compiler = self._make(*marks[:single], *several).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        marks = [_adapted(mark, connections[DEFAULT_DB_ALIAS]) for mark in marks]
        if sorted(map(str, parameters)) != sorted(map(str, marks)):
            raise ValueError("A prepared query set has to use every value once, as it is, and no others.")
        converters = compiler.get_converters([expression for expression, *_ in compiler.select])
        return _Statement(
            sql=sql,
            order=tuple(marks.index(parameter) for parameter in parameters),
            convert=lambda rows: list(compiler.apply_converters(rows, converters)) if converters else rows,
        )


@contextmanager
def _cursor(connection: Any) -> Iterator[Any]:
    """Yield a cursor whose statements PostgreSQL, too, parses and plans once for each connection.

    Django's own sends the values within the SQL, which is another statement each time; those made here are the same.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.cursor = connection.Database.Cursor(connection.connection)
        yield cursor


def insert_rows(model: type[Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows of a table: the values of `columns`, by their names in the database, in that order.

    Values must be numbers, texts or None, and what is to become JSON in a column of JSON.

    A column that is left out gets the default of the database, not that of the model. Raises IntegrityError where the
    database does.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    quote = connection.ops.quote_name
    by_column = {field.column: field for field in model._meta.concrete_fields}
    into = f"{quote(model._meta.db_table)} ({', '.join(map(quote, columns))})"
    # By columns, of which most hold one value again and again.
    by_columns = [
        _texts(values) if isinstance(by_column[column], JSONField) else values
        for column, values in zip(columns, zip(*rows, strict=True), strict=True)
    ]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # For the database a third less work than an INSERT from JSON and a sixth less than one from arrays.
            with connection.wrap_database_errors, cursor.copy(f"COPY {into} FROM STDIN") as copy:
                copied = zip(*map(_copied, by_columns), strict=True)
                copy.write("".join(["\t".join(row) + "\n" for row in copied]))
        else:
            given = list(zip(*by_columns, strict=True))
            marks = ", ".join(["%s"] * len(columns))
            # Only names of columns stand in the SQL itself.
            cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", given)  # noqa: S608


_insertions: dict[tuple[type[Model], str], tuple[str, list[Any]]] = {}


def insert_row(row: Model) -> None:
    """Store a new row as its `save()` would, and give it its key; Django's SQL for it is made once.

    Raises IntegrityError where the database does.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    sql, fields = _insertions.get((type(row), connection.vendor)) or _insertion(row, connection.vendor)
    values = [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]
    with _cursor(connection) as cursor:
        cursor.execute(sql, values)
        (row.pk,) = cursor.fetchone()
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


_insertions_under_lock: dict[tuple[type[Model], type[Model], str], tuple[str, list[Any]]] = {}


def insert_under_lock(row: Model, locked: type[Model], pk: int, *, column: str, back: Sequence[str]) -> list[Any]:
    """Lock a row of another table and store a new one, by one statement; PostgreSQL alone.

    Return nothing where the locked row is not there, and nothing is stored then. Otherwise one row: `column` of the
    locked row, then the columns `back` of the new one; these are None where a row with its unique values is there
    already. Outside of a transaction the statement is one, which has been committed when this returns. The new row is
    not given its key.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    key = (type(row), locked, column)
    if key not in _insertions_under_lock:
        _insertions_under_lock[key] = _insertion_under_lock(type(row), locked, column, back)
    sql, fields = _insertions_under_lock[key]
    values = [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]
    with _cursor(connection) as cursor:
        cursor.execute(sql, [pk, *values])
        found: list[Any] = cursor.fetchall()
    return found


def _insertion_under_lock(
    model: type[Model], locked: type[Model], column: str, back: Sequence[str]
) -> tuple[str, list[Any]]:
    connection = connections[DEFAULT_DB_ALIAS]
    quote = connection.ops.quote_name
    fields: list[Any] = [field for field in model._meta.concrete_fields if not field.primary_key]
    into = f"{quote(model._meta.db_table)} ({', '.join(quote(field.column) for field in fields)})"
    # Without a length: a cast to it would cut a text silently, which the column refuses.
    cast = ", ".join(f"%s::{field.db_type(connection).partition('(')[0]}" for field in fields)
    names = ", ".join(quote(name) for name in back)
    # Only names of tables and columns stand in the SQL itself.
    sql = (
        f"WITH held AS MATERIALIZED (SELECT {quote(column)} AS held FROM {quote(locked._meta.db_table)} "  # noqa: S608
        f"WHERE {quote(str(locked._meta.pk.column))} = %s FOR NO KEY UPDATE), "
        f"stored AS (INSERT INTO {into} SELECT {cast} FROM held ON CONFLICT DO NOTHING RETURNING {names}) "
        f"SELECT held.held, {names} FROM held LEFT JOIN stored ON TRUE"
    )
    return sql, fields


_updates: dict[tuple[type[Model], tuple[str, ...], str], tuple[str, list[Any]]] = {}


def update_row(row: Model, names: tuple[str, ...]) -> None:
    """Update these fields of an existing row, as `save(update_fields=names)` would; its SQL is built once.

    Raises DatabaseError where the row is no longer there.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    key = (type(row), names, connection.vendor)
    if key not in _updates:
        _updates[key] = _update(type(row), names)
    sql, fields = _updates[key]
    values = [field.get_db_prep_save(field.pre_save(row, add=False), connection) for field in fields]
    with _cursor(connection) as cursor:
        cursor.execute(sql, [*values, row.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"There is no {type(row).__name__} {row.pk} to be changed.")


def _update(model: type[Model], names: Sequence[str]) -> tuple[str, list[Any]]:
    """Return the SQL that changes these fields of one row, and the fields."""
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    changed = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    key = quote(str(model._meta.pk.column))
    # Only names of columns stand in the SQL itself.
    return f"UPDATE {quote(model._meta.db_table)} SET {changed} WHERE {key} = %s", fields  # noqa: S608


def _insertion(row: Model, vendor: str) -> tuple[str, list[Any]]:
    """Return the SQL that stores rows like this one, and the fields whose values it takes."""
    model = type(row)
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    query = InsertQuery(model)
    query.insert_values(fields, [row])
    compiler = query.get_compiler(DEFAULT_DB_ALIAS)
    compiler.returning_fields = [model._meta.pk]
    ((sql, _values),) = compiler.as_sql()
    made = _insertions[model, vendor] = (sql, fields)
    return made


def _texts(values: Sequence[Any]) -> list[str | None]:
    return [None if value is None else _as_text(value) for value in values]


def _as_text(value: Any) -> str:
    """Return a value as JSON. What is no number becomes null; the conformance checks let no paradigm plan it."""
    try:
        return orjson.dumps(value).decode()  # within a tenth of the time that `json` takes
    except TypeError:  # an integer of more than 64 bits, half a character, a key that is no text
        return json.dumps(value)


def _copied(values: Sequence[Any]) -> list[str]:
    """Return values as PostgreSQL's COPY takes them: escaped where they would end a value or a row, or escape."""
    texts = {value: _escaped(value) if isinstance(value, str) else str(value) for value in set(values)}
    return [r"\N" if value is None else texts[value] for value in values]


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("\t", r"\t").replace("\n", r"\n").replace("\r", r"\r")


def _mark(value: Any, number: int) -> Any:
    """Return a value of the same type that is found again among the parameters of the SQL."""
    if isinstance(value, datetime):
        return datetime(2000, 1, 1, tzinfo=UTC) + timedelta(seconds=number)
    return 2_000_000_000 + number if isinstance(value, int) else f"value {number}"


def _adapted(value: Any, connection: Any) -> Any:
    """Return a value as the database's adapter takes it."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value

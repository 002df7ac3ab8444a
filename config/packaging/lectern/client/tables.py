"""Lists, files and reports as tables: data frames where pandas is installed, else lists of dicts."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any, Generic, TypeVar

from .problems import Problem

Row = TypeVar("Row")


class Rows(Generic[Row]):
    """The rows of a list. Pages are asked for while you go through them, so that a long list takes little memory.

    for run in lab.list_runs("my-study"): ...        lab.list_runs("my-study").table()
    """

    def __init__(self, first: Mapping[str, Any], following: Callable[[str], Mapping[str, Any]]) -> None:
        self._first, self._following = first, following

    def __iter__(self) -> Iterator[Row]:
        page, seen = self._first, set()
        while True:
            yield from page["items"]
            cursor = page.get("next_cursor")
            if cursor is None:
                return
            if cursor in seen:
                raise Problem("unexpected-answer", "The list leads back to a page that was there before.")
            seen.add(cursor)
            page = self._following(cursor)

    def table(self) -> Any:
        """Return all rows as a data frame of pandas, or as a list of dicts without it."""
        return table_of(list(self))


def table_of(rows: Sequence[Any], columns: Sequence[str] | None = None) -> Any:
    """Return dicts as a data frame of pandas, or as they are without it."""
    pandas = _pandas()
    if pandas is None:
        return list(rows)
    return pandas.DataFrame(list(rows), columns=columns)


def table_of_csv(stream: IO[bytes]) -> Any:
    """Return a CSV file as a data frame, or as a list of dicts of texts without pandas. An empty cell is no value.

    >>> rows = table_of_csv(io.BytesIO(b"word,n\\nnull,1\\n,2\\n"))
    >>> list(rows["word"].isna()) if _pandas() else [row["word"] is None for row in rows]
    [False, True]
    """
    pandas = _pandas()
    if pandas is not None:
        # Otherwise texts such as NA and null would be no values either.
        return pandas.read_csv(stream, keep_default_na=False, na_values=[""], encoding="utf-8-sig", low_memory=False)
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
    return [{name: value or None for name, value in row.items()} for row in csv.DictReader(text)]


def tables_of_report(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a `report.json` by their names.

    >>> told = {"tables": [{"name": "means", "columns": [{"name": "order"}, {"name": "mean"}], "rows": [["a", 1.5]]}]}
    >>> len(tables_of_report(told)["means"])
    1
    """
    found = {}
    for table in report["tables"]:
        names = [column["name"] for column in table["columns"]]
        found[table["name"]] = table_of([dict(zip(names, row, strict=True)) for row in table["rows"]], names)
    return found


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        return None
    return pandas

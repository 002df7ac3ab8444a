"""Which statements reach the database, and which of them no test sends to every database that is supported.

`STATEMENTS=FOLDER pytest -p tests.statements …` writes down, for each file of tests, the statements whose meaning
databases do not share: locks, conflicts, casts, JSON, aggregates, windows. `python -m tests.statements FOLDER` lists
those that no test with the mark `both` sends, and the files that send most of them: there the mark is missing.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

# Equality, membership and order of numbers mean the same everywhere; what matches one of these may not.
OWN_MEANING = re.compile(
    r"FOR UPDATE|ON CONFLICT|RETURNING|JSON|->|CAST\(|::|GROUP BY|OVER \(|DISTINCT|EXISTS|CASE WHEN|LIKE|REGEXP|"
    r"COLLATE|NULLS|UNION|WITH |EXTRACT|django_|COALESCE|SUM\(|AVG\(|MAX\(|MIN\(|ARRAY|INTERVAL|CREATE |ALTER |"
    r"VACUUM|PRAGMA",
    re.IGNORECASE,
)


def shape(statement: str) -> str:
    """Return a statement without the number of its values and the names of its columns.

    >>> shape('SELECT "a"."b" FROM "a" WHERE "a"."c" IN (%s, %s) ORDER BY "a"."d" ASC LIMIT 21')
    'SELECT … FROM a WHERE a.c IN (%s) ORDER BY a.d ASC LIMIT 0'
    """
    text = re.sub(r"\(%s(?:, %s)*\)(?:, \(%s(?:, %s)*\))*", "(%s)", " ".join(statement.split()))
    text = re.sub(r"\b\d+\b", "0", text.replace('"', ""))
    if not OWN_MEANING.search(text.partition(" FROM ")[0]):
        text = re.sub(r"^SELECT .*? FROM", "SELECT … FROM", text)
    return re.sub(r"INSERT INTO (\S+) \([^)]*\)", r"INSERT INTO \1 (…)", text)


class Statements:
    """Notes the shapes of the statements of every test in this process."""

    def __init__(self) -> None:
        self.of_files: defaultdict[str, set[str]] = defaultdict(set)
        self.of_both: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        from django.db import connection

        seen: set[str] = set()

        def note(execute: Callable[..., Any], statement: str, params: Any, many: bool, context: Any) -> Any:
            seen.add(shape(str(statement)))
            return execute(statement, params, many, context)

        if item.get_closest_marker("database") is None:
            return (yield)
        with connection.execute_wrapper(note):
            result = yield
        own = {text for text in seen if OWN_MEANING.search(text)}
        self.of_files[item.nodeid.partition("::")[0]] |= own
        if item.get_closest_marker("both") is not None:
            self.of_both |= own
        return result

    def pytest_sessionfinish(self) -> None:
        process = os.environ.get("PYTEST_XDIST_WORKER", "only")
        found = {"both": sorted(self.of_both), "files": {name: sorted(own) for name, own in self.of_files.items()}}
        Path(os.environ["STATEMENTS"], f"{process}.json").write_text(json.dumps(found), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Statements(), "lectern-statements")


def missing(folder: Path) -> list[tuple[str, list[str]]]:
    """Return files of tests and the statements for which each is needed, the file with most of them first."""
    both: set[str] = set()
    files: defaultdict[str, set[str]] = defaultdict(set)
    for path in folder.glob("*.json"):
        found = json.loads(path.read_text(encoding="utf-8"))
        both |= set(found["both"])
        for name, own in found["files"].items():
            files[name] |= set(own)
    left = set().union(*files.values()) - both
    chosen = []
    while left:
        name = max(files, key=lambda file: (len(files[file] & left), file))
        chosen.append((name, sorted(files[name] & left)))
        left -= files[name]
    return chosen


if __name__ == "__main__":
    for name, statements in missing(Path(sys.argv[1])):
        sys.stdout.write(f"{name}: {len(statements)}\n" + "".join(f"    {text[:200]}\n" for text in statements))

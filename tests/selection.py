"""Which tests run when: `full` ones in `make test-all` alone, `both` ones on PostgreSQL as well.

A test is marked `full` where a smaller one finds the same faults at once, or where its fault is rare and finding it
takes long: the mark says what only it finds. `make test` leaves it out; `make test-all` (EXHAUSTIVE=1) runs it, and so
does a command that names its file or the test itself.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

EXHAUSTIVE = bool(os.environ.get("EXHAUSTIVE"))
ROOT = Path(__file__).resolve().parents[1]


def only_in_full(finds: str, *values: object, name: str | None = None) -> Any:
    """Return a parameter whose case runs in `make test-all` alone.

    >>> only_in_full("what a telephone in German breaks", "de", 390).values
    ('de', 390)
    """
    return pytest.param(*values, marks=pytest.mark.full(finds), id=name)


def faults_of_marks(items: Sequence[pytest.Item]) -> list[str]:
    """Return the tests that are marked `full` and do not say what only they find."""
    return [
        item.nodeid
        for item in items
        for mark in item.iter_markers("full")
        if not (len(mark.args) == 1 and isinstance(mark.args[0], str) and mark.args[0].strip())
    ]


def is_named(item: pytest.Item, arguments: Sequence[str]) -> bool:
    """Say whether the command names the file of a test, or the test, and not only a folder that holds it."""
    for argument in arguments:
        path = Path(argument.partition("::")[0])
        if (path if path.is_absolute() else ROOT / path).resolve() == item.path:
            return True
    return False


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take the tests out that `make test` leaves to `make test-all`."""
    unexplained = faults_of_marks(items)
    if unexplained:
        raise pytest.UsageError(f"Say what only it finds, as in @pytest.mark.full('…'): {', '.join(unexplained)}")
    if EXHAUSTIVE or "full" in (config.getoption("markexpr") or ""):
        return
    left = [item for item in items if item.get_closest_marker("full") and not is_named(item, config.args)]
    if left:
        out = set(left)
        items[:] = [item for item in items if item not in out]
        config.hook.pytest_deselected(items=left)

"""Read results of OpenSesame: a row for each trial, in which `response_time` is that of the last screen that took one.

Each screen that takes a response also leaves `response_time_NAME` and `response_NAME`. A variable keeps its value until
it gets another, so that a screen before the trials can be repeated in every row; such a time is not taken for theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from analysis.conversion.columns import Columns
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source
from analysis.conversion.table import Converted, cell, numbers

_COUNTERS = ("count_trial_sequence", "live_row_block_loop", "live_row")
_COLUMNS = Columns(
    "OpenSesame",
    needs=(),
    marks=("subject_nr", "opensesame_version", "count_trial_sequence", "experiment_file"),
    names={
        "position": _COUNTERS,
        "response": ("response",),
        "correct": ("correct",),
    },
    people=("subject_nr",),
    from_zero=_COUNTERS,
    runs=(),
)
_TIME, _OF_SCREEN = "response_time", "response_time_"
# Times of a variable of one's own below this are seconds or counts, not milliseconds.
_LEAST_MEDIAN = 30


def _recognised(source: Source) -> bool:
    return _COLUMNS.recognised(source) and (
        {_TIME, "response"} <= set(source.columns) or {"opensesame_version", "subject_nr"} <= set(source.columns)
    )


def _read(source: Source) -> Converted:
    names, notes = _times(source)
    found = _COLUMNS.table(source, source.rows, names=names)
    found.notes += notes
    return found


def _times(source: Source) -> tuple[dict[str, str], list[str]]:
    """Return which column is the response time (and which the response and whether it was right), and why."""
    rows, columns = source.rows, source.columns
    screens = [name for name in columns if name.startswith(_OF_SCREEN) and numbers(rows, name)]
    own = next((name for name in ("rt", "RT", "reaction_time", "rt_ms") if _is_time(rows, columns, name)), None)
    stale = _is_stale(rows, _TIME)
    if own is not None and (stale or _differ(rows, own, _TIME)):
        why = "is the same in almost every row" if stale else "is that of another screen"
        return {own: "rt_ms"}, [f"rt_ms is '{own}', which the experiment recorded; 'response_time' {why}."]
    if not stale:
        others = [name for name in screens if _differ(rows, name, _TIME)]
        if not others:
            return {_TIME: "rt_ms"}, []
        same = [name for name in screens if name not in others]
        whose = f"that of '{same[0].removeprefix(_OF_SCREEN)}'" if len(same) == 1 else "that of the last screen"
        note = f"A trial takes several responses; rt_ms and response are {whose}. Others are in {_listed(others)}."
        return {_TIME: "rt_ms"}, [note]
    fresh = [name for name in screens if not _is_stale(rows, name)]
    said = "'response_time' is the same in almost every row: it belongs to a screen before the trials."
    if len(fresh) == 1:
        screen = fresh[0].removeprefix(_OF_SCREEN)
        own_names = {fresh[0]: "rt_ms", f"response_{screen}": "response", f"correct_{screen}": "correct"}
        return {name: ours for name, ours in own_names.items() if name in columns}, [f"{said} rt_ms is '{fresh[0]}'."]
    choice = f" Rename one of {_listed(fresh)} to rt_ms." if fresh else ""
    return {}, [f"{said} There is no rt_ms.{choice}"]


def _is_time(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], name: str) -> bool:
    found = numbers(rows, name) if name in columns else []
    return 2 * len(found) > len(rows) and median(found) > _LEAST_MEDIAN and not _is_stale(rows, name)


def _is_stale(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    """Say whether most rows repeat the number of the row before: it was not measured anew in each of them."""
    pairs = [
        cell(row.get(name)) == cell(before.get(name))
        for before, row in pairwise(rows)
        if before.get("subject_nr") == row.get("subject_nr") and cell(row.get(name)) is not None
    ]
    return 2 * sum(pairs) > len(pairs)


def _differ(rows: Sequence[Mapping[str, Any]], one: str, other: str) -> bool:
    return any(cell(row.get(one)) != cell(row.get(other)) for row in rows)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


OPENSESAME = Reader(
    "OpenSesame",
    files="CSV",
    becomes="`response_time` → `rt_ms` unless another screen left it: then `rt` or the `response_time_…` that changes "
    "from row to row, or none at all, and that is said; `subject_nr` → `participant`",
    documentation="https://osdoc.cogsci.nl/4.0/manual/variables/",
    recognised=_recognised,
    read=_read,
)

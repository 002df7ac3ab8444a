"""Who took part: the column that names people, and the one name that each row of a session gets.

A column names people only if it has one value within a session. Names such as `subject` and `id` are also what items
are called; whether they name people is seen from the data, never from the name alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.conversion.table import Cell, all_of, cell, folded, numbers

_SURE = (
    "participant", "participant_id", "participant_code", "participant_nr", "participant_number", "prolific_pid",
    "prolific_id", "url.PROLIFIC_PID", "workerid", "worker_id", "mturk_worker_id", "sona_id", "subject_nr",
    "subject_id", "subject_number", "subj_id", "jatosworkerid",
)  # fmt: skip
# These are also names of items, texts and answers.
_DOUBTFUL = ("subject", "subj", "id", "user_id", "user")
NAMES = (*_SURE, *_DOUBTFUL)
# A tool's number of a run. It names people where nothing better does.
RUNS = ("run_id", "jatosstudyresultid", "jatos_study_result_id", "study_result_id", "observation", "session_id")


@dataclass(frozen=True)
class Sessions:
    """The session of every row; `certain` where the tool numbers them, or its counter of trials begins anew in each."""

    keys: Sequence[Hashable]
    certain: bool
    column: str = ""

    @property
    def number(self) -> int:
        """How many sessions there are."""
        return len(set(self.keys))


@dataclass
class People:
    """The name of the person behind every row, the column it comes from ("" if none), and what has to be said."""

    names: list[Cell]
    column: str = ""
    notes: list[str] = field(default_factory=list)


def sessions_of(
    rows: Sequence[Mapping[str, Any]],
    columns: Iterable[str],
    *,
    runs: Sequence[str] = RUNS,
    counter: str | None = None,
    one: bool = False,
) -> Sessions:
    """Tell the sessions apart: by a column that numbers runs, otherwise where the counter of trials begins anew.

    The counter is believed only if it begins every session with the same number; rows that were sorted or filtered do
    not look like that. With `one` all rows are of one session.
    """
    if one:
        return Sessions([0] * len(rows), certain=True)
    for name in all_of(columns, runs):
        values = [cell(row.get(name)) for row in rows]
        if all(value is not None for value in values) and (folded(name) != "sessionid" or all(map(_long, values))):
            return Sessions(values, certain=True, column=name)
    counts = numbers(rows, counter) if counter else []
    if not counts or len(counts) < len(rows):
        return Sessions([0] * len(rows), certain=False)
    keys: list[Hashable] = []
    starts: list[float] = []
    last: float | None = None
    for count in counts:
        if last is None or count <= last:
            starts.append(count)
        keys.append(len(starts))
        last = count
    if len(set(starts)) > 1:
        return Sessions([0] * len(rows), certain=False)
    return Sessions(keys, certain=True)


def people_of(
    rows: Sequence[Mapping[str, Any]],
    columns: Iterable[str],
    sessions: Sessions,
    *,
    preferred: Sequence[str] = (),
    who: str = "",
) -> People:
    """Name the person behind every row. `preferred` are the tool's own columns for it, `who` the name where none is."""
    given = list(columns)
    doubtful = {folded(name) for name in _DOUBTFUL} - {folded(name) for name in preferred}
    notes: list[str] = []
    for name in dict.fromkeys(all_of(given, (*preferred, *NAMES))):
        values = [cell(row.get(name)) for row in rows]
        if all(value is None for value in values):
            continue
        why = _no_person(values, sessions, doubtful=folded(name) in doubtful)
        if why:
            notes.append(f"'{name}' {why}, so it does not say who took part; it keeps its name.")
            continue
        return People(_spread(values, sessions), name, notes)
    if sessions.column:
        return People([_plain(key) for key in sessions.keys], sessions.column, notes)
    if sessions.certain and sessions.number > 1:
        notes.append("The file names no participant; wherever its trials are counted anew, another one begins.")
        order = {key: str(number) for number, key in enumerate(dict.fromkeys(sessions.keys), start=1)}
        return People([order[key] for key in sessions.keys], "", notes)
    notes.append("The file names no participant; all of its rows belong to one.")
    return People([who or "1"] * len(rows), "", notes)


def _no_person(values: Sequence[Cell], sessions: Sessions, *, doubtful: bool) -> str:
    """Say why a column does not name people; nothing if it may."""
    if sessions.certain:
        within: dict[Hashable, set[Cell]] = {}
        for key, value in zip(sessions.keys, values, strict=True):
            if value is not None:
                within.setdefault(key, set()).add(value)
        if any(len(found) > 1 for found in within.values()):
            return "varies within a session"
        if doubtful and sessions.number > 1 and len(set.union(*within.values())) == 1:
            return "is the same in all sessions"
    elif doubtful and not _in_blocks(values):
        return "comes and goes from row to row"
    return ""


def _in_blocks(values: Iterable[Cell]) -> bool:
    """Say whether equal values stand together, as the rows of one person do."""
    changes = [value for value in values if value is not None]
    blocks = [value for at, value in enumerate(changes) if at == 0 or value != changes[at - 1]]
    return len(blocks) == len(set(blocks))


def _spread(values: Sequence[Cell], sessions: Sessions) -> list[Cell]:
    """Give every row of a session the name that some of its rows have; a session without one is numbered."""
    named: dict[Hashable, Cell] = {}
    if sessions.certain:
        named = {key: value for key, value in zip(sessions.keys, values, strict=True) if value is not None}
    only = set(values) - {None}
    order = {key: number for number, key in enumerate(dict.fromkeys(sessions.keys), start=1)}
    rest = only.pop() if len(only) == 1 and not (sessions.certain and sessions.number > 1) else None
    return [
        value
        if value is not None
        else named.get(key, rest if rest is not None else f"unnamed-{order[key]}" if sessions.certain else None)
        for key, value in zip(sessions.keys, values, strict=True)
    ]


def _long(value: Cell) -> bool:
    """Say whether a value can be the id of a run. A first or second session, which many people have, is a number."""
    return isinstance(value, str) and len(value) >= 8


def _plain(key: Hashable) -> Cell:
    return key if isinstance(key, str | int | float) else str(key)

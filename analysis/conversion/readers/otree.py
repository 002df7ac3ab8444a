"""Read results of oTree: the table of one app, with a row for each round, and the wide one of all apps.

The wide table has a column `APP.ROUND.player.FIELD` for each app and round; it becomes a row for each app and round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.conversion.columns import Columns
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source
from analysis.conversion.table import Converted, cell

_COLUMNS = Columns(
    "oTree",
    needs=("participant.code",),
    names={
        "session": ("session.code",),
        "trial": ("subsession.round_number",),
        "label": ("app",),
        "started_at": ("participant.time_started_utc", "participant.time_started"),
        "rt_ms": ("rt_ms",),
        "response": ("response",),
        "correct": ("correct", "is_correct"),
    },
    people=("participant.code",),
    runs=(),
)
_MODELS = ("player", "group", "subsession")
# oTree fills these in for everybody, whether or not they came to the round.
_GIVEN = ("id_in_group", "role", "payoff", "id_in_subsession", "round_number", "id")


def _read(source: Source) -> Converted:
    wide = [name for name in source.columns if _parts(name) is not None]
    rows = [row for given in source.rows for row in (_rounds(given, wide) if wide else [_short(given)])]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    found = _COLUMNS.table(source, rows, columns=columns)
    if wide:
        found.notes.append("A row is one round of one app (label, trial); rounds without an answer were left out.")
    return found


def _parts(name: str) -> tuple[str, str, str, str] | None:
    """Return (app, round, model, field) of a column of the wide table."""
    app, _, rest = name.partition(".")
    number, _, rest = rest.partition(".")
    model, _, field = rest.partition(".")
    return (app, number, model, field) if number.isdigit() and model in _MODELS and field else None


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the fields of the player under their own names."""
    return {name.removeprefix("player."): value for name, value in row.items()}


def _rounds(row: dict[str, Any], wide: Sequence[str]) -> list[dict[str, Any]]:
    person = {name: value for name, value in row.items() if name not in wide}
    rounds: dict[tuple[str, str], dict[str, Any]] = {}
    answered: set[tuple[str, str]] = set()
    for name in wide:
        app, number, model, field = _parts(name) or ("", "", "", "")
        if model == "subsession" and field == "round_number":
            continue
        rounds.setdefault((app, number), {})[field if model == "player" else f"{model}.{field}"] = row.get(name)
        if model == "player" and field not in _GIVEN and cell(row.get(name)) is not None:
            answered.add((app, number))
    return [
        {**person, "app": app, "subsession.round_number": number, **fields}
        for (app, number), fields in rounds.items()
        if (app, number) in answered
    ]


OTREE = Reader(
    "oTree",
    files="CSV of one app, and of all apps (wide)",
    becomes="`participant.code` → `participant`, `session.code` → `session`, the round → `trial`, the app → `label`; "
    "fields of the player keep their names without `player.`",
    documentation="https://otree.readthedocs.io/en/latest/admin.html",
    recognised=_COLUMNS.recognised,
    read=_read,
)
